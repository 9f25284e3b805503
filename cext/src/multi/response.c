#include "multi/response.h"

#include "moves/policy.h"
#include "multi/policy.h"

#include "fm/primal.h"

#include <math.h>
#include <stdlib.h>

void multi_response_take(multi_response *response, gm_pool *pool, const multi_graphs *graphs)
{
    response->graphs = graphs;
    GM_TAKE(pool, graphs->n_pairs, response->slot);
    for (int32_t p = 0; p < graphs->n_pairs && !pool->failed; p++) {
        const int32_t n = graphs->pairs[p].model->n_candidates;
        GM_TAKE(pool, n, response->slot[p]);
        for (int32_t k = 0; k < n && !pool->failed; k++)
            response->slot[p][k] = -1;
    }
    GM_TAKE(pool, graphs->n_nodes, response->label_track);
    GM_TAKE(pool, graphs->n_nodes, response->track_label);
}

void multi_response_free(multi_response *response)
{
    free(response->left);
    free(response->right);
    free(response->a);
    free(response->b);
    free(response->part_pair);
    free(response->part_candidate);
    free(response->cost);
    free(response->edge_cost);
    free(response->part_start);
}

/* ---- room */

static int grow(void **array, int64_t room, size_t size)
{
    void *larger = realloc(*array, (size_t)room * size);
    if (!larger)
        return GM_ENOMEM;
    *array = larger;
    return GM_OK;
}

/* The room, double_room until `needed` fits. */
static int64_t double_room(int64_t room, int64_t needed)
{
    room = room < MULTI_LEAST_ROOM ? MULTI_LEAST_ROOM : room;
    while (room < needed)
        room *= 2;
    return room;
}

static int room_for_slots(multi_response *r, int64_t needed)
{
    if (needed < r->slot_room)
        return GM_OK;
    const int64_t room = double_room(r->slot_room, needed + 1);
    if (grow((void **)&r->left, room, sizeof *r->left) ||
        grow((void **)&r->right, room, sizeof *r->right) ||
        grow((void **)&r->cost, room, sizeof *r->cost) ||
        grow((void **)&r->part_start, room, sizeof *r->part_start))
        return GM_ENOMEM;
    r->slot_room = room;
    return GM_OK;
}

static int room_for_parts(multi_response *r, int64_t needed)
{
    if (needed <= r->part_room)
        return GM_OK;
    const int64_t room = double_room(r->part_room, needed);
    if (grow((void **)&r->part_pair, room, sizeof *r->part_pair) ||
        grow((void **)&r->part_candidate, room, sizeof *r->part_candidate))
        return GM_ENOMEM;
    r->part_room = room;
    return GM_OK;
}

static int room_for_edges(multi_response *r, int64_t needed)
{
    if (needed <= r->edge_room)
        return GM_OK;
    const int64_t room = double_room(r->edge_room, needed);
    if (grow((void **)&r->a, room, sizeof *r->a) || grow((void **)&r->b, room, sizeof *r->b) ||
        grow((void **)&r->edge_cost, room, sizeof *r->edge_cost))
        return GM_ENOMEM;
    r->edge_room = room;
    return GM_OK;
}

/* ---- building */

/* The graph whose member of a track has the fewest candidates with graph g. */
static int32_t narrowest(const multi_tracks *tracks, int32_t track, int32_t g)
{
    const multi_graphs *graphs = tracks->graphs;
    int32_t best = -1, least = INT32_MAX;
    for (int32_t h = 0; h < graphs->d; h++) {
        const int32_t s = multi_member(tracks, track, h);
        if (h == g || s < 0)
            continue;
        const multi_row row = multi_row_of(graphs->pairs + multi_pair_number(graphs, g, h), h, s);
        if (row.end - row.first < least) {
            least = row.end - row.first;
            best = h;
        }
    }
    return best;
}

/* Adds the slot of node i of g and the track of a label, if every member is a candidate. GM_OK or
 * GM_ENOMEM. */
static int add_slot(multi_response *r, const multi_tracks *tracks, int32_t g, int32_t i,
                    int32_t label)
{
    const multi_graphs *graphs = r->graphs;
    const int32_t track = r->label_track[label];
    int status = room_for_slots(r, r->n_slots + 1);
    if (status == GM_OK)
        status = room_for_parts(r, r->n_parts + graphs->d);
    if (status != GM_OK)
        return status;
    int64_t part = r->n_parts;
    double cost = 0.0;
    for (int32_t h = 0; h < graphs->d; h++) {
        const int32_t s = multi_member(tracks, track, h);
        if (h == g || s < 0)
            continue;
        const int32_t p = multi_pair_number(graphs, g, h);
        const int32_t k = multi_candidate_of(graphs->pairs + p, g, i, s);
        if (k < 0)
            return GM_OK;
        cost += graphs->pairs[p].model->cost[k];
        r->part_pair[part] = p;
        r->part_candidate[part++] = k;
    }
    for (int64_t at = r->n_parts; at < part; at++)
        r->slot[r->part_pair[at]][r->part_candidate[at]] = r->n_slots;
    r->left[r->n_slots] = i;
    r->right[r->n_slots] = label;
    r->cost[r->n_slots] = cost;
    r->part_start[r->n_slots++] = r->n_parts;
    r->part_start[r->n_slots] = r->n_parts = part;
    return GM_OK;
}

/* The labels and slots of the response, sorted by label. */
static int build_slots(multi_response *r, const multi_tracks *tracks, int32_t g)
{
    const multi_graphs *graphs = r->graphs;
    int status = room_for_slots(r, 1);
    r->n_labels = r->n_slots = 0;
    r->n_parts = 0;
    for (int32_t track = 0; track < graphs->n_nodes && status == GM_OK; track++) {
        r->track_label[track] = -1;
        const int has_own = multi_member(tracks, track, g) >= 0;
        if (tracks->size[track] - has_own <= 0)
            continue; /* nothing but perhaps a node of g */
        r->track_label[track] = r->n_labels;
        r->label_track[r->n_labels] = track;
        const int32_t h = narrowest(tracks, track, g);
        const multi_pair *pair = graphs->pairs + multi_pair_number(graphs, g, h);
        const multi_row row = multi_row_of(pair, h, multi_member(tracks, track, h));
        if (gm_watch_spend(graphs->watch, (int64_t)graphs->d * (8 + row.end - row.first)))
            status = GM_ECUT;
        for (int32_t at = row.first; at < row.end && status == GM_OK; at++) {
            const int32_t i = multi_partner(pair, h, multi_row_candidate(row, at));
            status = add_slot(r, tracks, g, i, r->n_labels);
        }
        r->n_labels++;
    }
    return status;
}

/* The edges of the response: those of every pair, one by one; sorting adds up equal ones. */
static int build_edges(multi_response *r)
{
    int status = GM_OK;
    r->n_edges = 0;
    for (int32_t p = 0; p < r->n_slots && status == GM_OK; p++)
        for (int64_t at = r->part_start[p]; at < r->part_start[p + 1] && status == GM_OK; at++) {
            const multi_pair *pair = r->graphs->pairs + r->part_pair[at];
            const gm_model *model = pair->model;
            const int32_t *slot = r->slot[r->part_pair[at]], k = r->part_candidate[at];
            status = room_for_edges(r, r->n_edges + pair->after[k + 1] - pair->after[k]);
            if (gm_watch_spend(r->graphs->watch, pair->after[k + 1] - pair->after[k] + 8))
                status = GM_ECUT;
            for (int64_t e = pair->after[k]; e < pair->after[k + 1] && status == GM_OK; e++) {
                const int32_t q = slot[model->b[e]];
                if (q < 0)
                    continue;
                r->a[r->n_edges] = p < q ? p : q;
                r->b[r->n_edges] = p < q ? q : p;
                r->edge_cost[r->n_edges++] = model->edge_cost[e];
            }
        }
    if (status == GM_OK)
        status = gm_sort_edges(r->n_slots, r->n_edges, NULL, r->a, r->b, r->edge_cost, &r->n_edges);
    return status;
}

/* Makes `slot` all -1 again. */
static void forget_slots(multi_response *r)
{
    for (int64_t at = 0; at < r->n_parts; at++)
        r->slot[r->part_pair[at]][r->part_candidate[at]] = -1;
}

/* ---- solving */

/* Slots that the nodes of g have now, -1 if a node is out or alone. */
static void present_slots(const multi_response *r, const multi_tracks *tracks, int32_t g,
                          const gm_index *index, int32_t *slots)
{
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t track = tracks->track[r->graphs->base[g] + i];
        slots[i] = track < 0 ? -1 : gm_index_slot(index, i, r->track_label[track]);
    }
}

/* Moves the nodes of g from the slots before to those after, and puts in those that are out. */
static void apply(const multi_response *r, multi_tracks *tracks, int32_t g, const gm_index *index,
                  const int32_t *before, const int32_t *after)
{
    for (int32_t i = 0; i < index->n1; i++)
        if (before[i] != after[i])
            multi_tracks_out(tracks, g, i);
    for (int32_t i = 0; i < index->n1; i++)
        if (tracks->track[r->graphs->base[g] + i] < 0)
            multi_tracks_put(tracks, g, i,
                             after[i] < 0 ? -1 : r->label_track[index->slot_label[after[i]]]);
}

/* Fusion moves from the present matching. Returns 1 if they improved it, 0 if not, or a negative
 * status. */
static int search(multi_response *r, multi_tracks *tracks, int32_t g, const gm_index *index,
                  gm_random *random, int32_t vain)
{
    gm_pool pool = {0};
    gm_primal primal = {0};
    int32_t *before;
    int status = GM_OK;
    GM_TAKE(&pool, index->n1, before);
    gm_primal_take(&primal, &pool, index, gm_random_bits(random), MULTI_QPBO_PATIENCE);
    if (pool.failed || gm_run_init(&r->run, &(gm_model){.n1 = index->n1}) != GM_OK) {
        status = GM_ENOMEM;
        goto done;
    }
    if (r->graphs->watch)
        r->run.watch = r->graphs->watch;
    present_slots(r, tracks, g, index, before);
    const gm_reparametrisation costs = {.unary = index->slot_cost};
    const double start = gm_index_cost(index, before, primal.chosen);
    for (int32_t i = 0; i < index->n1; i++)
        primal.incumbent[i] = primal.best[i] = before[i];
    primal.incumbent_cost = primal.best_cost = start;
    for (int32_t k = 0; k < MULTI_WHOLE && status == GM_OK; k++) {
        status = gm_greedy_match(&primal.greedy, &costs, &primal.random, NULL, index->n1, -1,
                                 primal.proposal);
        if (status == GM_OK)
            gm_primal_fuse(&primal, &r->run);
    }
    primal.n_vain = 0;
    while (primal.n_vain < vain && status == GM_OK && !gm_watch_is_over(index->watch))
        status = gm_primal_propose(&primal, &costs, &r->run);
    if (gm_watch_is_over(index->watch))
        status = GM_ECUT;
    if (status != GM_OK)
        goto done;
    const int better = primal.best_cost < start - GM_GAIN_TOLERANCE * fabs(tracks->value);
    apply(r, tracks, g, index, before, better ? primal.best : before);
    status = better;
done:
    gm_run_clear(&r->run);
    gm_pool_free(&pool);
    return status;
}

int multi_response_improve(multi_response *r, multi_tracks *tracks, int32_t g, gm_random *random,
                           int32_t vain)
{
    gm_index *index = NULL;
    int status = build_slots(r, tracks, g);
    if (status == GM_OK)
        status = build_edges(r);
    forget_slots(r);
    if (status != GM_OK)
        goto done;
    const gm_model model = {
        .n1 = r->graphs->n[g],
        .n2 = r->n_labels,
        .n_candidates = r->n_slots,
        .left = r->left,
        .right = r->right,
        .cost = r->cost,
        .a = r->a,
        .b = r->b,
        .n_edges = r->n_edges,
        .edge_cost = r->edge_cost,
    };
    index = gm_index_new(&model, r->graphs->watch);
    status = index ? search(r, tracks, g, index, random, vain) : GM_ENOMEM;
done:
    gm_index_free(index);
    return status;
}
