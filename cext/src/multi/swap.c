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

enum { NO_MEMBER = -1, NO_CANDIDATE = -2 };

/* The candidate of two members, or one of the above. */
static int32_t find_joined(const multi_pair *pair, int32_t i, int32_t s)
{
    if (i < 0 || s < 0)
        return NO_MEMBER;
    const int32_t k = multi_candidate(pair, i, s);
    return k < 0 ? NO_CANDIDATE : k;
}

static double price_of(const double *price, int32_t k)
{
    return k >= 0 ? price[k] : 0.0;
}

/* w_gh. The edge between the two new candidates is in neither of their prices, that between the two
 * old ones in both: each is added once. */
static double weigh(const multi_tracks *tracks, const multi_pair *pair, const int32_t *P,
                    const int32_t *Q, uint8_t *forbidden)
{
    const double *price = tracks->price[pair - tracks->graphs->pairs];
    const int32_t g = pair->g, h = pair->h;
    const int32_t q_g = Q ? Q[g] : -1, q_h = Q ? Q[h] : -1;
    const int32_t new1 = find_joined(pair, P[g], q_h), new2 = find_joined(pair, q_g, P[h]);
    *forbidden = new1 == NO_CANDIDATE || new2 == NO_CANDIDATE;
    if (*forbidden)
        return 0.0;
    const int32_t old1 = find_joined(pair, P[g], P[h]), old2 = find_joined(pair, q_g, q_h);
    double weight = price_of(price, new1) + price_of(price, new2) - price_of(price, old1) -
                    price_of(price, old2);
    if (new1 >= 0 && new2 >= 0)
        weight += multi_edge(pair, new1, new2);
    if (old1 >= 0 && old2 >= 0)
        weight += multi_edge(pair, old1, old2);
    return weight;
}

/* All weights of two tracks. Returns 1 if some exchange could gain something. */
static int weigh_all(multi_swap *swap, const multi_tracks *tracks, int32_t first, int32_t second)
{
    const multi_graphs *graphs = tracks->graphs;
    const int32_t d = graphs->d;
    const int32_t *P = tracks->member + (int64_t)first * d;
    const int32_t *Q = second < 0 ? NULL : tracks->member + (int64_t)second * d;
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

/* Gives forbidden pairs a weight above the gain of all others together. */
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

/* Computes the change of the cut of `side` if each graph flips. */
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
 * `until`. Returns its addition. */
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

/* Makes `n_flips` flips from `side`; after its own, a graph waits for `tenure` others. `side`
 * becomes the best cut on the way. Returns the change of cost, at most 0. */
static double search_flips(multi_swap *swap, int32_t d, int32_t n_flips, int32_t tenure)
{
    double sum = 0.0, least = 0.0;
    begin_changes(swap, d);
    memset(swap->waits, 0, (size_t)d * sizeof *swap->waits);
    memcpy(swap->best, swap->side, (size_t)d);
    for (int32_t now = 1; now <= n_flips; now++) {
        sum += flip_least(swap, d, now, now + tenure);
        if (sum < least) {
            least = sum;
            memcpy(swap->best, swap->side, (size_t)d);
        }
    }
    memcpy(swap->side, swap->best, (size_t)d);
    return least;
}

enum { FLIPS = 8 }; /* per graph */

/* Passes, in which every graph flips at most once, while they gain more than rounding; then a tabu
 * search from there, and passes again if that gains. */
static void look_for_cut(multi_swap *swap, int32_t d, double rounding)
{
    const int32_t n = swap->n_active, tenure = MULTI_TENURE + n / MULTI_TENURE_PART;
    memset(swap->side, 0, (size_t)d);
    for (int32_t turn = 0; turn < d; turn++) {
        if (search_flips(swap, d, n - 1, n) < -rounding) /* n flips would be the same as none */
            continue;
        if (n <= 2 * tenure || !(search_flips(swap, d, FLIPS * n, tenure) < -rounding))
            return;
    }
}

/* The cut by `side`, summed again; +inf if it makes a forbidden pair. */
static double cut_weight(const multi_swap *swap, int32_t d)
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

/* Exchanges the members on the smaller side (both sides give the same two tracks). */
static void carry_out(multi_swap *swap, multi_tracks *tracks, int32_t first, int32_t second)
{
    const int32_t d = tracks->graphs->d;
    int32_t n_ones = 0;
    for (int32_t x = 0; x < swap->n_active; x++)
        n_ones += swap->side[swap->active[x]];
    const uint8_t moved = 2 * n_ones <= swap->n_active;
    const int32_t target = second < 0 ? tracks->vacant[tracks->n_vacant - 1] : second;
    const int32_t *P = tracks->member + (int64_t)first * d;
    const int32_t *Q = tracks->member + (int64_t)target * d;
    for (int32_t x = 0; x < swap->n_active; x++) { /* all go out before any comes in */
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

/* Looks for an exchange between two tracks (second = -1: an empty one), and carries it out if it
 * gains something. Returns 1 if so. */
static int improve(multi_swap *swap, multi_tracks *tracks, int32_t first, int32_t second)
{
    const int32_t d = tracks->graphs->d;
    if (!weigh_all(swap, tracks, first, second))
        return 0;
    forbid(swap, d);
    look_for_cut(swap, d, GM_GAIN_TOLERANCE * fabs(tracks->value));
    if (!(cut_weight(swap, d) < -GM_GAIN_TOLERANCE * fabs(tracks->value)))
        return 0;
    carry_out(swap, tracks, first, second);
    return 1;
}

/* Finds the tracks of larger number that some candidate joins to this one: with others there is
 * nothing to exchange. Returns how many. */
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
            const multi_row row = multi_row_of(pair, g, i);
            for (int32_t at = row.first; at < row.end; at++) {
                const int32_t s = multi_partner(pair, g, multi_row_candidate(row, at));
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
    const int changed = tracks->changed[track] > since;
    int32_t n_exchanges = 0;
    if (tracks->size[track] == 0)
        return 0;
    if (changed && tracks->size[track] > 1)
        n_exchanges += improve(swap, tracks, track, -1);
    const int32_t n = find_others(swap, tracks, track);
    for (int32_t k = 0; k < n && tracks->size[track] > 0; k++) {
        const int32_t other = swap->found[k];
        if (tracks->size[other] > 0 && (changed || tracks->changed[other] > since))
            n_exchanges += improve(swap, tracks, track, other);
    }
    swap->settled[track] = now;
    return n_exchanges;
}
