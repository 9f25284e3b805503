/* From a numerical Z to costs M = L + Z with a valid bound: outward rounding, and a proof by
 * Cholesky that Z is negative semidefinite on the span of all matchings, but for a margin. */
#include "aj/sdp/relaxation.h"

#include "base/lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the margin: a proven upper bound on y'Zy over all matchings y
 *
 * y = W r, r = (1, free variables), at most n_nodes of them 1: y'Zy = r'Gr with G = W'ZW, so
 * G <= delta I gives y'Zy <= delta (1 + n_nodes). W is of integers; the computed G is off by at
 * most gamma |W|'|Z||W| (two products of N terms), in norm by gamma max|Z| sum_j w_j^2 with w_j the
 * absolute column sums of W. A Cholesky factorisation of A = shift I - G that succeeds proves
 * A >= -phi trace(A), phi = gamma_{dim+1} / (1 - gamma_{dim+1}) (Rump 2006). */

/* The formula that it is used in has five operations, each within 2^-53 of its result: this is a
 * million times more, and next to nothing for the margin. */
static const double OUTWARD = 1.0 + 1e-9;

/* to += factor from. */
GM_WIDE static void add_multiple(double factor, const double *restrict from, int64_t n,
                                 double *restrict to)
{
    for (int64_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

/* X = Z W (N x dim, column by column). W has a 1 in the row of every free variable, and numbers in
 * the few rows of dependent ones. Unfinished if the run is over. */
static void multiply_by_basis(const aj_span *span, const double *Z, double *X, gm_watch *watch)
{
    const int64_t N = span->n_variables, dim = span->dimension;
    for (int64_t v = 0; v < N; v++)
        if (span->number[v] >= 0)
            memcpy(X + span->number[v] * N, Z + v * N, sizeof *X * (size_t)N);
    for (int64_t v = 0; v < N; v++)
        for (int64_t k = 0; k < dim && span->number[v] < 0; k++)
            if (span->rows[v * dim + k] != 0.0) {
                if (gm_watch_spend(watch, N))
                    return;
                add_multiple(span->rows[v * dim + k], Z + v * N, N, X + k * N);
            }
}

/* result (dim) = W'x. */
static void multiply_basis_by(const aj_span *span, const double *x, double *result)
{
    const int64_t N = span->n_variables, dim = span->dimension;
    for (int64_t v = 0; v < N; v++)
        if (span->number[v] >= 0)
            result[span->number[v]] = x[v];
    for (int64_t v = 0; v < N; v++)
        if (span->number[v] < 0)
            add_multiple(x[v], span->rows + v * dim, dim, result);
}

/* G in S->small, unless the run is over; returns a bound on the norm of its error. `largest`:
 * max|Z|. */
static double fill_gram(aj_sdp *S, const double *Z, double largest)
{
    const int64_t N = S->N, dim = S->dim;
    const double *rows = S->span->rows;
    double *column_sum = S->eigenvalue; /* as scratch */
    double spread = 0.0;
    memset(column_sum, 0, sizeof *column_sum * (size_t)dim);
    for (int64_t v = 0; v < N; v++)
        for (int64_t k = 0; k < dim; k++)
            column_sum[k] += fabs(rows[v * dim + k]);
    for (int64_t k = 0; k < dim; k++)
        spread += column_sum[k] * column_sum[k];
    multiply_by_basis(S->span, Z, S->X, S->problem->watch); /* which the next step overwrites */
    for (int64_t k = 0; k < dim && !gm_watch_spend(S->problem->watch, (N - dim + 1) * dim); k++)
        multiply_basis_by(S->span, S->X + k * N, S->small + k * dim);
    return gm_rounding_error(4.0 * (double)(N + 4), largest * spread);
}

/* Whether Cholesky of A = shift I - G succeeds; *trace is that of A. */
static int is_factored(aj_sdp *S, double shift, double *trace)
{
    const int64_t dim = S->dim;
    const double *G = S->small;
    double *A = S->scratch;
    *trace = 0.0;
    for (int64_t k = 0; k < dim; k++) {
        for (int64_t j = 0; j < dim; j++)
            A[k * dim + j] = -G[k * dim + j];
        A[k * (dim + 1)] += shift;
        *trace += A[k * (dim + 1)];
    }
    char lower = 'L';
    int order = S->dim, info = 0;
    S->lapack->dpotrf(&lower, &order, A, &order, &info);
    return !gm_watch_after_call(S->problem->watch) && info == 0;
}

static const double LARGEST_Z = 1e100; /* of L about 1: ADMM has diverged */
/* Of max|Z| or max|L|: first tried in the Cholesky proof. */
static const double FIRST_SHIFT = 1e-12;
static const double SHIFT_GROWTH = 8.0;   /* from one trial to the next */
static const double LARGEST_SHIFT = 1e-7; /* of max|Z| or max|L|: a Z that needs more is not used */

/* The margin by the smallest shift tried that proves one, or INFINITY. */
static double proven_margin(aj_sdp *S, const double *Z)
{
    const double largest = aj_sdp_largest(Z, (int64_t)S->N * S->N);
    if (!(largest < LARGEST_Z))
        return INFINITY;
    const double gram_error = fill_gram(S, Z, largest);
    if (gm_watch_is_over(S->problem->watch))
        return INFINITY;                               /* G is not whole */
    const double unit = fmax(largest, 1.0 / S->scale); /* of Z or L, whichever is larger */
    double shift = fmax(gram_error, FIRST_SHIFT * unit);
    for (; shift <= LARGEST_SHIFT * unit; shift *= SHIFT_GROWTH) {
        double trace;
        if (gm_watch_spend(S->problem->watch, GM_WORK_PER_LOOK))
            break;
        if (is_factored(S, shift, &trace)) {
            const double cholesky_error =
                gm_rounding_error(2.0 * (double)((int64_t)S->dim + 4), trace);
            return (shift + gram_error + cholesky_error) * (1.0 + S->problem->n_nodes) * OUTWARD;
        }
    }
    return INFINITY;
}

/* ---- slacks: their costs become costs of candidates, by f_l = 1 - (sum of x with label l) */

/* A lower bound on the cost of the star of slack f: its row of M over all other variables if f = 1.
 * Writes column duals v <= 0; cost (n) is scratch. */
static double slack_star(aj_sdp *S, int32_t f, double *v, double *cost)
{
    const aj_problem *P = S->problem;
    const int32_t own = S->span->slack_label[f - 1 - P->n];
    const double *row = S->M + (int64_t)f * S->N;
    double sum = 0.0, magnitude = 0.0, highest = 0.0;
    for (int32_t p = 0; p < P->n; p++) {
        const int32_t g = S->span->slack_of[P->label[p]];
        cost[p] = row[1 + p] - (g > 0 ? row[g] : 0.0);
        highest = fmax(highest, fabs(cost[p]));
    }
    /* its label is free: more than any two assignments of the others differ by */
    const double prohibitive = 4.0 * (1.0 + P->n_nodes) * (1.0 + highest);
    for (int32_t k = P->label_start[own]; k < P->label_start[own + 1]; k++)
        cost[P->by_label[k]] = prohibitive;
    const int solved = gm_lap_solve(P->lap, cost, 1, 0) == GM_OK;
    for (int32_t l = 0; l < P->n_labels; l++) {
        v[l] = solved && l != own ? fmin(gm_lap_v(P->lap)[l], 0.0) : 0.0;
        sum += v[l];
        magnitude += fabs(v[l]);
    }
    for (int32_t k = 0; k < S->span->n_slacks; k++) { /* the 1 of every other slack */
        if (S->span->slack_label[k] == own)
            continue;
        sum += row[1 + P->n + k];
        magnitude += fabs(row[1 + P->n + k]);
    }
    for (int32_t i = 0; i < P->n_nodes; i++) {
        double least = INFINITY;
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (P->label[p] != own)
                least = fmin(least, cost[p] - v[P->label[p]]);
        if (least == INFINITY)
            least = 0.0; /* the label is always taken: f = 0, and any number will do */
        sum += least;
        magnitude += fabs(least) + 2.0 * highest;
    }
    return sum - AJ_EPS * (double)(P->n_nodes + P->n_labels + S->span->n_slacks + 8) * magnitude;
}

/* Unary costs of the candidates: M_pp + 2 M_0p, and M_pf for the 1 of every slack f. */
static void change_unary_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const aj_span *span = S->span;
    const int64_t N = S->N;
    for (int32_t p = 0; p < P->n; p++) {
        S->cost[p] = S->M[(1 + p) * (N + 1)] + 2.0 * S->M[1 + p];
        for (int32_t k = 0; k < span->n_slacks; k++)
            if (span->slack_label[k] != P->label[p])
                S->cost[p] += S->M[(1 + p) * N + 1 + P->n + k];
    }
}

/* The cost of each slack becomes a constant, and is subtracted from the candidates that take its
 * label. Adds to the constant. */
static double move_slack_costs(aj_sdp *S, double constant)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    for (int32_t k = 0; k < S->span->n_slacks; k++) {
        const int32_t f = 1 + P->n + k, l = S->span->slack_label[k];
        double *duals = S->slack_dual + (int64_t)k * P->n_labels;
        const double unary = S->M[f * (N + 1)] + 2.0 * S->M[f];
        const double free = unary + slack_star(S, f, duals, S->star_cost);
        constant += free;
        for (int32_t j = P->label_start[l]; j < P->label_start[l + 1]; j++)
            S->cost[P->by_label[j]] -= free;
    }
    return constant;
}

/* The cost of an entry in each star: M_pq, less the cost of the slack of q's label. */
static void change_pair_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    for (int64_t e = 0; e < P->m; e++) {
        const int32_t p = P->a[e], q = P->b[e];
        const int32_t f = S->span->slack_of[P->label[p]], g = S->span->slack_of[P->label[q]];
        const double both = S->M[(1 + p) * N + 1 + q];
        const double to_q = both - (g > 0 ? S->M[(1 + p) * N + g] : 0.0);
        const double to_p = both - (f > 0 ? S->M[(1 + q) * N + f] : 0.0);
        S->half[P->half_a[e]] = to_q;
        S->half[P->half_b[e]] = to_p;
        S->theta[e] = to_q + to_p;
    }
}

/* ---- the costs */

/* `changed` is the problem with other costs: those in S->cost and S->theta. */
static void make_changed(aj_sdp *S)
{
    S->changed = *S->problem;
    S->changed.cost = S->cost;
    S->changed.theta = S->theta;
    S->evaluated = 1;
}

/* M = Z of the last step. */
static void fill_multipliers(aj_sdp *S)
{
    const int64_t N = S->N;
    for (int64_t v = 0; v < N; v++)
        for (int64_t w = 0; w <= v; w++)
            S->M[v * N + w] = S->M[w * N + v] = aj_sdp_multiplier(S, v, w);
}

/* M += L. */
static void add_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    for (int32_t p = 0; p < P->n; p++)
        S->M[(1 + p) * (N + 1)] += P->cost[p];
    for (int64_t e = 0; e < P->m; e++) {
        const int64_t p = 1 + P->a[e], q = 1 + P->b[e];
        S->M[p * N + q] = S->M[q * N + p] += 0.5 * P->theta[e];
    }
}

int aj_sdp_change_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    fill_multipliers(S);
    const double margin = proven_margin(S, S->M);
    if (!isfinite(margin))
        return 0;
    add_costs(S);
    const double largest = aj_sdp_largest(S->M, N * N);
    make_changed(S);
    change_unary_costs(S);
    S->changed.constant = move_slack_costs(S, P->constant + S->M[0]);
    change_pair_costs(S);
    /* A matching pays fewer than n_variables^2 numbers of M, each read once, and the sums above
     * have fewer terms than that; the costs of slacks are sums of as many. */
    const double n = (double)P->n_nodes + S->span->n_slacks + 2.0;
    S->changed.error = P->error + margin + AJ_EPS * fabs(S->changed.constant) * n +
                       gm_rounding_error(8.0 * n * n * (n + 4.0), largest);
    return 1;
}

void aj_sdp_keep_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    memcpy(S->cost, P->cost, sizeof *P->cost * (size_t)P->n);
    memcpy(S->theta, P->theta, sizeof *P->theta * (size_t)P->m);
    for (int64_t e = 0; e < P->m; e++) /* halving is exact but for the smallest numbers */
        S->half[P->half_a[e]] = S->half[P->half_b[e]] = 0.5 * P->theta[e];
    make_changed(S);
    S->changed.error = P->error + DBL_MIN * (double)P->n_nodes * (double)P->n_nodes;
}

aj_problem *aj_sdp_release(aj_sdp *S, double tolerance)
{
    aj_problem *P = S->problem;
    if (S->evaluated && S->changed.error <= P->error + tolerance) {
        memcpy(P->cost, S->cost, sizeof *P->cost * (size_t)P->n);
        memcpy(P->theta, S->theta, sizeof *P->theta * (size_t)P->m);
        P->constant = S->changed.constant;
        P->error = S->changed.error;
    }
    S->problem = NULL;
    aj_sdp_free(S);
    return P;
}
