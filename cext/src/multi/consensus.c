#include "multi/consensus.h"

#include "multi/policy.h"

#include "base/csr.h"

#include <stdlib.h>
#include <string.h>

void multi_consensus_take(multi_consensus *consensus, gm_pool *pool, const multi_graphs *graphs)
{
    int64_t n_matches = 0;
    multi_matchings_take(&consensus->matchings, pool, graphs);
    for (int32_t p = 0; p < graphs->n_pairs; p++) {
        const gm_model *model = graphs->pairs[p].model;
        n_matches += model->n1 < model->n2 ? model->n1 : model->n2;
    }
    GM_TAKE(pool, graphs->n_pairs, consensus->priced);
    GM_TAKE(pool, graphs->d + 1, consensus->start);
    GM_TAKE(pool, n_matches, consensus->pair);
    GM_TAKE(pool, n_matches, consensus->node);
}

/* The number of third graphs that confirm the match (i, s) of a pair. */
static int32_t confirmations(const multi_consensus *consensus, const multi_graphs *graphs,
                             const multi_pair *pair, int32_t i, int32_t s)
{
    int32_t n = 0;
    for (int32_t k = 0; k < graphs->d; k++) {
        if (k == pair->g || k == pair->h)
            continue;
        const int32_t t = multi_matched(&consensus->matchings, graphs, pair->g, k, i);
        n += t >= 0 && multi_matched(&consensus->matchings, graphs, pair->h, k, s) == t;
    }
    return n;
}

/* Sorts the matches, most confirmed first; equal ones in the order of pairs and nodes. Returns how
 * many there are. */
static int64_t sort_matches(multi_consensus *consensus, const multi_graphs *graphs)
{
    int64_t *start = consensus->start;
    memset(start, 0, ((size_t)graphs->d + 1) * sizeof *start);
    for (int fill = 0; fill < 2; fill++) { /* count, then fill */
        for (int32_t p = 0; p < graphs->n_pairs; p++)
            for (int32_t i = 0; i < graphs->pairs[p].model->n1; i++) {
                const int32_t s = consensus->matchings.forward[p][i];
                if (s < 0)
                    continue;
                if (gm_watch_spend(graphs->watch, 8 * (int64_t)graphs->d))
                    return 0;
                const int32_t rank =
                    graphs->d - 1 - confirmations(consensus, graphs, graphs->pairs + p, i, s);
                if (fill) {
                    consensus->pair[start[rank]] = p;
                    consensus->node[start[rank]++] = i;
                } else {
                    start[rank + 1]++;
                }
            }
        if (!fill)
            gm_csr_sum64(start, graphs->d);
    }
    return start[graphs->d];
}

/* Whether two tracks have no graph in common, and all their members are candidates. */
static int may_unite(const multi_tracks *tracks, int32_t first, int32_t second)
{
    const multi_graphs *graphs = tracks->graphs;
    for (int32_t g = 0; g < graphs->d; g++)
        if (multi_member(tracks, first, g) >= 0 && multi_member(tracks, second, g) >= 0)
            return 0;
    for (int32_t g = 0; g < graphs->d; g++) {
        const int32_t i = multi_member(tracks, first, g);
        for (int32_t h = 0; h < graphs->d && i >= 0; h++) {
            const int32_t s = multi_member(tracks, second, h);
            if (s >= 0 &&
                multi_candidate_of(graphs->pairs + multi_pair_number(graphs, g, h), g, i, s) < 0)
                return 0;
        }
    }
    return 1;
}

static void unite(multi_tracks *tracks, int32_t first, int32_t second)
{
    const int32_t larger = tracks->size[first] >= tracks->size[second] ? first : second;
    const int32_t smaller = first + second - larger;
    for (int32_t g = 0; g < tracks->graphs->d; g++) {
        const int32_t i = multi_member(tracks, smaller, g);
        if (i < 0)
            continue;
        multi_tracks_out(tracks, g, i);
        multi_tracks_put(tracks, g, i, larger);
    }
}

static int cheaper(const void *first, const void *second)
{
    const struct multi_priced *x = first, *y = second;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Sorts the matches by the cost of their pairs. Returns how many there are. */
static int64_t sort_by_cost(multi_consensus *consensus, const multi_graphs *graphs)
{
    int64_t n = 0;
    qsort(consensus->priced, (size_t)graphs->n_pairs, sizeof *consensus->priced, cheaper);
    for (int32_t k = 0; k < graphs->n_pairs; k++) {
        const int32_t p = consensus->priced[k].pair;
        for (int32_t i = 0; i < graphs->pairs[p].model->n1; i++)
            if (consensus->matchings.forward[p][i] >= 0) {
                consensus->pair[n] = p;
                consensus->node[n++] = i;
            }
    }
    return n;
}

/* Makes every node a track of its own, then unites the tracks of the n matches in their order. */
static void unite_all(const multi_consensus *consensus, multi_tracks *tracks, int64_t n)
{
    const multi_graphs *graphs = tracks->graphs;
    for (int32_t g = 0; g < graphs->d; g++)
        for (int32_t i = 0; i < graphs->n[g]; i++) {
            if (gm_watch_spend(graphs->watch, multi_tracks_work(tracks, g, i)))
                return;
            multi_tracks_out(tracks, g, i);
            multi_tracks_put(tracks, g, i, -1);
        }
    for (int64_t at = 0; at < n; at++) {
        const multi_pair *pair = graphs->pairs + consensus->pair[at];
        const int32_t i = consensus->node[at];
        const int32_t s = consensus->matchings.forward[consensus->pair[at]][i];
        const int32_t first = tracks->track[graphs->base[pair->g] + i];
        const int32_t second = tracks->track[graphs->base[pair->h] + s];
        const int64_t members = (int64_t)tracks->size[first] * tracks->size[second];
        if (gm_watch_spend(graphs->watch, 8 + MULTI_EDGES_OF_A_MATCH * members))
            return;
        if (first != second && may_unite(tracks, first, second))
            unite(tracks, first, second);
    }
}

void multi_consensus_build(multi_consensus *consensus, multi_tracks *tracks)
{
    multi_matchings_invert(&consensus->matchings, tracks->graphs);
    unite_all(consensus, tracks, sort_matches(consensus, tracks->graphs));
}

void multi_consensus_build_by_cost(multi_consensus *consensus, multi_tracks *tracks)
{
    unite_all(consensus, tracks, sort_by_cost(consensus, tracks->graphs));
}
