/* The semidefinite phase of the root, and the search below it where the problem is dense and
 * complete (docs/semidefinite.md).
 *
 * A node is a subproblem with its matrices. Its stages: a small tree of dual ascent on the costs
 * that it inherits; steps of ADMM, with deletions; a larger tree; branching. Problems of other
 * kinds have the root only, and its costs go to the ordinary search. */
#ifndef GM_AJ_SEMIDEFINITE_H
#define GM_AJ_SEMIDEFINITE_H

#include "aj/certificate.h"
#include "aj/dense.h"
#include "aj/proposals.h"
#include "aj/scratch.h"
#include "aj/sdp.h"

enum aj_node_stage { AJ_SMALL_TREE, AJ_STEPS, AJ_LARGE_TREE, AJ_BRANCHING };

/* What a node does next if not its stage: its first evaluation; or, once the cutoff is known that
 * follows from its proposals, what follows from an evaluation or after a matching. */
enum aj_node_wait { AJ_NO_WAIT, AJ_HANDED_OVER, AJ_EVALUATED, AJ_MATCHING_MET };

typedef struct aj_node {
    enum aj_node_stage stage;
    enum aj_node_wait wait;
    aj_sdp *sdp;
    aj_dense *dense;
    double lower;          /* bound on what this node still holds, */
    double before;         /* and the one before the last evaluation */
    int64_t due;           /* steps at the next evaluation */
    int64_t patience;      /* steps before which the stage does not end as hopeless */
    double last_values[2]; /* of the last two evaluations, */
    int64_t last_steps[2]; /* and when they were */
    int32_t n_children, next_child;
    int32_t *child; /* candidates of sdp->problem, most promising first */
    double *child_lower;
} aj_node;

enum aj_semidefinite_mode { AJ_SDP_NEVER, AJ_SDP_WHERE_STALLED, AJ_SDP_AT_ONCE };

typedef struct aj_semidefinite {
    enum aj_semidefinite_mode mode;
    int fix, branch;
    gm_lapack *lapack; /* NULL: there is no such phase */
    int asked, tried;  /* for LAPACK; whether the phase has begun, or cannot */
    double deadline;   /* by the clock: the time limit, */
    double step_time;  /* the longest step so far, */
    int out_of_time;   /* no step fits in before the deadline: nothing was done */
    double elapsed;    /* and that of the present one */
    double spent;      /* of the last unit of work, estimated in nanoseconds */
    double lower;      /* bound on all that is open */
    aj_node *nodes;    /* from the root to the present one */
    int32_t n_nodes;
    aj_symmetry *symmetry; /* found when the first tree is made */
    int32_t *picks;        /* scratch: candidate of each node */
} aj_semidefinite;

/* What the phase has come to; negative numbers are errors. */
enum aj_semidefinite_event {
    AJ_SDP_GOES_ON,
    AJ_SDP_NEEDS_CUTOFF, /* the unit goes on with the cutoff that follows from its proposals */
    AJ_SDP_PROVEN,       /* nothing is left */
    AJ_SDP_ENDS          /* nothing more can be gained here */
};

/* Takes memory; look at pool->failed afterwards. */
void aj_semidefinite_take(aj_semidefinite *phase, gm_pool *pool, int32_t n_nodes);
void aj_semidefinite_clear(aj_semidefinite *phase);

/* Whether the phase is still to come for this root, and it is not too large. */
int aj_semidefinite_fits(const aj_semidefinite *phase, const aj_problem *root);
/* Estimated nanoseconds of one of its steps on a problem of so many variables. */
double aj_semidefinite_step_work(int32_t n_variables);
/* Begins with a root of this bound; where LAPACK is missing it is asked for first. GM_OK or
 * GM_ENOMEM; the phase has begun where it has nodes. */
int aj_semidefinite_begin(aj_semidefinite *phase, const aj_problem *root, double lower,
                          aj_scratch *scratch);
/* One step, one small subproblem, or one child. */
int aj_semidefinite_advance(aj_semidefinite *phase, aj_scratch *scratch, aj_proposals *proposals,
                            aj_certified *certified, double cutoff);
/* Whether the root has come so far that its children are searched, each by itself. */
int aj_semidefinite_has_branched(const aj_semidefinite *phase);
/* A bound on what the children hold that the stack has not opened yet; +inf without any. */
double aj_semidefinite_waiting(const aj_semidefinite *phase);
/* Gives the next child of the lowest node that has one below the cutoff, and has more to do
 * besides if it is a `part`, to another phase, which is empty. 1, 0 where there is none or a
 * proposal was made, or a negative status. */
int aj_semidefinite_hand_over(aj_semidefinite *from, aj_scratch *scratch, aj_proposals *proposals,
                              aj_semidefinite *to, aj_scratch *to_scratch, double cutoff, int part);
/* After AJ_SDP_ENDS: the problem that is left, with the changed costs where there are any; the
 * phase is over. See aj_sdp_release. */
aj_problem *aj_semidefinite_release(aj_semidefinite *phase, double tolerance);

#endif
