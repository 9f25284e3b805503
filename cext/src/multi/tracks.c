#include "multi/tracks.h"

#include "multi/policy.h"

#include <math.h>
#include <string.h>

void multi_tracks_take(multi_tracks *tracks, gm_pool *pool, const multi_graphs *graphs)
{
    const int32_t n = graphs->n_nodes;
    tracks->graphs = graphs;
    GM_TAKE(pool, graphs->n_pairs, tracks->price);
    for (int32_t p = 0; p < graphs->n_pairs && !pool->failed; p++)
        GM_TAKE(pool, graphs->pairs[p].model->n_candidates, tracks->price[p]);
    GM_TAKE(pool, n, tracks->track);
    GM_TAKE(pool, (int64_t)n * graphs->d, tracks->member);
    GM_TAKE(pool, n, tracks->size);
    GM_TAKE(pool, n, tracks->vacant);
    GM_TAKE(pool, n, tracks->changed);
    GM_TAKE(pool, n, tracks->number);
}

/* Candidate k of a pair becomes chosen (sign 1), or stops to be (sign -1): its edges enter the
 * prices of their other candidates. */
static void change_prices(const multi_pair *pair, double *price, int32_t k, double sign)
{
    const gm_model *model = pair->model;
    if (pair->conflicts) {
        for (int64_t e = pair->after[k]; e < pair->after[k + 1]; e++)
            if (!multi_conflict(model, k, model->b[e]))
                price[model->b[e]] += sign * model->edge_cost[e];
        for (int64_t at = pair->before[k]; at < pair->before[k + 1]; at++) {
            const int32_t e = pair->earlier[at];
            if (!multi_conflict(model, k, model->a[e]))
                price[model->a[e]] += sign * model->edge_cost[e];
        }
        return;
    }
    for (int64_t e = pair->after[k]; e < pair->after[k + 1]; e++)
        price[model->b[e]] += sign * model->edge_cost[e];
    for (int64_t at = pair->before[k]; at < pair->before[k + 1]; at++) {
        const int32_t e = pair->earlier[at];
        price[model->a[e]] += sign * model->edge_cost[e];
    }
}

/* Node i of g joins (sign 1) or leaves (sign -1) the other members of a track: value and prices. */
static void count_member(multi_tracks *tracks, int32_t g, int32_t i, int32_t track, double sign)
{
    const multi_graphs *graphs = tracks->graphs;
    const int32_t *member = tracks->member + (int64_t)track * graphs->d;
    for (int32_t h = 0; h < graphs->d; h++) {
        if (h == g || member[h] < 0)
            continue;
        const int32_t p = multi_pair_number(graphs, g, h);
        const int32_t k = multi_candidate_of(graphs->pairs + p, g, i, member[h]);
        tracks->value += sign * tracks->price[p][k];
        change_prices(graphs->pairs + p, tracks->price[p], k, sign);
    }
}

int64_t multi_tracks_work(const multi_tracks *tracks, int32_t g, int32_t i)
{
    const int32_t track = tracks->track[tracks->graphs->base[g] + i];
    return 1 + (track < 0 ? 0 : (int64_t)MULTI_EDGES_OF_A_MATCH * tracks->size[track]);
}

void multi_tracks_out(multi_tracks *tracks, int32_t g, int32_t i)
{
    const int32_t node = tracks->graphs->base[g] + i, track = tracks->track[node];
    if (track < 0)
        return;
    count_member(tracks, g, i, track, -1.0);
    tracks->track[node] = -1;
    tracks->member[(int64_t)track * tracks->graphs->d + g] = -1;
    tracks->changed[track] = ++tracks->clock;
    if (--tracks->size[track] == 0)
        tracks->vacant[tracks->n_vacant++] = track;
}

void multi_tracks_put(multi_tracks *tracks, int32_t g, int32_t i, int32_t track)
{
    if (track < 0)
        track = tracks->vacant[tracks->n_vacant - 1];
    if (tracks->size[track] == 0) { /* a vacant track is taken off the stack */
        int32_t at = tracks->n_vacant - 1;
        while (tracks->vacant[at] != track)
            at--;
        tracks->vacant[at] = tracks->vacant[--tracks->n_vacant];
    }
    count_member(tracks, g, i, track, 1.0);
    tracks->track[tracks->graphs->base[g] + i] = track;
    tracks->member[(int64_t)track * tracks->graphs->d + g] = i;
    tracks->changed[track] = ++tracks->clock;
    tracks->size[track]++;
}

void multi_tracks_load(multi_tracks *tracks, const int32_t *labels)
{
    const multi_graphs *graphs = tracks->graphs;
    const int32_t n = graphs->n_nodes;
    for (int32_t p = 0; p < graphs->n_pairs; p++) {
        const gm_model *model = graphs->pairs[p].model;
        if (model->n_candidates > 0)
            memcpy(tracks->price[p], model->cost,
                   (size_t)model->n_candidates * sizeof *model->cost);
    }
    memset(tracks->size, 0, (size_t)n * sizeof *tracks->size);
    for (int64_t k = 0; k < (int64_t)n * graphs->d; k++)
        tracks->member[k] = -1;
    tracks->clock++;
    for (int32_t t = 0; t < n; t++) {
        tracks->vacant[n - 1 - t] = t; /* small numbers are taken first */
        tracks->changed[t] = tracks->clock;
    }
    tracks->n_vacant = n;
    tracks->value = 0.0;
    for (int32_t t = 0; t < n; t++)
        tracks->number[t] = -1;
    for (int32_t g = 0; g < graphs->d; g++)
        for (int32_t i = 0; i < graphs->n[g]; i++) {
            const int32_t node = graphs->base[g] + i, label = labels[node];
            tracks->track[node] = -1;
            if (label < 0 || gm_watch_spend(graphs->watch, MULTI_EDGES_OF_A_MATCH * g))
                continue;
            multi_tracks_put(tracks, g, i, tracks->number[label]);
            tracks->number[label] = tracks->track[node];
        }
}

void multi_tracks_store(multi_tracks *tracks, int32_t *labels)
{
    const int32_t n = tracks->graphs->n_nodes;
    int32_t next = 0;
    for (int32_t t = 0; t < n; t++)
        tracks->number[t] = -1;
    for (int32_t node = 0; node < n; node++) {
        const int32_t track = tracks->track[node];
        if (track >= 0 && tracks->number[track] < 0)
            tracks->number[track] = next++;
        labels[node] = track < 0 ? next++ : tracks->number[track];
    }
}

double multi_tracks_cost(const multi_tracks *tracks)
{
    const multi_graphs *graphs = tracks->graphs;
    double cost = 0.0;
    for (int32_t p = 0; p < graphs->n_pairs; p++) {
        const multi_pair *pair = graphs->pairs + p;
        const gm_model *model = pair->model;
        const int32_t *left = tracks->track + graphs->base[pair->g];
        const int32_t *right = tracks->track + graphs->base[pair->h];
        for (int32_t i = 0; i < model->n1; i++) {
            const int32_t s = left[i] < 0 ? -1 : multi_member(tracks, left[i], pair->h);
            if (s < 0)
                continue;
            const int32_t k = multi_candidate(pair, i, s);
            if (gm_watch_spend(graphs->watch, pair->after[k + 1] - pair->after[k] + 8))
                return INFINITY;
            cost += model->cost[k];
            for (int64_t e = pair->after[k]; e < pair->after[k + 1]; e++) {
                const int32_t other = model->b[e];
                if (left[model->left[other]] >= 0 &&
                    left[model->left[other]] == right[model->right[other]])
                    cost += model->edge_cost[e];
            }
        }
    }
    return cost;
}
