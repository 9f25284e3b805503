/* Swaps of a quadratic assignment with sparse matrices: O(n + entries) memory, no table of n^2.
 *
 *   f(p) = sum_ik A_ik B_p(i)p(k) + sum_i C_i,p(i)
 *
 * own_i is the cost of node i with all others. The swaps of one node i that has label a are priced
 * together: r_t, the cost of i at label t, and c_j, the cost of node j at label a, differ
 * from zero only two links away,
 *
 *   change_ij = r_p(j) + c_j - own_i - own_j + (A_ij + A_ji)(B_p(i)p(j) + B_p(j)p(i)) + linear
 *
 * where linear is the change of the C terms. Of overlaps (gm_align) every product is a minimum. So
 * that takes O(degree^2), and a swap itself O(degree). Nodes from n1 and labels from n2 on are
 * dummies without links.
 */
#ifndef GM_QAP_ALIGN_H
#define GM_QAP_ALIGN_H

#include "base/pool.h"
#include "gm.h"

typedef struct gm_aligned {
    const gm_align *model;
    int32_t n;        /* nodes and labels, dummies included */
    int32_t *at, *of; /* label of each node, node of each label */
    double *own;      /* per node */
    double cost;
    double *at_label, *at_node;   /* r and c, zero but for the touched nodes and their labels */
    double *link_out, *link_in;   /* A_ij and A_ji of the node i priced now, */
    double *label_out, *label_in; /* B_at and B_ta of its label */
    int32_t *touched;             /* nodes j whose swap with i was priced */
    uint8_t *is_touched;
    double *mark_out, *mark_in; /* links of one node, scratch */
    int64_t n_looked;           /* links looked at since the start, a measure of work */
    int64_t n_swaps; /* since everything was computed again: their rounding errors add up */
} gm_aligned;

/* The cost of arcs of weights a and b together. */
static inline double gm_align_pay(const gm_align *model, double a, double b)
{
    if (model->overlap == 0.0)
        return a * b;
    return model->overlap * (a < b ? a : b);
}

/* Takes memory; look at pool->failed afterwards. The model is borrowed. */
void gm_aligned_take(gm_aligned *aligned, gm_pool *pool, const gm_align *model);

/* Computes everything again for a permutation of all n. */
void gm_aligned_load(gm_aligned *aligned, const int32_t *at);

/* Swaps the labels of nodes i and j. */
void gm_aligned_swap(gm_aligned *aligned, int32_t i, int32_t j);

/* Prices the swaps of node i. Returns how many: touched[0 .. result-1] are the nodes j, at_node[j]
 * the changes of cost (infinite for i itself), until gm_aligned_forget. */
int32_t gm_aligned_price(gm_aligned *aligned, int32_t i);
void gm_aligned_forget(gm_aligned *aligned, int32_t n_touched);

#endif
