/* The cost of the other nodes if a candidate is taken, by the reduced costs of an evaluation.
 *
 * With l the reduced costs of the master problem and r those of the stars, all at least 0, every
 * matching costs at least
 *
 *     the bound + sum of l_q over its candidates + sum of r_{q->q'} over its ordered pairs,
 *
 * where r_{q->q'} of two candidates that have no entry is the cost of leaving q's row for the node
 * of q' free. So with p taken every other node pays at least the least of l_q + r_{p->q} + r_{q->p}
 * over its candidates q that go with p. */
#ifndef GM_AJ_TREE_LOOKAHEAD_H
#define GM_AJ_TREE_LOOKAHEAD_H

#include "aj/aj.h"

typedef struct aj_ahead {
    int32_t *row_owner, *row_node;    /* n_mu: the candidate whose star it is, and its node */
    int32_t *by_node_start, *by_node; /* rows for each node */
    int64_t *link_start;              /* n + 1: entries of each candidate, */
    int64_t *entry;                   /* 2m */
    /* scratch of a node i, per candidate q of any other node */
    double *own;   /* l_q plus the cost of q's row for i of staying free */
    double *pay;   /* the same with p taken */
    double *least; /* n_nodes: of own, over the candidates of a node */
    int32_t n_linked, n_touched;
    int32_t *linked, *touched; /* nodes with rows for i; nodes whose costs depend on p */
    uint8_t *is_touched;
    double *increase; /* n: out */
    gm_pool pool;
} aj_ahead;

/* Made for a problem, replacing the old content. GM_OK or GM_ENOMEM. */
int aj_ahead_fit(aj_ahead *ahead, const aj_problem *problem);
void aj_ahead_clear(aj_ahead *ahead);
/* Fills `increase`, rounded down, by the last evaluation of this problem. */
void aj_ahead_look(aj_ahead *ahead, const aj_problem *problem, const aj_bound *bound);

#endif
