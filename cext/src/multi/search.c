#include "multi/search.h"

#include "moves/policy.h"
#include "multi/policy.h"

#include <math.h>

void multi_search_take(multi_search *search, gm_pool *pool, const multi_graphs *graphs,
                       uint64_t seed)
{
    search->graphs = graphs;
    search->random.state = seed;
    multi_tracks_take(&search->tracks, pool, graphs);
    multi_response_take(&search->response, pool, graphs);
    multi_swap_take(&search->swap, pool, graphs);
    GM_TAKE(pool, graphs->d, search->order);
    GM_TAKE(pool, graphs->n_nodes, search->labels);
}

void multi_search_free(multi_search *search)
{
    multi_response_free(&search->response);
}

/* ---- the next step */

/* Begins `order`, of all graphs, with n random ones. */
static void draw_graphs(multi_search *search, int32_t n)
{
    for (int32_t g = 0; g < search->graphs->d; g++)
        search->order[g] = g;
    for (int32_t k = 0; k < n && k < search->graphs->d - 1; k++) {
        const int32_t other = k + gm_random_below(&search->random, search->graphs->d - k);
        const int32_t g = search->order[k];
        search->order[k] = search->order[other];
        search->order[other] = g;
    }
}

static void begin_rematch(multi_search *search)
{
    search->phase = MULTI_REMATCH;
    search->n_vain = 0;
    search->at = search->n_order = 0;
}

static void begin_swap(multi_search *search)
{
    search->phase = MULTI_SWAP;
    search->at = 0;
    search->n_exchanges = 0;
}

/* Takes n random graphs out, to be put in again. */
static void begin_insert(multi_search *search, int32_t n)
{
    draw_graphs(search, n);
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = 0; i < search->graphs->n[search->order[k]]; i++) {
            const int64_t work = multi_tracks_work(&search->tracks, search->order[k], i);
            if (gm_watch_spend(search->graphs->watch, work))
                return;
            multi_tracks_out(&search->tracks, search->order[k], i);
        }
    search->phase = MULTI_INSERT;
    search->n_order = n;
    search->at = 0;
}

void multi_search_from_nothing(multi_search *search)
{
    for (int32_t node = 0; node < search->graphs->n_nodes; node++)
        search->labels[node] = -1;
    multi_tracks_load(&search->tracks, search->labels);
    begin_insert(search, search->graphs->d);
}

void multi_search_descend(multi_search *search)
{
    begin_rematch(search);
}

void multi_search_from(multi_search *search, const int32_t *labels)
{
    multi_tracks_load(&search->tracks, labels);
    begin_rematch(search);
}

/* A random track that some candidate joins to this one, or the track itself. */
static int32_t related_track(multi_search *search, int32_t track)
{
    const multi_graphs *graphs = search->graphs;
    const int32_t d = graphs->d;
    int32_t g = gm_random_below(&search->random, d), h = gm_random_below(&search->random, d - 1);
    while (multi_member(&search->tracks, track, g) < 0)
        g = (g + 1) % d;
    h += h >= g;
    const multi_pair *pair = graphs->pairs + multi_pair_number(graphs, g, h);
    const multi_row row = multi_row_of(pair, g, multi_member(&search->tracks, track, g));
    if (row.first == row.end)
        return track;
    const int32_t at = row.first + gm_random_below(&search->random, row.end - row.first);
    const int32_t s = multi_partner(pair, g, multi_row_candidate(row, at));
    return search->tracks.track[graphs->base[h] + s];
}

/* Takes all members of some related tracks out, to be put in again. */
static void begin_dissolve(multi_search *search)
{
    const multi_graphs *graphs = search->graphs;
    const int32_t n = 2 + gm_random_below(&search->random, MULTI_MOST_DISSOLVED - 1);
    int32_t chosen[MULTI_MOST_DISSOLVED];
    chosen[0] = search->tracks.track[gm_random_below(&search->random, graphs->n_nodes)];
    for (int32_t k = 1; k < n; k++)
        chosen[k] = related_track(search, chosen[gm_random_below(&search->random, k)]);
    for (int32_t k = 0; k < n; k++)
        for (int32_t g = 0; g < graphs->d; g++) {
            const int32_t i = multi_member(&search->tracks, chosen[k], g);
            if (i >= 0)
                multi_tracks_out(&search->tracks, g, i);
        }
    begin_insert(search, 0);
    draw_graphs(search, graphs->d);
    search->n_order = graphs->d;
}

void multi_search_kick(multi_search *search, const gm_run *run)
{
    const int32_t d = search->graphs->d;
    if (gm_random_unit(&search->random) < MULTI_FRESH) {
        multi_search_from_nothing(search);
        return;
    }
    const int near = search->tracks.value <= run->value + MULTI_NEAR * fabs(run->value);
    if (!near || gm_random_unit(&search->random) < MULTI_RETURN)
        multi_tracks_load(&search->tracks, run->labels);
    if (search->graphs->n_nodes > 0 && gm_random_unit(&search->random) < MULTI_DISSOLVE)
        begin_dissolve(search);
    else
        begin_insert(search, 2 + (d > 5 ? gm_random_below(&search->random, d / 2 - 1) : 0));
}

/* ---- steps */

void multi_search_offer(multi_search *search, gm_run *run)
{
    if (!(search->tracks.value < run->value))
        return;
    const double cost = multi_tracks_cost(&search->tracks);
    if (isfinite(run->value) && !(cost < run->value - GM_GAIN_TOLERANCE * fabs(run->value)))
        return;
    multi_tracks_store(&search->tracks, search->labels);
    gm_run_offer(run, cost, search->labels);
}

/* Matches the next graph of the order to the tracks of the others. */
static int rematch_next(multi_search *search)
{
    const int32_t g = search->order[search->at++];
    return multi_response_improve(&search->response, &search->tracks, g, &search->random,
                                  MULTI_VAIN);
}

static int insert(multi_search *search)
{
    const int status = rematch_next(search);
    if (search->at == search->n_order)
        begin_rematch(search);
    return status;
}

static int rematch(multi_search *search)
{
    if (search->at == search->n_order) {
        search->n_order = search->graphs->d;
        draw_graphs(search, search->n_order);
        search->at = 0;
    }
    const int status = rematch_next(search);
    search->n_vain = status > 0 ? 0 : search->n_vain + 1;
    if (search->n_vain >= search->graphs->d)
        begin_swap(search);
    return status;
}

static void swap_next(multi_search *search)
{
    const int32_t n = search->graphs->n_nodes;
    while (search->at < n && search->tracks.size[search->at] == 0)
        search->at++;
    if (search->at < n) {
        search->n_exchanges += multi_swap_track(&search->swap, &search->tracks, search->at++);
    } else if (search->n_exchanges > 0) {
        begin_rematch(search);
    } else {
        search->phase = MULTI_SETTLED;
    }
}

int multi_search_step(multi_search *search, gm_run *run)
{
    int status = GM_OK;
    switch (search->phase) {
    case MULTI_INSERT: status = insert(search); break;
    case MULTI_REMATCH: status = rematch(search); break;
    case MULTI_SWAP: swap_next(search); break;
    case MULTI_SETTLED: break;
    }
    multi_search_offer(search, run);
    return status < 0 ? status : GM_OK;
}
