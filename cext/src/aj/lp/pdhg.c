/* Restarted, reflected Halpern PDHG on the sparse Adams-Johnson LP.
 *
 * Rows: sum of y over p's entries with node j (label l) minus x_p <= 0, duals mu (nu); mu rows of a
 * full table are equalities. Each node takes one candidate (alpha, equality), each label at most
 * one (beta). Steps are diagonally preconditioned (Pock and Chambolle 2011), omega balances primal
 * and dual, and v_{k+1} = (k+1)/(k+2) (2 T v_k - v_k) + v_0/(k+2) with restarts (Lu and Yang 2024).
 * v = (x, y, w); T is one step of PDHG: a primal step of x and y, then one of the duals w at the
 * extrapolated point 2 T(x, y) - (x, y), here called bar.
 */
#include "aj/aj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TAU_Y = 0.25; /* an entry has four rows */

/* A vector of all rows, by kind. */
typedef struct rows {
    double *mu, *nu, *alpha, *beta;
} rows;

static inline rows rows_of(const aj_problem *P, double *w)
{
    double *nu = w + P->n_mu, *alpha = nu + P->n_nu, *beta = alpha + P->n_nodes;
    return (rows){w, nu, alpha, beta};
}

/* Step sizes: tau one over the rows of a variable, sigma one over the variables of a row. */
static void set_steps(aj_pdhg *S)
{
    const aj_problem *P = S->problem;
    const rows sigma = rows_of(P, S->sigma); /* counts first */
    for (int32_t r = 0; r < P->n_mu; r++)
        sigma.mu[r] = 1.0 / (1.0 + (double)(P->half_start[r + 1] - P->half_start[r]));
    for (int32_t r = 0; r < P->n_nu; r++)
        sigma.nu[r] = 1.0;
    for (int64_t h = 0; h < 2 * P->m && !gm_watch_step(P->watch, h); h++)
        sigma.nu[P->half_nu[h]] += 1.0;
    for (int32_t p = 0; p < P->n; p++) {
        const int32_t star_rows =
            P->mu_start[p + 1] - P->mu_start[p] + P->nu_start[p + 1] - P->nu_start[p];
        S->tau[p] = 1.0 / (double)(2 + star_rows);
        sigma.alpha[P->node[p]] += 1.0;
        sigma.beta[P->label[p]] += 1.0;
    }
    for (int32_t r = P->n_mu; r < S->n_rows; r++)
        S->sigma[r] = 1.0 / fmax(S->sigma[r], 1.0);
}

/* The least value of each dual: 0 for <= rows, none for equalities. */
static void set_floors(aj_pdhg *S)
{
    const aj_problem *P = S->problem;
    const rows floor = rows_of(P, S->floor);
    for (int32_t r = 0; r < P->n_mu; r++)
        floor.mu[r] = P->mu_equal[r] ? -INFINITY : 0.0;
    for (int32_t i = 0; i < P->n_nodes; i++)
        floor.alpha[i] = -INFINITY;
}

aj_pdhg *aj_pdhg_new(const aj_problem *P)
{
    aj_pdhg *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    const int64_t n_rows = (int64_t)P->n_mu + P->n_nu + P->n_nodes + P->n_labels;
    S->problem = P;
    S->n_rows = (int32_t)n_rows;
    GM_TAKE(&S->pool, P->n, S->x);
    GM_TAKE(&S->pool, P->n, S->x0);
    GM_TAKE(&S->pool, P->n, S->xt);
    GM_TAKE(&S->pool, P->m, S->y);
    GM_TAKE(&S->pool, P->m, S->y0);
    GM_TAKE(&S->pool, P->m, S->yt);
    GM_TAKE(&S->pool, n_rows, S->w);
    GM_TAKE(&S->pool, n_rows, S->w0);
    GM_TAKE(&S->pool, n_rows, S->wt);
    GM_TAKE(&S->pool, P->n, S->x_bar);
    GM_TAKE(&S->pool, P->n, S->tau);
    GM_TAKE(&S->pool, n_rows, S->row_sum);
    GM_TAKE(&S->pool, n_rows, S->sigma);
    GM_TAKE(&S->pool, n_rows, S->floor);
    if (S->pool.failed) {
        aj_pdhg_free(S);
        return NULL;
    }
    S->omega = 1.0;
    S->first_residual = S->last_residual = INFINITY;
    set_steps(S);
    set_floors(S);
    return S;
}

void aj_pdhg_free(aj_pdhg *S)
{
    if (S)
        gm_pool_free(&S->pool);
    free(S);
}

/* Iterate and anchor become the last kept point. */
static void set_point(aj_pdhg *S)
{
    const size_t n = (size_t)S->problem->n * sizeof(double);
    const size_t m = (size_t)S->problem->m * sizeof(double);
    const size_t n_rows = (size_t)S->n_rows * sizeof(double);
    memcpy(S->x, S->xt, n);
    memcpy(S->x0, S->xt, n);
    memcpy(S->y, S->yt, m);
    memcpy(S->y0, S->yt, m);
    memcpy(S->w, S->wt, n_rows);
    memcpy(S->w0, S->wt, n_rows);
    S->k = 0;
    S->first_residual = S->last_residual = INFINITY;
}

void aj_pdhg_transfer(aj_pdhg *to, const aj_pdhg *from, const int32_t *candidate_map,
                      const int64_t *entry_map)
{
    const aj_problem *P = to->problem, *Q = from->problem;
    const rows w = rows_of(P, to->wt), old = rows_of(Q, from->wt);
    for (int32_t p = 0; p < P->n; p++) {
        const int32_t q = candidate_map ? candidate_map[p] : p;
        to->xt[p] = from->xt[q];
        w.alpha[P->node[p]] = old.alpha[Q->node[q]];
    }
    memcpy(w.beta, old.beta, sizeof *w.beta * (size_t)P->n_labels);
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        const int64_t f = entry_map[e];
        if (f < 0)
            continue;
        to->yt[e] = from->yt[f];
        w.mu[P->mu_a[e]] = old.mu[Q->mu_a[f]];
        w.mu[P->mu_b[e]] = old.mu[Q->mu_b[f]];
        w.nu[P->nu_a[e]] = old.nu[Q->nu_a[f]];
        w.nu[P->nu_b[e]] = old.nu[Q->nu_b[f]];
    }
    to->omega = from->omega;
    set_point(to);
}

/* Place of a candidate's message: its slot within the node, the dummy behind the last one. */
static int64_t message_place(const aj_problem *P, const gm_index *index, int32_t p)
{
    const int32_t slot = P->origin[p], node = aj_model_node(index, P, p);
    return (slot >= 0 ? slot : index->node_start[node + 1]) - index->node_start[node];
}

void aj_pdhg_set_messages(aj_pdhg *S, const gm_index *index, const gm_reparametrisation *costs,
                          double scale)
{
    const aj_problem *P = S->problem;
    for (int32_t g = 0; g < P->n_groups; g++) { /* joins a to the candidates of one later node */
        const int64_t first = P->group_start[g];
        const int32_t a = P->a[first], b = P->b[first];
        const int32_t link =
            gm_index_link(index, aj_model_node(index, P, a), aj_model_node(index, P, b));
        const int64_t *start = costs->start + 2 * (int64_t)link;
        S->wt[P->mu_a[first]] = -scale * costs->message[start[0] + message_place(P, index, a)];
        for (int64_t e = first; e < P->group_start[g + 1]; e++)
            S->wt[P->mu_b[e]] =
                -scale * costs->message[start[1] + message_place(P, index, P->b[e])];
    }
    set_point(S);
}

/* ---- one step. Its parts are inlined for either value of `keep`, so that the common case stores
 * nothing extra. Each returns the squared weighted length of its move if `keep` is set. */

/* Weights of the Halpern step: of 2 T v - v, and of the anchor v_0. */
typedef struct weights {
    double bar, anchor;
} weights;

/* x: sums of bar over nodes and labels go to row_sum. */
static inline double move_candidates(aj_pdhg *S, weights weight, const int keep)
{
    const aj_problem *P = S->problem;
    const rows dual = rows_of(P, S->w), sum = rows_of(P, S->row_sum);
    double move = 0.0;
    for (int32_t p = 0; p < P->n && !gm_watch_step(P->watch, p); p++) {
        double slope = P->cost[p] + dual.alpha[P->node[p]] + dual.beta[P->label[p]];
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            slope -= dual.mu[r];
        for (int32_t r = P->nu_start[p]; r < P->nu_start[p + 1]; r++)
            slope -= dual.nu[r];
        const double x = S->x[p];
        const double next = aj_clip(x - S->tau[p] / S->omega * slope);
        const double bar = 2.0 * next - x;
        S->x_bar[p] = bar;
        S->x[p] = weight.bar * bar + weight.anchor * S->x0[p];
        sum.alpha[P->node[p]] += bar;
        sum.beta[P->label[p]] += bar;
        if (keep) {
            S->xt[p] = next;
            move += (next - x) * (next - x) / S->tau[p];
        }
    }
    return move;
}

/* y: sums of bar over the entries of each star row go to row_sum. */
static inline double move_entries(aj_pdhg *S, weights weight, const int keep)
{
    const aj_problem *P = S->problem;
    const rows dual = rows_of(P, S->w), sum = rows_of(P, S->row_sum);
    const double tau_y = TAU_Y / S->omega;
    double move = 0.0;
    for (int32_t g = 0; g < P->n_groups && !gm_watch_step(P->watch, g); g++) {
        const int32_t mu_a = P->mu_a[P->group_start[g]];
        const double dual_a = dual.mu[mu_a];
        double sum_a = 0.0; /* in a register: additions to one place of memory would wait */
        for (int64_t e = P->group_start[g]; e < P->group_start[g + 1]; e++) {
            const int32_t mu_b = P->mu_b[e], nu_a = P->nu_a[e], nu_b = P->nu_b[e];
            const double slope =
                P->theta[e] + dual_a + dual.mu[mu_b] + dual.nu[nu_a] + dual.nu[nu_b];
            const double y = S->y[e];
            const double next = aj_clip(y - tau_y * slope);
            const double bar = 2.0 * next - y;
            S->y[e] = weight.bar * bar + weight.anchor * S->y0[e];
            sum_a += bar;
            sum.mu[mu_b] += bar;
            sum.nu[nu_a] += bar;
            sum.nu[nu_b] += bar;
            if (keep) {
                S->yt[e] = next;
                move += (next - y) * (next - y);
            }
        }
        sum.mu[mu_a] += sum_a;
    }
    return move;
}

/* w, by the sums in row_sum, which are 0 afterwards. */
static inline double move_duals(aj_pdhg *S, weights weight, const int keep)
{
    const aj_problem *P = S->problem;
    const rows sum = rows_of(P, S->row_sum);
    /* the star rows have -x_p, node and label rows the right hand side 1 */
    for (int32_t p = 0; p < P->n; p++) {
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            sum.mu[r] -= S->x_bar[p];
        for (int32_t r = P->nu_start[p]; r < P->nu_start[p + 1]; r++)
            sum.nu[r] -= S->x_bar[p];
    }
    for (int32_t r = P->n_mu + P->n_nu; r < S->n_rows; r++)
        S->row_sum[r] -= 1.0;
    double *w = S->w;
    double move = 0.0;
    for (int32_t r = 0; r < S->n_rows; r++) {
        double next = w[r] + S->omega * S->sigma[r] * S->row_sum[r];
        next = next > S->floor[r] ? next : S->floor[r];
        S->row_sum[r] = 0.0;
        if (keep) {
            S->wt[r] = next;
            move += (next - w[r]) * (next - w[r]) / S->sigma[r];
        }
        w[r] = weight.bar * (2.0 * next - w[r]) + weight.anchor * S->w0[r];
    }
    return move;
}

/* One application of T and the Halpern step. Returns the residual |T v - v| if it is kept. */
static inline double advance(aj_pdhg *S, const int keep)
{
    const double k = (double)S->k;
    const weights weight = {(k + 1.0) / (k + 2.0), 1.0 / (k + 2.0)};
    const double move_x = move_candidates(S, weight, keep);
    const double move_y = move_entries(S, weight, keep);
    const double move_w = move_duals(S, weight, keep);
    S->k++;
    S->total++;
    return sqrt(S->omega * (move_x + move_y / TAU_Y) + move_w / S->omega);
}

static double squared_distance(const double *u, const double *v, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += (u[i] - v[i]) * (u[i] - v[i]);
    return sum;
}

/* Squared way since a restart: omega is not updated on less. */
static const double LEAST_MOVE = 1e-20;

/* Starts again at the last kept point, with a primal weight that balances how far primal and dual
 * variables have moved. */
static void restart(aj_pdhg *S)
{
    const double dz = squared_distance(S->xt, S->x0, S->problem->n) +
                      squared_distance(S->yt, S->y0, S->problem->m);
    const double dw = squared_distance(S->wt, S->w0, S->n_rows);
    if (dz > LEAST_MOVE && dw > LEAST_MOVE)
        S->omega = sqrt(S->omega * sqrt(dw / dz));
    set_point(S);
}

void aj_pdhg_step(aj_pdhg *S, int keep)
{
    if (!keep) {
        advance(S, 0);
        return;
    }
    const double residual = advance(S, 1);
    if (S->first_residual == INFINITY)
        S->first_residual = residual;
    const int due = residual <= AJ_SUFFICIENT * S->first_residual ||
                    (residual <= AJ_NECESSARY * S->first_residual && residual > S->last_residual) ||
                    (double)S->k >= AJ_ARTIFICIAL * (double)S->total;
    S->last_residual = residual;
    if (due)
        restart(S);
}
