/* The proof of the exact method: branch and bound over subproblems, one small unit of work after
 * the other.
 *
 * In: the cutoff. Every deletion and every pruned subproblem is justified against it: a deleted
 * matching costs at least the cutoff of that moment. Out: a bound on the open subproblems, and
 * matchings that were met. The tree knows nothing of the search for matchings; a unit of work that
 * needs the cutoff that follows from its proposals says so, and is resumed. Decisions depend on
 * counts and estimated work only, never on the clock.
 *
 * Unlike other kernels this one allocates while it works: the root, and then each rebuilt problem,
 * which is smaller than the one it replaces except when it is lifted to full tables. */
#ifndef GM_AJ_TREE_TREE_H
#define GM_AJ_TREE_TREE_H

#include "aj/lp/sweeps.h"
#include "aj/sdp/phase.h"
#include "aj/sdp/rounds.h"
#include "aj/tree/branching.h"
#include "aj/tree/node_stack.h"

typedef struct aj_tree {
    const gm_index *index;
    double scale;
    int branch, fix;
    int64_t lift_limit;

    aj_sweeps sweeps;
    aj_path path;
    aj_leaves leaves;            /* that the root opens instead of children, if there are any, */
    const gm_aj_root *kept_root; /* and the root that they belong to, or NULL: it is made again */
    aj_branching branching;
    aj_semidefinite semidefinite;
    aj_rounds rounds;        /* of its children */
    int64_t units_remaining; /* in: until the iteration limit; a round takes no more */
    double width;            /* in, scaled: from the cutoff to the best value */
    aj_scratch scratch;
    aj_certified certified;
    int32_t *picks;         /* scratch: candidate of each node */
    aj_proposals proposals; /* out; the caller that takes them sets n = 0 */

    int opened;  /* the root has been built */
    int waiting; /* the unit of work is to be resumed */
    /* work, estimated in nanoseconds of an ordinary machine */
    double root_work;     /* of building the root */
    double spent;         /* on the proof so far */
    double beside;        /* on sweeps while a large root waits, which do not count as proof */
    double chance;        /* branching gives way to the semidefinite phase at this; 0: not set */
    double chance_from;   /* and began at this */
    int64_t entries_done; /* sum of the entries over all steps */
    int64_t n_units;
    gm_pool pool;
} aj_tree;

/* The outcome of a unit of work; negative numbers are errors. */
enum aj_event {
    AJ_WENT_ON,      /* nothing that the bound depends on has changed */
    AJ_PROVED,       /* the bound may have risen */
    AJ_NEEDS_CUTOFF, /* the unit is to be resumed at once with the cutoff of its proposals */
    AJ_CONVERGED     /* more would need branching, which is not wanted */
};

/* The options are set before. Takes no memory, and knows no bound. */
void aj_tree_init(aj_tree *tree, const gm_index *index, double scale);
/* Takes the memory that the first unit of work needs. GM_OK or GM_ENOMEM. */
int aj_tree_begin(aj_tree *tree);
void aj_tree_clear(aj_tree *tree);

/* One unit of work: a sweep, building the root, a step, an evaluation or a subproblem. An enum
 * aj_event or an error. */
int aj_tree_advance(aj_tree *tree, double cutoff);
/* Whether a sweep is worth its time while a large root waits for the search for matchings. Its work
 * does not count as the proof's, since matchings get a ratio of that. */
int aj_tree_can_sweep_beside(const aj_tree *tree);
/* Such a sweep. An enum aj_event or an error. */
int aj_tree_sweep_beside(aj_tree *tree, double cutoff);

/* Whether a semidefinite phase with trees for dense problems may still come. */
int aj_tree_expects_dense(const aj_tree *tree);
/* Whether everything is searched. */
int aj_tree_is_done(const aj_tree *tree);
/* The subproblems that are open below the cutoff, between two units of work of a run that was not
 * cut. GM_OK or GM_ENOMEM. */
int aj_tree_list_open(const aj_tree *tree, double cutoff, aj_leaves *open);
/* Fills *root with the semidefinite root if its children are searched, for a later run, until the
 * next unit of work. Returns whether it did. */
int aj_tree_lend_root(const aj_tree *tree, gm_aj_root *root);
/* The semidefinite root branches now if its tree is not expected to end soon. GM_OK or GM_ENOMEM.
 */
int aj_tree_branch_now(aj_tree *tree, double cutoff);
/* Forgets about half of the unopened subproblems of one parent, near the root: another run has
 * them. Lends the parent if it is a node of the semidefinite phase, until the next unit of work.
 * Returns how many. */
int32_t aj_tree_drop(aj_tree *tree, double cutoff, gm_aj_root *parent);
/* Scaled: every matching costs at least this, or the least cutoff so far. */
double aj_tree_lower(const aj_tree *tree);

#endif
