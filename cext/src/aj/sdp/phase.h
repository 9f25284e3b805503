/* The semidefinite phase of the root, and the search below it if the problem is dense and complete
 * (docs/semidefinite.md).
 *
 * A node is a subproblem with its matrices; a stack holds the path from the root to the present
 * one. The stages of a node: a small tree of dual ascent on the costs that it inherits; steps of
 * ADMM, with deletions; a larger tree; branching. The root begins with the steps. Problems of other
 * kinds have the root only, and its costs go to the ordinary search.
 *
 * phase.c has the stack and the children, node.c the steps of one node. */
#ifndef GM_AJ_SDP_PHASE_H
#define GM_AJ_SDP_PHASE_H

#include "aj/lp/certificate.h"
#include "aj/scratch.h"
#include "aj/sdp/relaxation.h"
#include "aj/search/proposals.h"
#include "aj/tree/dense.h"
#include "aj/tree/leaves.h"
#include "base/random.h"

enum aj_node_stage { AJ_SMALL_TREE, AJ_STEPS, AJ_LARGE_TREE, AJ_BRANCHING };

/* The step of a node before it continues its stage: nothing; its first evaluation; or, after its
 * proposals have changed the cutoff, the consequences of an evaluation or of a matching that its
 * tree has met. */
enum aj_node_wait { AJ_NO_WAIT, AJ_HANDED_OVER, AJ_EVALUATED, AJ_MATCHING_MET };

typedef struct aj_node {
    enum aj_node_stage stage;
    enum aj_node_wait wait;
    aj_sdp *sdp;
    aj_dense *dense;       /* the tree of the present stage, or NULL */
    double lower;          /* bound on the rest of this node, */
    double before;         /* and the one before the last evaluation */
    int64_t due;           /* steps at the next evaluation */
    int64_t patience;      /* steps before which the stage does not end as hopeless */
    double last_values[2]; /* of the last two evaluations, */
    int64_t last_steps[2]; /* and when they were */
    double mark_value;     /* the bound at an earlier evaluation, */
    int64_t mark_steps;    /* and when it was */
    aj_children children;  /* candidates of sdp->problem */
    double weight;         /* its share of the whole tree: see leaves.h */
} aj_node;

enum aj_semidefinite_mode { AJ_SDP_NEVER, AJ_SDP_WHERE_STALLED, AJ_SDP_AT_ONCE };

typedef struct aj_semidefinite {
    enum aj_semidefinite_mode mode;
    int fix, branch;
    gm_lapack *lapack; /* NULL: without this phase */
    int asked;         /* for LAPACK, which was missing */
    int tried;         /* the phase has begun, or cannot */
    double deadline;   /* by the clock: the time limit */
    double step_time;  /* of the longest step so far */
    double elapsed;    /* of the present unit of work */
    int out_of_time;   /* no step fits in before the deadline: nothing was done */
    double spent;      /* work of the last unit, estimated in nanoseconds */
    double lower;      /* bound on all that is open */
    aj_node *nodes;    /* from the root to the present one */
    int32_t n_nodes;
    aj_symmetry *symmetry; /* found when the first tree is made */
    gm_random *probe;      /* NULL, or a node keeps one of its children, chosen by their weights */
    int32_t *picks;        /* scratch: candidate of each node */
} aj_semidefinite;

/* The outcome of a unit of work; negative numbers are errors. */
enum aj_semidefinite_event {
    AJ_SDP_GOES_ON,
    AJ_SDP_NEEDS_CUTOFF, /* the unit is to be resumed with the cutoff of its proposals */
    AJ_SDP_PROVEN,       /* nothing remains that is better than the cutoff */
    AJ_SDP_ENDS          /* the phase cannot gain more */
};

/* Takes memory; look at pool->failed afterwards. */
void aj_semidefinite_take(aj_semidefinite *phase, gm_pool *pool, int32_t n_nodes);
void aj_semidefinite_clear(aj_semidefinite *phase);

/* Whether the phase is still to come for this root, and it is not too large. */
int aj_semidefinite_fits(const aj_semidefinite *phase, const aj_problem *root);
/* Estimated nanoseconds of one of its steps on a problem of n variables. */
double aj_semidefinite_step_work(int32_t n_variables);
/* Begins with a root of this bound; if LAPACK is not loaded, the caller is asked for it first.
 * GM_OK or GM_ENOMEM; the phase has begun if it has nodes. */
int aj_semidefinite_begin(aj_semidefinite *phase, const aj_problem *root, double lower,
                          aj_scratch *scratch);
/* Begins with a root that was made before (its deletions are those of a search with the same
 * matchings of interest), and branches into the leaves; asks for LAPACK as above. GM_OK or an error
 * of aj_kept_root_make. */
int aj_semidefinite_restore(aj_semidefinite *phase, const gm_aj_root *root, const gm_index *index,
                            double scale, aj_scratch *scratch, const aj_leaves *leaves);
/* One unit of work of the present node: a step, a subproblem of its tree, or a child. An enum
 * aj_semidefinite_event or GM_ENOMEM. */
int aj_semidefinite_advance(aj_semidefinite *phase, aj_scratch *scratch, aj_proposals *proposals,
                            aj_certified *certified, double cutoff);
/* Whether the root has come so far that its children are searched, each by itself. */
int aj_semidefinite_has_branched(const aj_semidefinite *phase);
/* A root whose steps are over branches into these leaves, if it has not done so, instead of a tree
 * and children of its own. GM_OK or GM_ENOMEM. */
int aj_semidefinite_adopt(aj_semidefinite *phase, const aj_leaves *leaves);
/* A root whose large tree is not expected to end within its quota branches now. GM_OK or GM_ENOMEM.
 */
int aj_semidefinite_branch_now(aj_semidefinite *phase, double cutoff);
/* Adds all that is open below the cutoff to a list of leaves. */
void aj_semidefinite_list_open(const aj_semidefinite *phase, const gm_index *index, double cutoff,
                               aj_leaves *open);
/* Forgets half of the unopened children of the node nearest to the root that has some, and lends
 * that node, if it can be kept. Returns how many. */
int32_t aj_semidefinite_drop(aj_semidefinite *phase, const gm_index *index, double cutoff,
                             gm_aj_root *giver);
/* A bound on the children that were not opened yet; +inf without any. */
double aj_semidefinite_find_unopened(const aj_semidefinite *phase);
/* Gives a child, the next one of the node nearest to the root that has one below the cutoff, to
 * another phase, which is empty. keep_one: not if it is the last of the present node, so that the
 * giver has something to do. Returns 1, 0 if there is none or a proposal was made, or GM_ENOMEM.
 */
int aj_semidefinite_hand_over(aj_semidefinite *from, aj_scratch *scratch, aj_proposals *proposals,
                              aj_semidefinite *to, aj_scratch *to_scratch, gm_watch *to_watch,
                              double cutoff, int keep_one);
/* After AJ_SDP_ENDS: the problem that remains, with the changed costs if there are any; the phase
 * is over. See aj_sdp_release. */
aj_problem *aj_semidefinite_release(aj_semidefinite *phase, double tolerance);

#endif
