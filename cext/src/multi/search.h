/* The search for tracks: descents by two moves, and kicks between them.
 *
 * A descent *rematches* one graph after the other (see response.h) until a full turn gains nothing,
 * then lets tracks exchange members (see swap.h), and so on until neither gains. A kick takes some
 * or all graphs out, or dissolves some tracks, and puts the nodes back in graph by graph.
 * (Rematching, swapping and construction by responses are the moves of Kahl et al., Towards
 * optimizing large-scale multi-graph matching in bioimaging, CVPR 2025.)
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
    int32_t *order;      /* graphs to be put in, or to be rematched in this turn */
    int32_t n_order, at; /* how many; the next one, or the next track to exchange members */
    int32_t n_vain;      /* rematches since the last success */
    int32_t n_exchanges; /* in this pass over all tracks */
    int32_t *labels;     /* scratch */
} multi_search;

/* Takes memory; look at pool->failed afterwards. multi_search_free follows in any case. */
void multi_search_take(multi_search *search, gm_pool *pool, const multi_graphs *graphs,
                       uint64_t seed);
void multi_search_free(multi_search *search);

/* Takes all graphs out, to be put in one by one, in random order. */
void multi_search_from_nothing(multi_search *search);

/* Begins a descent from the present tracks, or from labels. */
void multi_search_descend(multi_search *search);
void multi_search_from(multi_search *search, const int32_t *labels);

/* Kicks the present tracks, or the run's if those are much better. */
void multi_search_kick(multi_search *search, const gm_run *run);

/* One step: a graph is put in or rematched, or one track exchanges members. Better tracks go to the
 * run. GM_OK or a negative status; phase is MULTI_SETTLED when the descent has ended. */
int multi_search_step(multi_search *search, gm_run *run);

/* Offers the present tracks to the run. */
void multi_search_offer(multi_search *search, gm_run *run);

#endif
