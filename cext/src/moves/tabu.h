/* Tabu search over matchings: Taillard's robust taboo search for the quadratic assignment problem
 * (Parallel Computing 17, 1991), for sparse costs and matchings that need not be complete.
 *
 * A step makes the cheapest of all moves, even if it raises the cost: a node takes a free label,
 * two nodes swap labels, or, unless the matching must be complete, a node takes another node's
 * label or gives up its own. A slot that was given up is banned for a random number of steps, so
 * that the search leaves a local optimum. A move that leads to a matching better than all before is
 * allowed in any case (Taillard's aspiration).
 *
 * For each slot p of a node i the change of cost by its moves is kept except for the prices
 * (moves/local.h): a step evaluates all moves in O(slots) and afterwards recomputes only those of
 * the nodes that moved.
 */
#ifndef GM_MOVES_TABU_H
#define GM_MOVES_TABU_H

#include "base/random.h"
#include "moves/local.h"

typedef struct gm_tabu {
    gm_moves moves;
    /* Per slot p of a node i; its owner is the node that has p's label now, if any does. */
    int32_t *partner; /* the slot that the owner gets if both swap labels; p itself = they cannot */
    double *swap;     /* if they swap: pair cost of the slots given up and of the new ones; +inf =
                         they cannot */
    double *ejection; /* if i takes p and the owner gets nothing: pair cost of the slots given up,
                         0 without an owner; +inf = no such move */
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

/* The work of one step, in nanoseconds of an ordinary machine (moves/policy.h). */
double gm_tabu_work(const gm_index *index);

#endif
