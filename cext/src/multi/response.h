/* One graph matched to the tracks of all others: a pair problem like any other.
 *
 * Its left nodes are the nodes of graph g, its labels the tracks of the others. Node i may take
 * track P if it is a candidate with every member of P; that costs the sum of the candidates' costs,
 * and two such slots share the sum of the edges between their candidates. The change of the whole
 * value is that of this problem.
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
    /* the response problem, its slots' candidates, and the room there is for each; grown on demand,
     * since the largest that could come is far beyond those that do */
    int32_t *left, *right, *a, *b, *part_pair, *part_candidate;
    double *cost, *edge_cost;
    int64_t *part_start;
    int64_t slot_room, edge_room, part_room;
    int32_t n_labels, n_slots;
    int64_t n_edges, n_parts;
    gm_run run; /* of the search for a better matching */
} multi_response;

void multi_response_take(multi_response *response, gm_pool *pool, const multi_graphs *graphs);
void multi_response_free(multi_response *response);

/* Matches the nodes of g anew to the tracks of the others, starting from what they have, with
 * fusion moves until `vain` proposals in a row bring nothing. The tracks change only for the
 * better; nodes that were out are put in any case. Returns 1 if the value fell by more than
 * rounding, 0 if not, or a negative status. */
int multi_response_improve(multi_response *response, multi_tracks *tracks, int32_t g,
                           gm_random *random, int32_t vain);

#endif
