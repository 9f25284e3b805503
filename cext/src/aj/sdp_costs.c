/* From a numerical Z to costs with a valid bound: outward rounding, and a proof by Cholesky. */
#include "aj/policy.h"
#include "aj/sdp.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A proven upper bound on y'Zy over all matchings y, or INFINITY where none was found.
 *
 * y = W r, r = (1, free variables), at most n_nodes of them 1: y'Zy = r'Gr with G = W'ZW, so
 * G <= delta I gives y'Zy <= delta (1 + n_nodes). W is of integers; the computed G is off by at
 * most gamma |W|'|Z||W| (two products of N terms), in norm by gamma max|Z| sum_j w_j^2 with w_j the
 * absolute column sums of W. A Cholesky factorisation of A = shift I - G that runs through proves
 * A >= -phi trace(A), phi = gamma_{m+1} / (1 - gamma_{m+1}) (Rump 2006). */
static double proven_margin(aj_sdp *S, const double *Z)
{
    const int64_t N = S->N, m = S->m;
    const double *rows = S->span->rows;
    double *G = S->small, *sums = S->eigenvalue;
    double largest = 0.0, spread = 0.0;
    for (int64_t k = 0; k < N * N; k++)
        largest = fmax(largest, fabs(Z[k]));
    if (!(largest < 1e100))
        return INFINITY;
    memset(sums, 0, sizeof *sums * (size_t)m);
    for (int64_t v = 0; v < N; v++)
        for (int64_t k = 0; k < m; k++)
            sums[k] += fabs(rows[v * m + k]);
    for (int64_t k = 0; k < m; k++)
        spread += sums[k] * sums[k];
    /* product = Z W (N x m), G = W' product */
    aj_sdp_multiply(S->lapack, 'N', 'T', S->N, S->m, S->N, Z, S->N, rows, S->m, S->product);
    aj_sdp_multiply(S->lapack, 'N', 'N', S->m, S->m, S->N, rows, S->m, S->product, S->N, G);
    const double off = gm_rounding_error(4.0 * (double)(N + 4), largest * spread);
    double *A = S->scratch; /* 2 m^2 of it */
    double margin = INFINITY;
    const double unit = fmax(largest, 1.0 / S->scale); /* of Z or L, whichever is larger */
    for (double shift = fmax(off, 1e-12 * unit); shift <= AJ_SDP_LARGEST_SHIFT * unit;
         shift *= 8.0) {
        double trace = 0.0;
        for (int64_t k = 0; k < m; k++) {
            for (int64_t j = 0; j < m; j++)
                A[k * m + j] = -G[k * m + j];
            A[k * (m + 1)] += shift;
            trace += A[k * (m + 1)];
        }
        char lower = 'L';
        int order = S->m, info = 0;
        S->lapack->dpotrf(&lower, &order, A, &order, &info);
        if (info == 0) {
            const double factor = gm_rounding_error(2.0 * (double)(m + 4), trace);
            margin = (shift + off + factor) * (1.0 + S->problem->n_nodes) * (1.0 + 1e-9);
            break;
        }
    }
    return margin;
}

/* A lower bound on what the star of slack f pays: its row of M over all other variables, where
 * f = 1. Writes column duals v <= 0. */
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
    for (int32_t k = P->label_start[own]; k < P->label_start[own + 1]; k++)
        cost[P->by_label[k]] = 4.0 * (1.0 + P->n_nodes) * (1.0 + highest);
    const int solved = gm_lap_solve(P->lap, cost, 1, 0) == GM_OK;
    for (int32_t l = 0; l < P->n_labels; l++) {
        v[l] = solved && l != own ? fmin(gm_lap_v(P->lap)[l], 0.0) : 0.0;
        sum += v[l];
        magnitude += fabs(v[l]);
    }
    for (int32_t k = 0; k < S->span->n_slacks; k++) { /* slacks as constants */
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

int aj_sdp_change_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const aj_span *span = S->span;
    const int64_t N = S->N;
    double largest = 0.0;
    for (int64_t v = 0; v < N; v++) /* Zt becomes symmetric to the last bit */
        for (int64_t w = 0; w <= v; w++)
            S->M[v * N + w] = S->M[w * N + v] =
                0.5 * (S->Zt[v * N + w] + S->Zt[w * N + v]) / S->scale;
    S->margin = proven_margin(S, S->M);
    if (!isfinite(S->margin))
        return 0;
    for (int32_t p = 0; p < P->n; p++)
        S->M[(1 + p) * (N + 1)] += P->cost[p];
    for (int64_t e = 0; e < P->m; e++) {
        const int64_t p = 1 + P->a[e], q = 1 + P->b[e];
        S->M[p * N + q] = S->M[q * N + p] += 0.5 * P->theta[e];
    }
    for (int64_t k = 0; k < N * N; k++)
        largest = fmax(largest, fabs(S->M[k]));
    S->changed = *P;
    S->changed.cost = S->cost;
    S->changed.theta = S->theta;
    double constant = P->constant + S->M[0];
    for (int32_t p = 0; p < P->n; p++) {
        S->cost[p] = S->M[(1 + p) * (N + 1)] + 2.0 * S->M[1 + p];
        for (int32_t k = 0; k < span->n_slacks; k++)
            if (span->slack_label[k] != P->label[p])
                S->cost[p] += S->M[(1 + p) * N + 1 + P->n + k];
    }
    for (int32_t k = 0; k < span->n_slacks; k++) {
        const int32_t f = 1 + P->n + k, l = span->slack_label[k];
        const double free =
            S->M[f * (N + 1)] + 2.0 * S->M[f] +
            slack_star(S, f, S->slack_dual + (int64_t)k * P->n_labels, S->star_cost);
        constant += free;
        for (int32_t j = P->label_start[l]; j < P->label_start[l + 1]; j++)
            S->cost[P->by_label[j]] -= free;
    }
    for (int64_t e = 0; e < P->m; e++) {
        const int32_t p = P->a[e], q = P->b[e];
        const int32_t f = span->slack_of[P->label[p]], g = span->slack_of[P->label[q]];
        const double both = S->M[(1 + p) * N + 1 + q];
        const double to_q = both - (g > 0 ? S->M[(1 + p) * N + g] : 0.0),
                     to_p = both - (f > 0 ? S->M[(1 + q) * N + f] : 0.0);
        S->half[P->half_a[e]] = to_q;
        S->half[P->half_b[e]] = to_p;
        S->theta[e] = to_q + to_p;
    }
    S->changed.constant = constant;
    S->evaluated = 1;
    /* A matching pays fewer than n_variables^2 numbers of M, each read once, and the sums above
     * have fewer terms than that; `free` numbers are sums of as many. */
    const double n = (double)P->n_nodes + span->n_slacks + 2.0;
    S->changed.error = P->error + S->margin + AJ_EPS * fabs(constant) * n +
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
    S->changed = *P;
    S->changed.cost = S->cost;
    S->changed.theta = S->theta;
    S->changed.error = P->error + DBL_MIN * (double)P->n_nodes * (double)P->n_nodes;
    S->evaluated = 1;
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
