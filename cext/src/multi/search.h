/* The search for tracks: descents by two moves, and kicks between them.
 *
 * A descent *rematches* one graph after the other (see response.h) until a full turn brings
 * nothing, then lets tracks exchange members (see swap.h), and so on until neither helps. A kick
 * takes some graphs out, or dissolves some tracks, and puts the nodes back graph by graph; now and
 * then all of them. (Rematching, swapping and construction by responses are the moves of Kahl et
 * al., Towards optimizing large-scale multi-graph matching in bioimaging, CVPR 2025.)
 */
#ifndef GM_MULTI_SEARCH_H
#define GM_MULTI_SEARCH_H

#include "base/run.h"
#include "multi/response.h"
#include "multi/swap.h"

enum multi_phase { MULTI_INSERT, MULTI_REMATCH, MULTI_SWAP, MULTI_SETTLED };

typedef struct multi_search {
    const multi_graphs *graphs;
    multi_tracks tracks;
    multi_response response;
    multi_swap swap;
    gm_random random;
    enum multi_phase phase;
    int32_t *order; /* graphs to be put in, or in the order of this turn */
    int32_t n_order, at;
    int32_t quiet;     /* rematches since the last success */
    int32_t n_swapped; /* exchanges in this sweep */
    int32_t *labels;   /* scratch */
} multi_search;

void multi_search_take(multi_search *search, gm_pool *pool, const multi_graphs *graphs,
                       uint64_t seed);
void multi_search_free(multi_search *search);

/* All graphs out, to be put in one by one, in random order. */
void multi_search_from_nothing(multi_search *search);

/* A descent from the present tracks, or from labels. */
void multi_search_descend(multi_search *search);
void multi_search_from(multi_search *search, const int32_t *labels);

/* A kick of the present tracks, or of the run's where those are much better. */
void multi_search_kick(multi_search *search, const gm_run *run);

/* One unit of work: a graph is put in or matched anew, or a track exchanges members. Better tracks
 * go to the run. GM_OK or a negative status; phase is MULTI_SETTLED when the descent has ended. */
int multi_search_step(multi_search *search, gm_run *run);

/* The present tracks go to the run if they are better. */
void multi_search_offer(multi_search *search, gm_run *run);

#endif
