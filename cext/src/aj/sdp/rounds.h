/* The children of the semidefinite root, searched side by side, with an answer that does not depend
 * on how many threads do it.
 *
 * A task is a subproblem with the whole state of its search. Rounds: every open task gets the same
 * amount of estimated work and the cutoff of the round's beginning, and nothing that one task does
 * is seen by another before the round is over. Then their matchings are collected, in their order,
 * and finished tasks make place for the next children; when the root has no more, tasks give some
 * of theirs. So everything depends on the numbering alone. The time limit may interrupt a round;
 * the next call continues it. */
#ifndef GM_AJ_SDP_ROUNDS_H
#define GM_AJ_SDP_ROUNDS_H

#include "aj/sdp/phase.h"

enum { AJ_TASKS = 4 }; /* open at a time */

typedef struct aj_task {
    aj_semidefinite phase;
    aj_scratch scratch;
    aj_proposals proposals;
    aj_certified certified;  /* none is wanted */
    double granted;          /* work that it may still do in the present round, */
    int64_t units_remaining; /* and units */
    double spent;            /* work done in the present round, */
    int64_t units;           /* and units */
    int status;              /* GM_OK or an error */
    gm_watch watch;          /* the run's, for its thread */
    int32_t *best;           /* slots of the best matching of the round, */
    double best_cost;        /* and its cost, or +inf */
    uint8_t *chosen;         /* scratch */
    gm_pool pool;
} aj_task;

typedef struct aj_rounds {
    const gm_index *index;
    int32_t n_tasks, most_tasks;
    aj_task *tasks[AJ_TASKS];
    int going_on; /* a round has begun */
    double grant; /* work of each task in a round */
    double cutoff;
    double lower;        /* bound on all that is open */
    int64_t reserved;    /* units that the round may take */
    double given_work;   /* spent in the present round by tasks that were given away, */
    int64_t given_units; /* and units */
} aj_rounds;

/* Begins a round of at most `units` units; the root gives its children to new tasks, as many as
 * `memory` bytes allow. GM_OK or GM_ENOMEM. */
int aj_rounds_begin(aj_rounds *rounds, aj_semidefinite *root, aj_scratch *scratch,
                    aj_proposals *proposals, const gm_index *index, double memory, double cutoff,
                    int64_t units);
/* The first task that may do more in this round, or -1. */
int32_t aj_rounds_next(const aj_rounds *rounds);
/* One unit of work of a task. Several threads may call it, each for another task. */
void aj_rounds_unit(aj_rounds *rounds, int32_t task);
/* Whether the run was over in the middle of a task's unit. */
int aj_rounds_were_cut(const aj_rounds *rounds);
/* Whether a task may do more in this round. */
int aj_rounds_is_open(const aj_rounds *rounds, int32_t task);
/* Ends the round: adds work and units to the totals, proposes the best matching, raises the
 * bound. GM_OK or the first task's error. */
int aj_rounds_end(aj_rounds *rounds, const aj_semidefinite *root, aj_proposals *proposals,
                  double *spent, int64_t *units);
/* Whether neither the root nor a task has anything below the cutoff. */
int aj_rounds_are_over(const aj_rounds *rounds, const aj_semidefinite *root, double cutoff);
/* Forgets every other task that has not come farther than its first tree, for another run that
 * begins it again. Returns how many. */
int32_t aj_rounds_drop(aj_rounds *rounds);
void aj_rounds_clear(aj_rounds *rounds);

#endif
