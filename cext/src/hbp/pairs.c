#include "hbp/pairs.h"
#include "base/csr.h"
#include "base/sorted.h"
#include "model/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- set-up */

/* The edges that a matching can pay, and the pair of each. The model is sorted by (label, node), so
 * the edges come by (s, i, t, j) and their first candidate belongs to the smaller label. */
typedef struct edge_list {
    int64_t n;
    int64_t *edge;
    int32_t *pair;
} edge_list;

/* Lists the edges between candidates that differ in both sides, without those of cost 0. */
static void list_edges(const gm_model *model, gm_pool *pool, edge_list *list)
{
    for (int pass = 0; pass < 2; pass++) { /* count, then store */
        list->n = 0;
        for (int64_t e = 0; e < model->n_edges; e++) {
            const int32_t a = model->a[e], b = model->b[e];
            if (model->right[a] == model->right[b] || model->left[a] == model->left[b] ||
                model->edge_cost[e] == 0.0)
                continue;
            if (pass)
                list->edge[list->n] = e;
            list->n++;
        }
        if (!pass) {
            GM_TAKE(pool, list->n, list->edge);
            GM_TAKE(pool, list->n, list->pair);
            if (pool->failed)
                return;
        }
    }
}

/* The position of edge e in a table of all pairs of labels. */
static int64_t cell_of(const gm_model *model, int64_t e)
{
    return (int64_t)model->right[model->a[e]] * model->n1 + model->right[model->b[e]];
}

/* Numbers the pairs of labels that an edge joins; returns how many there are. */
static int32_t number_pairs(const gm_model *model, gm_pool *pool, edge_list *list)
{
    const int64_t n = model->n1;
    int32_t *pair_of, count = 0; /* pair_of: the number plus 1 */
    GM_TAKE(pool, n * n, pair_of);
    if (pool->failed)
        return 0;
    for (int64_t k = 0; k < list->n; k++)
        pair_of[cell_of(model, list->edge[k])] = 1;
    for (int64_t at = 0; at < n * n; at++)
        if (pair_of[at])
            pair_of[at] = ++count;
    for (int64_t k = 0; k < list->n; k++)
        list->pair[k] = pair_of[cell_of(model, list->edge[k])] - 1;
    return count;
}

/* Stable counting sort of n positions by the keys that they have; count is scratch. */
static void sort_by(const int32_t *key, int32_t n_keys, int64_t n, const int64_t *from, int64_t *to,
                    int64_t *count)
{
    memset(count, 0, sizeof *count * ((size_t)n_keys + 1));
    for (int64_t k = 0; k < n; k++)
        count[key[k] + 1]++;
    gm_csr_sum64(count, n_keys);
    for (int64_t k = 0; k < n; k++)
        to[count[key[from[k]]]++] = from[k];
}

/* Gives pair p, whose edges are order[begin .. end-1], a dense table. */
static void make_dense(hbp_pairs *pairs, int32_t p, const gm_model *model, const edge_list *list,
                       const int64_t *order, int64_t begin, int64_t end)
{
    const int64_t n = pairs->n;
    GM_TAKE(&pairs->pool, n * n, pairs->table[p]);
    if (pairs->pool.failed)
        return;
    for (int64_t i = 0; i < n; i++)
        pairs->table[p][i * n + i] = pairs->equal_states;
    for (int64_t k = begin; k < end; k++) {
        const int64_t e = list->edge[order[k]];
        pairs->table[p][model->left[model->a[e]] * n + model->left[model->b[e]]] -=
            model->edge_cost[e];
    }
}

/* Writes the touched states of one side of pair p, and their entries behind the n_entries so far.
 * The edges order[begin .. end-1] are sorted by the state of this side. Returns the number of
 * entries. */
static int64_t touch(hbp_pairs *pairs, int32_t p, int side, const gm_model *model,
                     const edge_list *list, const int64_t *order, int64_t begin, int64_t end,
                     int64_t n_entries)
{
    int64_t at = pairs->touched_start[2 * (int64_t)p + side], last = -1;
    if (pairs->table[p]) {
        for (int32_t i = 0; i < pairs->n; i++, at++) {
            pairs->touched[at] = i;
            pairs->entry_start[at] = n_entries;
        }
    } else {
        for (int64_t k = begin; k < end; k++) {
            const int64_t e = list->edge[order[k]];
            const int32_t i = model->left[side ? model->b[e] : model->a[e]];
            const int32_t j = model->left[side ? model->a[e] : model->b[e]];
            if (i != last) {
                pairs->touched[at] = i;
                pairs->entry_start[at++] = n_entries;
                last = i;
            }
            pairs->entry_state[n_entries] = j;
            pairs->entry[n_entries++] = -model->edge_cost[e];
        }
    }
    pairs->touched_start[2 * (int64_t)p + side + 1] = at;
    pairs->entry_start[at] = n_entries;
    return n_entries;
}

/* The edges of each pair: order[side][pair_start[p]] and following are positions in the list,
 * sorted by the state of that side. */
typedef struct edge_order {
    int64_t *pair_start; /* n_pairs + 1 */
    int64_t *order[2];
} edge_order;

/* Sorts the edges by pair and state, and notes the two variables of every pair. */
static edge_order sort_edges(hbp_pairs *pairs, const gm_model *model, gm_pool *scratch,
                             const edge_list *list)
{
    const int32_t n = pairs->n, n_pairs = pairs->n_pairs, n_keys = n > n_pairs ? n : n_pairs;
    edge_order sorted;
    int64_t *plain, *by_state, *count;
    int32_t *state;
    GM_TAKE(scratch, list->n, plain);
    GM_TAKE(scratch, list->n, by_state);
    GM_TAKE(scratch, list->n, sorted.order[0]);
    GM_TAKE(scratch, list->n, sorted.order[1]);
    GM_TAKE(scratch, list->n, state);
    GM_TAKE(scratch, n_keys + 1, count);
    GM_TAKE(scratch, n_pairs + 1, sorted.pair_start);
    if (scratch->failed)
        return sorted;
    for (int64_t k = 0; k < list->n; k++) {
        plain[k] = k;
        state[k] = model->left[model->b[list->edge[k]]];
        pairs->variable[0][list->pair[k]] = model->right[model->a[list->edge[k]]];
        pairs->variable[1][list->pair[k]] = model->right[model->b[list->edge[k]]];
        sorted.pair_start[list->pair[k] + 1]++;
    }
    gm_csr_sum64(sorted.pair_start, n_pairs);
    sort_by(list->pair, n_pairs, list->n, plain, sorted.order[0], count);
    sort_by(state, n, list->n, plain, by_state, count);
    sort_by(list->pair, n_pairs, list->n, by_state, sorted.order[1], count);
    return sorted;
}

/* The tables of all pairs, dense or as entries. */
static void fill(hbp_pairs *pairs, const gm_model *model, gm_pool *scratch, const edge_list *list)
{
    const int32_t n = pairs->n, n_pairs = pairs->n_pairs;
    const edge_order sorted = sort_edges(pairs, model, scratch, list);
    if (scratch->failed)
        return;
    const int64_t *pair_start = sorted.pair_start;
    int64_t most_touched = 0; /* of a side: a state may have several entries */
    for (int32_t p = 0; p < n_pairs && !pairs->pool.failed; p++) {
        const int64_t n_edges = pair_start[p + 1] - pair_start[p];
        if ((double)n_edges >= GM_DENSE_ENOUGH * (double)n * (double)n)
            make_dense(pairs, p, model, list, sorted.order[0], pair_start[p], pair_start[p + 1]);
        most_touched += pairs->table[p] ? n : n_edges;
    }
    GM_TAKE(&pairs->pool, 2 * most_touched, pairs->touched);
    GM_TAKE(&pairs->pool, 2 * most_touched + 1, pairs->entry_start);
    GM_TAKE(&pairs->pool, 2 * most_touched, pairs->entry_state);
    GM_TAKE(&pairs->pool, 2 * most_touched, pairs->entry);
    if (pairs->pool.failed)
        return;
    int64_t n_entries = 0;
    for (int32_t p = 0; p < n_pairs; p++)
        for (int side = 0; side < 2; side++)
            n_entries = touch(pairs, p, side, model, list, sorted.order[side], pair_start[p],
                              pair_start[p + 1], n_entries);
    gm_csr_group_pairs(pairs->n, pairs->n_pairs, pairs->variable[0], pairs->variable[1],
                       pairs->incident_start, pairs->incident);
}

int hbp_pairs_init(hbp_pairs *pairs, const gm_model *model, double equal_states)
{
    gm_pool scratch = {0}, *pool = &pairs->pool;
    edge_list list = {0};
    *pairs = (hbp_pairs){.n = model->n1, .equal_states = equal_states};
    list_edges(model, &scratch, &list);
    if (!scratch.failed)
        pairs->n_pairs = number_pairs(model, &scratch, &list);
    if (!scratch.failed) {
        GM_TAKE(pool, pairs->n_pairs, pairs->variable[0]);
        GM_TAKE(pool, pairs->n_pairs, pairs->variable[1]);
        GM_TAKE(pool, pairs->n + 1, pairs->incident_start);
        GM_TAKE(pool, 2 * (int64_t)pairs->n_pairs, pairs->incident);
        GM_TAKE(pool, pairs->n_pairs, pairs->table);
        GM_TAKE(pool, 2 * (int64_t)pairs->n_pairs + 1, pairs->touched_start);
        if (!pool->failed)
            fill(pairs, model, &scratch, &list);
    }
    const int failed = scratch.failed || pool->failed;
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

void hbp_pairs_clear(hbp_pairs *pairs)
{
    gm_pool_free(&pairs->pool);
}

/* ---- look-ups */

/* The position of a state in pairs->touched for a side of pair p, -1 if it is not touched. */
static int64_t touched_at(const hbp_pairs *pairs, int32_t p, int side, int32_t state)
{
    const int64_t end = pairs->touched_start[2 * (int64_t)p + side + 1];
    const int64_t at =
        gm_lower_bound(pairs->touched, pairs->touched_start[2 * (int64_t)p + side], end, state);
    return at < end && pairs->touched[at] == state ? at : -1;
}

double hbp_theta(const hbp_pairs *pairs, int32_t p, int32_t i, int32_t j)
{
    if (pairs->table[p])
        return pairs->table[p][(int64_t)i * pairs->n + j];
    const int64_t at = touched_at(pairs, p, 0, i);
    if (at >= 0)
        for (int64_t k = pairs->entry_start[at]; k < pairs->entry_start[at + 1]; k++)
            if (pairs->entry_state[k] == j)
                return pairs->entry[k];
    return i == j ? pairs->equal_states : 0.0;
}

double hbp_message_at(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                      int32_t state)
{
    const hbp_untouched *untouched = &from->untouched[2 * (int64_t)p + side];
    const int64_t at = touched_at(pairs, p, side, state);
    if (at >= 0)
        return from->value[at];
    return state == untouched->where ? untouched->other : untouched->usual;
}

int32_t hbp_exceptions(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                       int32_t *state, double *value)
{
    const int64_t begin = pairs->touched_start[2 * (int64_t)p + side];
    const int64_t end = pairs->touched_start[2 * (int64_t)p + side + 1];
    const hbp_untouched *untouched = &from->untouched[2 * (int64_t)p + side];
    int32_t n = 0;
    for (int64_t k = begin; k < end; k++) {
        state[n] = pairs->touched[k];
        value[n++] = from->value[k];
    }
    if (touched_at(pairs, p, side, untouched->where) < 0) {
        state[n] = untouched->where;
        value[n++] = untouched->other;
    }
    return n;
}

/* ---- max-marginals (compiled for wide vectors; the original's order of operations) */

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

GM_WIDE static void row_maxima(const double *restrict table, int32_t n, const double *restrict give,
                               double *restrict out)
{
    for (int32_t i = 0; i < n; i++) {
        const double *row = table + (int64_t)i * n;
        gm_lanes best = GM_LANES_ALL(-INFINITY);
        int32_t j = 0;
        for (; j + GM_LANES <= n; j += GM_LANES) {
            const gm_lanes x = GM_LANES_AT(row + j) + GM_LANES_AT(give + j);
            best = GM_LANES_CHOOSE(x > best, x, best);
        }
        out[i] = larger(larger(best[0], best[1]), larger(best[2], best[3]));
        for (; j < n; j++)
            out[i] = larger(row[j] + give[j], out[i]);
    }
}

GM_WIDE static void column_maxima(const double *restrict table, int32_t n,
                                  const double *restrict give, double *restrict out)
{
    for (int32_t j = 0; j < n; j++)
        out[j] = -INFINITY;
    for (int32_t i = 0; i < n; i++) {
        const double *row = table + (int64_t)i * n, g = give[i];
        for (int32_t j = 0; j < n; j++)
            out[j] = larger(row[j] + g, out[j]);
    }
}

GM_WIDE static double largest(const double *x, int32_t n)
{
    /* two chains hide the latency */
    gm_lanes best[2] = {GM_LANES_ALL(-INFINITY), GM_LANES_ALL(-INFINITY)};
    int32_t k = 0;
    for (; k + 2 * GM_LANES <= n; k += 2 * GM_LANES)
        for (int chain = 0; chain < 2; chain++) {
            const gm_lanes next = GM_LANES_AT(x + k + chain * GM_LANES);
            best[chain] = GM_LANES_CHOOSE(next > best[chain], next, best[chain]);
        }
    double most = -INFINITY;
    for (int lane = 0; lane < GM_LANES; lane++)
        most = larger(larger(best[0][lane], best[1][lane]), most);
    for (; k < n; k++)
        most = larger(x[k], most);
    return most;
}

/* The first position of a number that is there (the last position, should it have become NaN).
 * Stretches without it are passed in wide vectors. */
GM_WIDE static int32_t position(const double *restrict x, int32_t n, double wanted)
{
    enum { STRETCH = 64 };
    int32_t k = 0;
    for (; k + STRETCH <= n; k += STRETCH) {
        int64_t n_equal = 0;
        for (int32_t j = 0; j < STRETCH; j++)
            n_equal += x[k + j] == wanted;
        if (n_equal)
            break;
    }
    while (k < n - 1 && x[k] != wanted)
        k++;
    return k < n ? k : n - 1;
}

/* The largest give over the background cells in the row of touched state number `at`: over all
 * states but that state itself and those of its entries. */
static double find_background(const hbp_pairs *pairs, int64_t at, const double *give)
{
    const int32_t own = pairs->touched[at];
    int32_t from = 0;
    int own_passed = 0;
    double best = -INFINITY;
    for (int64_t k = pairs->entry_start[at]; k <= pairs->entry_start[at + 1]; k++) {
        int32_t next = k < pairs->entry_start[at + 1] ? pairs->entry_state[k] : pairs->n;
        if (!own_passed && own < next) {
            best = larger(largest(give + from, own - from), best);
            from = own + 1;
            own_passed = 1;
        }
        best = larger(largest(give + from, next - from), best);
        from = next + 1;
    }
    return best;
}

void hbp_collect(const hbp_pairs *pairs, int32_t p, int side, const double *give,
                 gm_two_largest two, const hbp_messages *into)
{
    const int64_t begin = pairs->touched_start[2 * (int64_t)p + side];
    const int64_t end = pairs->touched_start[2 * (int64_t)p + side + 1];
    if (pairs->table[p]) {
        (side ? column_maxima : row_maxima)(pairs->table[p], pairs->n, give, into->value + begin);
        return;
    }
    const double best_give = two.best, runner_up = two.runner_up;
    const int32_t first = position(give, pairs->n, best_give);
    into->untouched[2 * (int64_t)p + side] = (hbp_untouched){
        .usual = best_give,
        .other = larger(runner_up, pairs->equal_states + best_give),
        .where = first,
    };
    for (int64_t at = begin; at < end; at++) {
        const int32_t i = pairs->touched[at];
        double best = pairs->equal_states + give[i];
        /* whether the states with the largest give, and perhaps with the second largest, have no
         * background cell in this row */
        int best_hidden = first == i, runner_up_hidden = give[i] == runner_up;
        for (int64_t k = pairs->entry_start[at]; k < pairs->entry_start[at + 1]; k++) {
            const int32_t j = pairs->entry_state[k];
            best = larger(pairs->entry[k] + give[j], best);
            best_hidden |= j == first;
            runner_up_hidden |= give[j] == runner_up;
        }
        double rest = best_give;
        if (best_hidden)
            rest = runner_up_hidden ? find_background(pairs, at, give) : runner_up;
        into->value[at] = larger(best, rest);
    }
}
