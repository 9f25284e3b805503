/* The change of cost of every swap of a quadratic assignment, kept up to date: the table that
 * robust tabu search (Taillard 1991) chooses from.
 *
 *   f(p) = sum_ik A_ik B_p(i)p(k) + sum_i C_i,p(i)          over permutations p of 0 .. n-1
 *
 * P_jk = B_p(j)p(k) is B permuted, so that everything below reads rows. Let
 *
 *   G_ij = sum_k A_ik P_jk + A_ki P_kj                       cost of i with the label of j
 *   change_uv = G_uv + G_vu - G_uu - G_vv + (A_uv + A_vu)(P_uv + P_vu) + linear part
 *
 * After swapping r and s, with x_i = A_ir - A_is and y_j = P_jr - P_js (P after the swap),
 *
 *   G_ij += x_i y_j,     change_uv -= (x_u - x_v)(y_u - y_v) for u, v other than r, s,
 *
 * and once more for the transposed matrices. One move costs about 1.5 n^2 additions, in order.
 * (Taillard 1991 computes rows r and s again, O(n) for each entry; G makes that O(1).)
 */
#ifndef GM_QAP_SWAPS_H
#define GM_QAP_SWAPS_H

#include "base/pool.h"
#include "base/watch.h"

typedef struct gm_swaps {
    int32_t n;
    int symmetric;                         /* A or B is: one product instead of two */
    double *A, *At;                        /* n x n, zero diagonal; symmetric: both hold A + A' */
    double *B;                             /* n x n, zero diagonal */
    const double *C;                       /* n x n, +inf = forbidden; NULL = none */
    double *P, *G;                         /* n x n, see above */
    double *change;                        /* n x n, upper triangle: cost of swapping u < v */
    double *least;                         /* n: smallest change of each row */
    double *x, *y, *x2, *y2, *of_r, *of_s; /* n, scratch */
    int32_t *at;                           /* n: the permutation p */
    double cost;
    gm_watch *watch; /* of the run, or NULL */
} gm_swaps;

/* The state of all swaps of one permutation. */
typedef struct gm_swaps_state {
    double cost, *P, *G, *change, *least;
    int32_t *at;
} gm_swaps_state;

/* Takes memory; look at pool->failed afterwards. A, B and C are copied or borrowed as in gm_qap. */
void gm_swaps_take(gm_swaps *swaps, gm_pool *pool, const gm_qap *qap);

/* Computes everything again for a permutation, O(n^3). */
void gm_swaps_load(gm_swaps *swaps, const int32_t *at);

/* Copies the state, and back, O(n^2): less than the time of ten swaps. */
void gm_swaps_state_take(gm_swaps_state *state, gm_pool *pool, int32_t n);
void gm_swaps_save(const gm_swaps *swaps, gm_swaps_state *state);
void gm_swaps_restore(gm_swaps *swaps, const gm_swaps_state *state);

/* Swaps the labels of r and s, O(n^2). */
void gm_swaps_make(gm_swaps *swaps, int32_t r, int32_t s);

/* The change of cost by swapping u and v, in either order. */
static inline double gm_swaps_change(const gm_swaps *swaps, int32_t u, int32_t v)
{
    return u < v ? swaps->change[(int64_t)u * swaps->n + v]
                 : swaps->change[(int64_t)v * swaps->n + u];
}

#endif
