/* Open subproblems as lists of decisions, from which an interrupted search is continued.
 *
 * A leaf is the set of all matchings that agree with its decisions. Together the leaves of a search
 * hold every matching that costs less than the cutoff, or one of the same cost. Decisions are keys
 * of candidates (node_stack.h): a slot, or -1 - node for a node that stays unmatched. A search that
 * begins with leaves redoes the root and opens them instead of the root's children. */
#ifndef GM_AJ_TREE_LEAVES_H
#define GM_AJ_TREE_LEAVES_H

#include "aj/scratch.h"

typedef struct aj_leaves {
    int32_t n, first; /* first .. n - 1 are open */
    int64_t n_keys;
    int64_t *start; /* n + 1: leaf k has the keys start[k] .. start[k + 1] - 1 */
    int32_t *key;
    double *lower;  /* n: scaled bound on its matchings; ascending when a search begins */
    double *weight; /* n: its share of the whole tree, as estimated when it was made */
    int32_t room;   /* for leaves, */
    int64_t key_room;
    int failed; /* no memory: the list is not complete */
} aj_leaves;

/* The children of a subproblem that branches. */
typedef struct aj_children {
    int32_t n, next; /* next .. n - 1 are not opened yet */
    int32_t *child;  /* candidates, most promising first, or numbers of leaves */
    double *lower, *weight;
    const aj_leaves *leaves; /* NULL, or those that a root opens instead of its own children */
} aj_children;

/* Memory for n children, of which it has none yet. GM_OK or GM_ENOMEM. */
int aj_children_take(aj_children *children, int32_t n);
void aj_children_forget(aj_children *children);
/* The open leaves become the children of a root with this bound. GM_OK or GM_ENOMEM. */
int aj_children_adopt(aj_children *children, const aj_leaves *leaves, double lower);

/* Forgets every second child below the cutoff that is not opened yet; keep_one: but one at least.
 * Returns how many. The others stay in their order. */
int32_t aj_children_drop(aj_children *children, double cutoff, int keep_one);

void aj_leaves_clear(aj_leaves *leaves);
/* Forgets all leaves, but not their memory. */
void aj_leaves_empty(aj_leaves *leaves);
/* Adds a leaf without decisions; the next decisions are its own. */
void aj_leaves_add(aj_leaves *leaves, double lower, double weight);
void aj_leaves_add_decision(aj_leaves *leaves, int32_t key);
/* Adds the open leaves of another list. */
void aj_leaves_add_open(aj_leaves *leaves, const aj_leaves *from);
/* Adds the decisions of leaf k of another list. */
void aj_leaves_add_decisions_of(aj_leaves *leaves, const aj_leaves *from, int32_t k);
/* Adds the decisions that a subproblem follows from: all nodes of the model that it lacks. */
void aj_leaves_add_chosen(aj_leaves *leaves, const gm_index *index, const aj_problem *problem);

/* Makes the decisions of leaf k in the masks; *last is the last candidate decided, or -1.
 * AJ_EMPTY: the problem, or an earlier decision, has deleted one of its candidates. */
int aj_leaves_decide(const aj_leaves *leaves, int32_t k, const gm_index *index,
                     const aj_problem *problem, aj_scratch *scratch, int32_t *last);

/* Divides the weight of a subproblem among its n children by the sizes that branching guesses for
 * them: exp(-rate (lower - own) / (cutoff - own)). */
void aj_share_weight(double weight, double own, double cutoff, int32_t n, const double *lower,
                     double *share);

#endif
