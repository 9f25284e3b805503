/* Matchings for the exact method: fusion moves, tabu search and Frank-Wolfe; the cutoff that
 * follows from the best of them.
 *
 * In: matchings that the proof has met, or costs that guide the next move. Out: the cutoff, a
 * little below the best known value; matchings of at least the cutoff need not be searched. */
#ifndef GM_AJ_SEARCH_MATCHINGS_H
#define GM_AJ_SEARCH_MATCHINGS_H

#include "aj/model/cost_grid.h"
#include "base/run.h"
#include "fm/bca.h"
#include "fm/primal.h"
#include "moves/frank_wolfe.h"
#include "moves/local.h"

/* The work of a search for matchings, in nanoseconds of an ordinary machine, now and at its last
 * success. */
typedef struct aj_effort {
    double spent, success;
} aj_effort;

typedef struct aj_matchings {
    gm_run *run; /* has the best matching */
    const gm_index *index;
    const aj_grain *grain;
    double ceiling;      /* scaled: just above the user's cutoff, or +inf */
    double cutoff;       /* scaled, at most the ceiling */
    double cutoff_value; /* the value that it belongs to */
    int plain;           /* for tests: offered matchings are taken unchanged, and one is proposed */

    gm_primal fusion;
    gm_moves moves;
    gm_descent descent;
    gm_random random; /* of the descent's starts */
    int64_t n_descents;
    int descending;
    int64_t n_proposals;
    int64_t n_units;
    aj_effort fused, descended; /* fusion moves and tabu search; Frank-Wolfe */
    double spent_when_found;    /* of both, when the best matching was found */
    int32_t *slots;             /* n1: scratch */
} aj_matchings;

/* Takes memory of the pool. GM_OK or GM_ENOMEM. */
int aj_matchings_init(aj_matchings *matchings, gm_pool *pool, gm_run *run, const gm_index *index,
                      const aj_grain *grain, uint64_t seed);
void aj_matchings_clear(aj_matchings *matchings);

/* From now on matchings that cost more than `cutoff` are of no interest. */
void aj_matchings_limit(aj_matchings *matchings, double cutoff);

/* Takes a matching, improves it and fuses it with the best one, unless it is far off: AJ_FAR_OFF
 * gaps or more above `lower`, the scaled bound of the subproblem in which it was met. The matching
 * itself, its local optimum and its fusion are offered one by one: a subproblem counts as solved
 * once its own matching was seen. */
void aj_matchings_offer(aj_matchings *matchings, const int32_t *slots, double lower);

/* Whether a fusion move comes first, before any proof. */
int aj_matchings_must_begin(const aj_matchings *matchings);
/* One unit of work: a fusion move, a stretch of tabu search, or a Frank-Wolfe step. Every other
 * fusion move follows the costs of `guide`, if there is one. GM_OK or an error. */
int aj_matchings_advance(aj_matchings *matchings, gm_bca *guide);

double aj_matchings_spent(const aj_matchings *matchings);
/* Whether the last success lies within the later half (AJ_RECENT) of the effort. */
int aj_effort_is_recent(const aj_effort *effort);

#endif
