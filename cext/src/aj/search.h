/* The search of the exact method: its state, and what its files share.
 *
 * aj.c             the kernel, and whose turn it is: matchings or the proof
 * aj_matchings.c   matchings: fusion moves, tabu search, Frank-Wolfe, rounding; the cutoff
 * aj_search.c      the proof: ascent, bound, fixing, branching
 *
 * A stack of frames holds the path from the root to the current subproblem (depth first). Every
 * deletion and every pruned subproblem is justified against the cutoff, a little below the best
 * known value: whatever is thrown away costs at least the cutoff. The bound is therefore the
 * smaller of the cutoff and the least bound of what is still open. Decisions depend on iteration
 * counts and estimated work only, never on the clock. Unlike the other kernels this one allocates
 * in step: the root, and then each rebuilt problem, which is smaller than the one it replaces
 * except when it is lifted to full tables.
 */
#ifndef GM_AJ_SEARCH_H
#define GM_AJ_SEARCH_H

#include "aj/aj.h"
#include "aj/semidefinite.h"
#include "aj/twins.h"
#include "base/run.h"
#include "fm/bca.h"
#include "fm/primal.h"
#include "moves/frank_wolfe.h"
#include "moves/local.h"

enum {
    AJ_REGION = 64
}; /* nodes: what counts as large has several regions, which get stuck independently */
static const double AJ_GRAIN_SLACK = 5e-3; /* of the grain; far above the rounding of 2^40 grains */

enum aj_phase { EVALUATE, ASCEND, BRANCH, SEMIDEFINITE };

typedef struct aj_frame {
    aj_problem *problem; /* and its ascent; NULL while they are put aside */
    aj_pdhg *pdhg;
    double lower; /* bound on what this frame still holds */
    double last;  /* value of the previous evaluation */
    enum aj_phase phase;
    int stalled, lifted;
    double interval;
    int64_t due; /* step count of the next evaluation */
    int32_t n_children, next_child;
    int32_t *child; /* keys of the branching node's candidates, most promising first */
    double *child_lower;
} aj_frame;

/* Work that a search for matchings has done, in nanoseconds of an ordinary machine, and had done at
 * its last success. */
typedef struct aj_effort {
    double work, success;
} aj_effort;

typedef struct aj_search {
    gm_run run;
    gm_index *index;
    double scale;
    double grain;        /* all costs are multiples of it; 0 = unknown */
    double grain_error;  /* by how much a matching's cost can miss one; 0: costs are integers */
    double ceiling;      /* scaled: just above the user's cutoff, or +inf */
    double cutoff;       /* scaled, at most the ceiling */
    double cutoff_value; /* the value that it belongs to */
    int branch, fix, certify, plain;
    int64_t lift_limit;
    double memory; /* bytes for the problems of the path below the root */

    /* matchings */
    gm_primal fusion;
    gm_moves moves;
    gm_descent descent;
    gm_random random; /* of the descent's starts */
    int64_t n_descents;
    int descending;
    int64_t n_proposals;
    aj_effort fused, descended; /* fusion moves and tabu search; Frank-Wolfe */
    double found_work;          /* of both, when the best matching was found */
    int32_t *slots, *picks;     /* n1 each */

    /* the proof */
    int opened;       /* the root has been built */
    int whole;        /* the root is still the whole problem */
    double root_work; /* of building the root, */
    double work;      /* and all done so far, in the same unit as that for matchings */
    gm_bca *bca; /* only at the start: before the root of a large problem, and where all links are
                    full tables */
    int sweeping, sweeps;
    double swept; /* its bound, scaled */
    double window_bound;
    aj_bound *bound;
    uint8_t *candidates, *entries; /* masks */
    int32_t room_n, room_mu, room_nu;
    int64_t room_m;
    aj_frame *frames;
    int32_t depth;
    aj_certificate *certificate;
    aj_twins *twins;     /* found when branching begins */
    int32_t *class_seen; /* scratch of label classes: the last node + 1 that has one */

    /* the semidefinite phase of the root */
    gm_lapack *lapack;
    int lapack_asked, sdp_mode, sdp_tried;
    double deadline, sdp_seconds; /* by the clock: the time limit, and the longest step so far */
    aj_node *nodes;               /* from the root to the present one */
    aj_symmetry *symmetry;        /* found when the first tree is made */
    int32_t n_nodes;

    int64_t entries_done; /* by all steps so far */
    gm_pool pool;
} aj_search;

/* ---- matchings */

/* GM_OK or GM_ENOMEM. */
int aj_matchings_new(aj_search *S, uint64_t seed);
/* From now on matchings that cost more than `cutoff` are of no interest. */
void aj_matchings_limit(aj_search *S, double cutoff);
/* Improves the matching in S->slots and fuses it into the incumbent. Each stage is offered by
 * itself: a subproblem counts as solved once its matching was seen, whatever local search and
 * fusion make of it. */
void aj_polish(aj_search *S);
/* Puts the matching that takes pick[i] in every undecided node i into S->slots. */
void aj_collect(aj_search *S, const aj_problem *P, const int32_t *pick);
/* The master LAP's matching; at the root also x, rounded. */
void aj_try_matchings(aj_search *S, const aj_frame *F);
/* Whether the next unit of work should go into matchings. */
int aj_matchings_turn(const aj_search *S);
/* One unit of work: a fusion move, a stretch of tabu search, or a Frank-Wolfe step. */
int aj_matchings_work(aj_search *S);

/* ---- the proof */

int aj_search_new(aj_search *S); /* GM_OK or GM_ENOMEM */
/* One unit of work: a sweep, building the root, a step, an evaluation or a subproblem. Once opened,
 * depth = 0 means that nothing is left. */
int aj_search_work(aj_search *S);
void aj_search_raise(aj_search *S);
void aj_search_clear(aj_search *S);

/* ---- frames */

void aj_search_close_frame(aj_search *S);
/* Puts what the masks left of `from` into frame F (which may be from's own). Returns 1, 0 when
 * nothing is left to search, or a negative status. */
int aj_frame_reduce(aj_search *S, aj_frame *F, const aj_problem *from, const aj_pdhg *warm);
/* All links of the frame become full tables. GM_OK or GM_ENOMEM. */
int aj_frame_lift(aj_search *S, aj_frame *F);
/* A candidate of any subproblem by a number that does not change: its slot, or -1 - node for the
 * dummy of a node. */
int32_t aj_frame_key(const aj_search *S, const aj_problem *P, int32_t p);
int32_t aj_frame_find(const aj_search *S, const aj_problem *P, int32_t key); /* or -1 */
/* Puts problems aside, those nearest to the root first, until the rest fits into S->memory. */
void aj_frames_put_aside(aj_search *S);
/* Makes the problem of frame d again from the decisions that led to it; what had been deleted since
 * may be back. Returns as aj_frame_reduce. */
int aj_frame_restore(aj_search *S, int32_t d);
/* Scratch for this problem and all that it had room for before: the frames below still need it.
 * GM_OK or GM_ENOMEM. */
int aj_search_room(aj_search *S, const aj_problem *P);
void aj_search_fill_masks(aj_search *S, const aj_problem *P);

/* ---- the semidefinite phase */

int aj_semidefinite_wanted(const aj_search *S, const aj_frame *F);
int aj_semidefinite_begin(aj_search *S, aj_frame *F);
/* One step, one small subproblem, or one child. */
int aj_semidefinite_work(aj_search *S, aj_frame *F);
void aj_semidefinite_clear(aj_search *S);

#endif
