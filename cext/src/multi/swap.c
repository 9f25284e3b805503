#include "multi/swap.h"

#include "moves/policy.h"
#include "multi/policy.h"

#include <math.h>
#include <string.h>

void multi_swap_take(multi_swap *swap, gm_pool *pool, const multi_graphs *graphs)
{
    const int64_t d = graphs->d;
    GM_TAKE(pool, d * d, swap->weight);
    GM_TAKE(pool, d * d, swap->forbidden);
    GM_TAKE(pool, d, swap->change);
    GM_TAKE(pool, d, swap->side);
    GM_TAKE(pool, d, swap->best);
    GM_TAKE(pool, d, swap->waits);
    GM_TAKE(pool, d, swap->active);
    GM_TAKE(pool, d, swap->from_first);
    GM_TAKE(pool, d, swap->from_second);
    GM_TAKE(pool, graphs->n_nodes, swap->found);
    GM_TAKE(pool, graphs->n_nodes, swap->seen);
    GM_TAKE(pool, graphs->n_nodes, swap->settled);
}

/* The candidate of two members, -1 = one is missing, -2 = forbidden. */
static int32_t joined(const multi_pair *pair, int32_t i, int32_t s)
{
    if (i < 0 || s < 0)
        return -1;
    const int32_t k = multi_candidate(pair, i, s);
    return k < 0 ? -2 : k;
}

static double price_of(const double *price, int32_t k)
{
    return k >= 0 ? price[k] : 0.0;
}

/* w_gh, each of the two mutual edges once: the new pairs' edge is in neither price, the old pairs'
 * in both. */
static double weigh(const multi_tracks *tracks, const multi_pair *pair, const int32_t *P,
                    const int32_t *Q, uint8_t *forbidden)
{
    const double *price = tracks->price[pair - tracks->graphs->pairs];
    const int32_t g = pair->g, h = pair->h, q_h = Q ? Q[h] : -1, q_g = Q ? Q[g] : -1;
    const int32_t new1 = joined(pair, P[g], q_h), new2 = joined(pair, q_g, P[h]);
    *forbidden = new1 == -2 || new2 == -2;
    if (*forbidden)
        return 0.0;
    const int32_t old1 = joined(pair, P[g], P[h]), old2 = joined(pair, q_g, q_h);
    double weight = price_of(price, new1) + price_of(price, new2) - price_of(price, old1) -
                    price_of(price, old2);
    if (new1 >= 0 && new2 >= 0)
        weight += multi_edge(pair, new1, new2);
    if (old1 >= 0 && old2 >= 0)
        weight += multi_edge(pair, old1, old2);
    return weight;
}

/* All weights of two tracks. Returns 1 if some exchange could bring something. */
static int weigh_all(multi_swap *swap, const multi_tracks *tracks, int32_t first, int32_t second)
{
    const multi_graphs *graphs = tracks->graphs;
    const int32_t d = graphs->d;
    const int32_t *P = tracks->member + (int64_t)first * d,
                  *Q = second < 0 ? NULL : tracks->member + (int64_t)second * d;
    int promising = 0;
    swap->n_active = 0;
    for (int32_t g = 0; g < d; g++)
        if (P[g] >= 0 || (Q && Q[g] >= 0))
            swap->active[swap->n_active++] = g;
    for (int32_t x = 0; x < swap->n_active; x++)
        for (int32_t y = x + 1; y < swap->n_active; y++) {
            const int32_t g = swap->active[x], h = swap->active[y];
            uint8_t forbidden;
            const double weight =
                weigh(tracks, graphs->pairs + multi_pair_number(graphs, g, h), P, Q, &forbidden);
            swap->weight[g * d + h] = swap->weight[h * d + g] = weight;
            swap->forbidden[g * d + h] = swap->forbidden[h * d + g] = forbidden;
            promising |= weight < 0.0;
        }
    return promising;
}

/* Forbidden pairs get a weight above what all others together can bring. */
static void forbid(multi_swap *swap, int32_t d)
{
    double beyond = 1.0;
    for (int32_t x = 0; x < swap->n_active; x++)
        for (int32_t y = 0; y < swap->n_active; y++)
            beyond += fabs(swap->weight[swap->active[x] * d + swap->active[y]]);
    for (int32_t x = 0; x < swap->n_active; x++)
        for (int32_t y = 0; y < swap->n_active; y++) {
            const int32_t at = swap->active[x] * d + swap->active[y];
            if (x != y && swap->forbidden[at])
                swap->weight[at] = beyond;
        }
}

/* What flipping each graph adds to the cut of `side`. */
static void begin_changes(multi_swap *swap, int32_t d)
{
    for (int32_t x = 0; x < swap->n_active; x++) {
        const int32_t g = swap->active[x];
        swap->change[g] = 0.0;
        for (int32_t y = 0; y < swap->n_active; y++) {
            const int32_t h = swap->active[y];
            if (h != g)
                swap->change[g] += swap->side[g] == swap->side[h] ? swap->weight[g * d + h]
                                                                  : -swap->weight[g * d + h];
        }
    }
}

/* Flips the graph that adds least among those whose waiting time is over at `now`; it waits until
 * `until`. Returns what it adds. */
static double flip_least(multi_swap *swap, int32_t d, int32_t now, int32_t until)
{
    int32_t g = -1;
    for (int32_t x = 0; x < swap->n_active; x++) {
        const int32_t h = swap->active[x];
        if (swap->waits[h] <= now && (g < 0 || swap->change[h] < swap->change[g]))
            g = h;
    }
    const double added = swap->change[g];
    swap->waits[g] = until;
    swap->side[g] ^= 1;
    swap->change[g] = -added;
    for (int32_t x = 0; x < swap->n_active; x++) {
        const int32_t h = swap->active[x];
        if (h != g)
            swap->change[h] += swap->side[g] == swap->side[h] ? 2.0 * swap->weight[g * d + h]
                                                              : -2.0 * swap->weight[g * d + h];
    }
    return added;
}

/* `steps` flips from `side`, each graph waiting for `tenure` others after its own. Returns what the
 * best moment is worth, at most 0; `side` is as it was then. */
static double walk(multi_swap *swap, int32_t d, int32_t steps, int32_t tenure)
{
    double sum = 0.0, least = 0.0;
    begin_changes(swap, d);
    memset(swap->waits, 0, (size_t)d * sizeof *swap->waits);
    memcpy(swap->best, swap->side, (size_t)d);
    for (int32_t now = 1; now <= steps; now++) {
        sum += flip_least(swap, d, now, now + tenure);
        if (sum < least) {
            least = sum;
            memcpy(swap->best, swap->side, (size_t)d);
        }
    }
    memcpy(swap->side, swap->best, (size_t)d);
    return least;
}

/* Passes, in which every graph flips at most once, while they help, and a tabu search from there;
 * again where that brings more than rounding. */
static void look_for_cut(multi_swap *swap, int32_t d, double rounding)
{
    const int32_t n = swap->n_active, tenure = MULTI_TENURE + n / 5;
    memset(swap->side, 0, (size_t)d);
    for (int32_t turn = 0; turn < d; turn++)
        if (!(walk(swap, d, n - 1, n) < -rounding) && /* all flipped = none flipped */
            (n <= 2 * tenure || !(walk(swap, d, MULTI_WALK * n, tenure) < -rounding)))
            return;
}

/* What the cut by `side` really costs, or +inf where it parts what must stay together. */
static double cut(const multi_swap *swap, int32_t d)
{
    double sum = 0.0;
    for (int32_t x = 0; x < swap->n_active; x++)
        for (int32_t y = x + 1; y < swap->n_active; y++) {
            const int32_t g = swap->active[x], h = swap->active[y];
            if (swap->side[g] == swap->side[h])
                continue;
            if (swap->forbidden[g * d + h])
                return INFINITY;
            sum += swap->weight[g * d + h];
        }
    return sum;
}

/* The smaller side changes places. */
static void carry_out(multi_swap *swap, multi_tracks *tracks, int32_t first, int32_t second)
{
    const int32_t d = tracks->graphs->d;
    int32_t n_ones = 0;
    for (int32_t x = 0; x < swap->n_active; x++)
        n_ones += swap->side[swap->active[x]];
    const uint8_t moved = 2 * n_ones <= swap->n_active;
    const int32_t target = second < 0 ? tracks->vacant[tracks->n_vacant - 1] : second;
    const int32_t *P = tracks->member + (int64_t)first * d,
                  *Q = tracks->member + (int64_t)target * d;
    for (int32_t x = 0; x < swap->n_active; x++) { /* all out before anybody comes in */
        const int32_t g = swap->active[x];
        if (swap->side[g] != moved)
            continue;
        swap->from_first[g] = P[g];
        swap->from_second[g] = Q[g];
        if (P[g] >= 0)
            multi_tracks_out(tracks, g, P[g]);
        if (Q[g] >= 0)
            multi_tracks_out(tracks, g, Q[g]);
    }
    for (int32_t x = 0; x < swap->n_active; x++) {
        const int32_t g = swap->active[x];
        if (swap->side[g] != moved)
            continue;
        if (swap->from_first[g] >= 0)
            multi_tracks_put(tracks, g, swap->from_first[g], target);
        if (swap->from_second[g] >= 0)
            multi_tracks_put(tracks, g, swap->from_second[g], first);
    }
}

/* The best exchange found between two tracks (second = -1: an empty one) is done if it brings
 * something. Returns 1 if so. */
static int improve(multi_swap *swap, multi_tracks *tracks, int32_t first, int32_t second)
{
    const int32_t d = tracks->graphs->d;
    if (!weigh_all(swap, tracks, first, second))
        return 0;
    forbid(swap, d);
    look_for_cut(swap, d, GM_GAIN_TOLERANCE * fabs(tracks->value));
    if (!(cut(swap, d) < -GM_GAIN_TOLERANCE * fabs(tracks->value)))
        return 0;
    carry_out(swap, tracks, first, second);
    return 1;
}

/* The tracks that some candidate joins to this one: with others there is nothing to exchange. */
static int32_t find_others(multi_swap *swap, const multi_tracks *tracks, int32_t track)
{
    const multi_graphs *graphs = tracks->graphs;
    int32_t n = 0;
    swap->look++;
    for (int32_t g = 0; g < graphs->d; g++) {
        const int32_t i = multi_member(tracks, track, g);
        for (int32_t h = 0; h < graphs->d && i >= 0; h++) {
            if (h == g)
                continue;
            const multi_pair *pair = graphs->pairs + multi_pair_number(graphs, g, h);
            const int left = pair->g == g;
            const int32_t *start = left ? pair->left_start : pair->right_start;
            for (int32_t at = start[i]; at < start[i + 1]; at++) {
                const int32_t k = left ? pair->by_left[at] : at;
                const int32_t s = left ? pair->model->right[k] : pair->model->left[k];
                const int32_t other = tracks->track[graphs->base[h] + s];
                if (other > track && swap->seen[other] != swap->look) {
                    swap->seen[other] = swap->look;
                    swap->found[n++] = other;
                }
            }
        }
    }
    return n;
}

int32_t multi_swap_track(multi_swap *swap, multi_tracks *tracks, int32_t track)
{
    const int64_t since = swap->settled[track], now = tracks->clock;
    const int news = tracks->changed[track] > since;
    int32_t n_done = 0;
    if (tracks->size[track] == 0)
        return 0;
    if (news && tracks->size[track] > 1)
        n_done += improve(swap, tracks, track, -1);
    const int32_t n = find_others(swap, tracks, track);
    for (int32_t k = 0; k < n && tracks->size[track] > 0; k++) {
        const int32_t other = swap->found[k];
        if (tracks->size[other] > 0 && (news || tracks->changed[other] > since))
            n_done += improve(swap, tracks, track, other);
    }
    swap->settled[track] = now;
    return n_done;
}
