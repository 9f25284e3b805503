/* Restarted, reflected Halpern PDHG on the sparse Adams-Johnson LP.
 *
 * Rows: sum of y over p's entries with node j (label l) minus x_p <= 0, duals mu (nu); mu rows of a
 * full table are equalities. Each node takes one candidate (alpha, equality), each label at most
 * one (beta). Steps are diagonally preconditioned (Pock and Chambolle 2011), omega balances primal
 * and dual, and v_{k+1} = (k+1)/(k+2) (2 T v_k - v_k) + v_0/(k+2) with restarts (Lu and Yang 2024).
 */
#include "aj/aj.h"
#include "aj/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TAU_Y = 0.25; /* an entry has four rows */

aj_pdhg *aj_pdhg_new(const aj_problem *P)
{
    aj_pdhg *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    const int64_t rows = (int64_t)P->n_mu + P->n_nu + P->n_nodes + P->n_labels;
    S->problem = P;
    S->n_rows = (int32_t)rows;
    for (int k = 0; k < 3; k++) {
        *(double **[]){&S->x, &S->x0, &S->xt}[k] = gm_pool_take(&S->pool, P->n, sizeof(double));
        *(double **[]){&S->y, &S->y0, &S->yt}[k] = gm_pool_take(&S->pool, P->m, sizeof(double));
        *(double **[]){&S->w, &S->w0, &S->wt}[k] = gm_pool_take(&S->pool, rows, sizeof(double));
    }
    GM_TAKE(&S->pool, P->n, S->x_bar);
    GM_TAKE(&S->pool, P->n, S->tau);
    GM_TAKE(&S->pool, rows, S->row_sum);
    GM_TAKE(&S->pool, rows, S->sigma);
    GM_TAKE(&S->pool, rows, S->floor);
    if (S->pool.failed) {
        aj_pdhg_free(S);
        return NULL;
    }
    S->omega = 1.0;
    S->first_residual = S->last_residual = INFINITY;
    double *nu = S->sigma + P->n_mu, *alpha = nu + P->n_nu, *beta = alpha + P->n_nodes;
    for (int32_t r = 0; r < P->n_mu; r++)
        S->sigma[r] = 1.0 / (1.0 + (double)(P->half_start[r + 1] - P->half_start[r]));
    for (int32_t r = 0; r < P->n_nu; r++)
        nu[r] = 1.0;
    for (int64_t h = 0; h < 2 * P->m; h++)
        nu[P->half_nu[h]] += 1.0;
    for (int32_t p = 0; p < P->n; p++) {
        S->tau[p] = 1.0 / (double)(2 + P->mu_start[p + 1] - P->mu_start[p] + P->nu_start[p + 1] -
                                   P->nu_start[p]);
        alpha[P->node[p]] += 1.0;
        beta[P->label[p]] += 1.0;
    }
    for (int64_t r = P->n_mu; r < rows; r++)
        S->sigma[r] = 1.0 / fmax(S->sigma[r], 1.0);
    for (int32_t r = 0; r < P->n_mu; r++)
        S->floor[r] = P->mu_equal[r] ? -INFINITY : 0.0;
    for (int32_t i = 0; i < P->n_nodes; i++)
        S->floor[P->n_mu + P->n_nu + i] = -INFINITY;
    return S;
}

void aj_pdhg_free(aj_pdhg *S)
{
    if (S)
        gm_pool_free(&S->pool);
    free(S);
}

static void set_point(aj_pdhg *S)
{
    const size_t n = (size_t)S->problem->n * sizeof(double),
                 m = (size_t)S->problem->m * sizeof(double);
    const size_t rows = (size_t)S->n_rows * sizeof(double);
    memcpy(S->x, S->xt, n);
    memcpy(S->x0, S->xt, n);
    memcpy(S->y, S->yt, m);
    memcpy(S->y0, S->yt, m);
    memcpy(S->w, S->wt, rows);
    memcpy(S->w0, S->wt, rows);
    S->k = 0;
    S->first_residual = S->last_residual = INFINITY;
}

void aj_pdhg_transfer(aj_pdhg *to, const aj_pdhg *from, const int32_t *candidate_map,
                      const int64_t *entry_map)
{
    const aj_problem *P = to->problem, *Q = from->problem;
    double *w = to->wt, *nu = w + P->n_mu, *alpha = nu + P->n_nu, *beta = alpha + P->n_nodes;
    const double *old = from->wt, *old_nu = old + Q->n_mu, *old_alpha = old_nu + Q->n_nu,
                 *old_beta = old_alpha + Q->n_nodes;
    for (int32_t p = 0; p < P->n; p++) {
        const int32_t q = candidate_map ? candidate_map[p] : p;
        to->xt[p] = from->xt[q];
        alpha[P->node[p]] = old_alpha[Q->node[q]];
    }
    memcpy(beta, old_beta, sizeof *beta * (size_t)P->n_labels);
    for (int64_t e = 0; e < P->m; e++) {
        const int64_t f = entry_map[e];
        if (f < 0)
            continue;
        to->yt[e] = from->yt[f];
        w[P->mu_a[e]] = old[Q->mu_a[f]];
        w[P->mu_b[e]] = old[Q->mu_b[f]];
        nu[P->nu_a[e]] = old_nu[Q->nu_a[f]];
        nu[P->nu_b[e]] = old_nu[Q->nu_b[f]];
    }
    to->omega = from->omega;
    set_point(to);
}

/* Place of a candidate's message: its slot within the node, or behind the last one. */
static int64_t message_place(const aj_problem *P, const gm_index *index, int32_t p, int32_t *node)
{
    const int32_t slot = P->origin[p];
    *node = slot >= 0 ? index->slot_node[slot] : P->label[p] - index->n2;
    return (slot >= 0 ? slot : index->node_start[*node + 1]) - index->node_start[*node];
}

void aj_pdhg_set_messages(aj_pdhg *S, const gm_index *index, const gm_reparametrisation *costs,
                          double scale)
{
    const aj_problem *P = S->problem;
    for (int32_t run = 0; run < P->n_groups;
         run++) { /* a run has one link: its entries join a to the candidates of one later node */
        const int64_t first = P->group_start[run];
        int32_t u, v;
        const int64_t place_u = message_place(P, index, P->a[first], &u);
        message_place(P, index, P->b[first], &v);
        const int64_t *start = costs->start + 2 * (int64_t)gm_index_link(index, u, v);
        S->wt[P->mu_a[first]] = -scale * costs->message[start[0] + place_u];
        for (int64_t e = first; e < P->group_start[run + 1]; e++)
            S->wt[P->mu_b[e]] =
                -scale * costs->message[start[1] + message_place(P, index, P->b[e], &v)];
    }
    set_point(S);
}

/* One application of T and the Halpern step; inlined twice so that the common case stores nothing
 * extra. */
static inline double advance(aj_pdhg *S, const int keep)
{
    const aj_problem *P = S->problem;
    const double c1 = (double)(S->k + 1) / (double)(S->k + 2), c0 = 1.0 / (double)(S->k + 2);
    const double *mu = S->w, *nu = mu + P->n_mu, *alpha = nu + P->n_nu, *beta = alpha + P->n_nodes;
    double *sum_mu = S->row_sum, *sum_nu = sum_mu + P->n_mu, *sum_alpha = sum_nu + P->n_nu,
           *sum_beta = sum_alpha + P->n_nodes;
    double move_x = 0.0, move_y = 0.0, move_w = 0.0;

    for (int32_t p = 0; p < P->n; p++) {
        double slope = P->cost[p] + alpha[P->node[p]] + beta[P->label[p]];
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            slope -= mu[r];
        for (int32_t r = P->nu_start[p]; r < P->nu_start[p + 1]; r++)
            slope -= nu[r];
        const double x = S->x[p], next = aj_clip(x - S->tau[p] / S->omega * slope),
                     bar = 2.0 * next - x;
        S->x_bar[p] = bar;
        S->x[p] = c1 * bar + c0 * S->x0[p];
        sum_alpha[P->node[p]] += bar;
        sum_beta[P->label[p]] += bar;
        if (keep) {
            S->xt[p] = next;
            move_x += (next - x) * (next - x) / S->tau[p];
        }
    }
    const double tau_y = TAU_Y / S->omega;
    for (int32_t run = 0; run < P->n_groups; run++) {
        const int32_t mu_a = P->mu_a[P->group_start[run]];
        const double dual_a = mu[mu_a];
        double sum_a =
            0.0; /* in a register: one cell added to by every entry would be a chain of waits */
        for (int64_t e = P->group_start[run]; e < P->group_start[run + 1]; e++) {
            const int32_t mu_b = P->mu_b[e], nu_a = P->nu_a[e], nu_b = P->nu_b[e];
            const double y = S->y[e], slope = P->theta[e] + dual_a + mu[mu_b] + nu[nu_a] + nu[nu_b];
            const double next = aj_clip(y - tau_y * slope), bar = 2.0 * next - y;
            S->y[e] = c1 * bar + c0 * S->y0[e];
            sum_a += bar;
            sum_mu[mu_b] += bar;
            sum_nu[nu_a] += bar;
            sum_nu[nu_b] += bar;
            if (keep) {
                S->yt[e] = next;
                move_y += (next - y) * (next - y);
            }
        }
        sum_mu[mu_a] += sum_a;
    }
    /* rows: the star rows see -x_p, node and label rows the right hand side 1 */
    for (int32_t p = 0; p < P->n; p++) {
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            sum_mu[r] -= S->x_bar[p];
        for (int32_t r = P->nu_start[p]; r < P->nu_start[p + 1]; r++)
            sum_nu[r] -= S->x_bar[p];
    }
    for (int32_t r = P->n_mu + P->n_nu; r < S->n_rows; r++)
        S->row_sum[r] -= 1.0;
    double *w = S->w;
    for (int32_t r = 0; r < S->n_rows; r++) {
        double next = w[r] + S->omega * S->sigma[r] * S->row_sum[r];
        next = next > S->floor[r] ? next : S->floor[r];
        S->row_sum[r] = 0.0;
        if (keep) {
            S->wt[r] = next;
            move_w += (next - w[r]) * (next - w[r]) / S->sigma[r];
        }
        w[r] = c1 * (2.0 * next - w[r]) + c0 * S->w0[r];
    }
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

static void restart(aj_pdhg *S)
{
    const double dz = squared_distance(S->xt, S->x0, S->problem->n) +
                      squared_distance(S->yt, S->y0, S->problem->m);
    const double dw = squared_distance(S->wt, S->w0, S->n_rows);
    if (dz > 1e-20 && dw > 1e-20)
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
