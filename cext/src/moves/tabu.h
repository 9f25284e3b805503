/* Tabu search over matchings (Taillard, Robust taboo search for the quadratic assignment problem,
 * 1991, for sparse costs and matchings that need not be complete).
 *
 * A step makes the cheapest of all moves: a node takes a free label, two nodes swap labels, or,
 * unless the matching must be complete, a node takes another one's label or gives up its own. What
 * was given up must not be taken back for some time, of random length, so that the search walks out
 * of a local optimum; a move that leads to the best matching so far is always allowed.
 *
 * Each slot remembers what its move costs beside the prices (see local.h); a step evaluates all
 * moves in O(slots) and afterwards corrects only those of the nodes that moved.
 */
#ifndef GM_MOVES_TABU_H
#define GM_MOVES_TABU_H

#include "base/random.h"
#include "moves/local.h"

typedef struct gm_tabu {
    gm_moves moves;
    int32_t
        *partner; /* per slot p: what the owner of p's label gets in a swap; p itself = no swap */
    double *together; /* where p's node takes the label and its owner gets none: pair cost of the
                         slots given up; +inf = no such move */
    double *swapped;  /* where they swap: the same and the pair cost of the two new slots; +inf = no
                         such move */
    double *paid;     /* per label: price of the slot that has it, scratch */
    int64_t *until;   /* per slot: the first step that may take it again */
    int64_t *idle_until; /* per node: the first step that may unmatch it again */
    int64_t step;
    double cost, best_cost;
    int32_t *best; /* best matching since the start */
} gm_tabu;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_tabu_take(gm_tabu *tabu, gm_pool *pool, const gm_index *index);

/* Starts from a matching of the given cost. */
void gm_tabu_start(gm_tabu *tabu, const int32_t *slots, double cost);

/* One move. Returns 1 if it led to a matching better than all since the start. */
int gm_tabu_step(gm_tabu *tabu, gm_random *random);

/* Estimated cost of one step, in nanoseconds of an ordinary machine. */
double gm_tabu_work(const gm_index *index);

#endif
