/* One graph matched to the tracks of all others: a pair problem like any other.
 *
 * Match(A, B) of Kahl et al. (see search.h) with one graph as B. The left nodes of this *response*
 * are the nodes of graph g, its labels the tracks of the other graphs. Node i may take track P if
 * it is a candidate with every member of P; that costs the sum of these candidates' costs, and two
 * such slots have the sum of the edges between their candidates. The value of all tracks changes as
 * the value of this problem does.
 */
#ifndef GM_MULTI_RESPONSE_H
#define GM_MULTI_RESPONSE_H

#include "base/random.h"
#include "multi/tracks.h"

typedef struct multi_response {
    const multi_graphs *graphs;
    int32_t **slot;       /* per pair, per candidate: its slot in the response, -1 between uses */
    int32_t *label_track; /* per label of the response: the track */
    int32_t *track_label; /* and back, -1 = none */
    int32_t n_labels;
    /* The arrays below grow on demand, since the largest response that is possible is far larger
     * than those that come; *_room is their size. */
    int32_t n_slots; /* candidates of the response */
    int32_t *left, *right;
    double *cost;
    int64_t *part_start; /* parts of each slot, as in base/csr.h */
    int64_t slot_room;
    int64_t n_parts; /* candidates of pairs that the slots are made of */
    int32_t *part_pair, *part_candidate;
    int64_t part_room;
    int64_t n_edges;
    int32_t *a, *b;
    double *edge_cost;
    int64_t edge_room;
    gm_run run; /* of the search for a better matching */
} multi_response;

/* Takes memory; look at pool->failed afterwards. multi_response_free follows in any case. */
void multi_response_take(multi_response *response, gm_pool *pool, const multi_graphs *graphs);
void multi_response_free(multi_response *response);

/* Matches the nodes of g again to the tracks of the others, starting from the present matching,
 * with fusion moves until `vain` proposals in succession gain nothing. The tracks change only for
 * the better; nodes that were out are put in in any case. Returns 1 if the value fell by more than
 * rounding, 0 if not, or a negative status. */
int multi_response_improve(multi_response *response, multi_tracks *tracks, int32_t g,
                           gm_random *random, int32_t vain);

#endif
