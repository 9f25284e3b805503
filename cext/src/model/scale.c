/* The typical difference of matchings: the number that gaps are compared with (base/gap.h).
 *
 * It is made of prices of second choices: how far the least of several costs is from the next one.
 *
 * Unary costs: those of every node (and 0, if it may stay free) are reduced by the least of them,
 * then those of every label by the least remaining one, as the Hungarian method begins; and the
 * other way round. That removes the common cost of all complete matchings, and a reward on every
 * match. The least positive rest of a node or label is a price. Costs that no matching can want
 * (1e9 for 'forbidden'), few or many, are never the least.
 *
 * Pair costs: those of a candidate with all candidates of another node, or of another label; and
 * those of two nodes, or of two labels. Where few pairs have a cost, 0 is among them.
 *
 * The scale is the median of all prices of a kind, but at most a thousand times the least one, or
 * the least difference of any two costs of that kind, among which is 0 if it need not be paid; that
 * of unary or of pair costs, whichever is less. Without a price, all costs of a kind are equal:
 * then it is their size.
 */
#include "base/pool.h"
#include "base/rounding.h"
#include "base/sorted.h"
#include "gm.h"

#include <math.h>
#include <stdlib.h>

/* Examined: a sample is as good as all of them. */
enum { MOST_PAIR_COSTS = 1 << 11, MOST_SORTED = 1 << 8 };

static const double NOISE = 16.0 * GM_ROUNDING; /* of two costs: their difference is rounding */
static const double DENSE = 0.5;   /* of all pairs: if more have a cost, no 0 is added */
static const double WIDE = 1000.0; /* prices that differ by more than this factor: see above */

/* cost - least, or +inf if that is at most 0 up to rounding, or not finite. */
static double price(double cost, double least)
{
    const double rest = cost - least;
    return rest > NOISE * (fabs(cost) + fabs(least)) ? rest : INFINITY;
}

/* The lower median of n numbers, which are put into another order; +inf for none. */
static double median(int64_t n, double *x)
{
    int64_t first = 0, last = n - 1;
    const int64_t wanted = (n - 1) / 2;
    while (first < last) { /* Hoare: the wanted one is among x[first .. last] */
        const double pivot = x[first + (last - first) / 2];
        int64_t low = first, high = last;
        while (low <= high) {
            while (x[low] < pivot)
                low++;
            while (x[high] > pivot)
                high--;
            if (low <= high) {
                const double held = x[low];
                x[low++] = x[high];
                x[high--] = held;
            }
        }
        if (wanted <= high)
            last = high;
        else if (wanted >= low)
            first = low;
        else
            break;
    }
    return n > 0 ? x[wanted] : INFINITY;
}

static int compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The least difference of two of n costs, and of 0 if that is among them, which is not rounding;
 * +inf if all are equal. Of many it looks at some. */
static double least_difference(int64_t n, const double *cost, int has_zero)
{
    double some[MOST_SORTED + 1], least = INFINITY;
    const int64_t step = n / MOST_SORTED + 1;
    int64_t n_some = 0;
    if (has_zero)
        some[n_some++] = 0.0;
    for (int64_t k = 0; k < n; k += step)
        some[n_some++] = cost[k];
    qsort(some, (size_t)n_some, sizeof *some, compare);
    for (int64_t k = 1; k < n_some; k++)
        least = fmin(least, price(some[k], some[k - 1]));
    return least;
}

/* The scale of n prices, which are put into another order, and of a difference; +inf stands for no
 * price. */
static double scale_of(int64_t n, double *prices, double least)
{
    int64_t n_kept = 0;
    for (int64_t k = 0; k < n; k++)
        if (isfinite(prices[k])) {
            least = prices[k] < least ? prices[k] : least;
            prices[n_kept++] = prices[k];
        }
    return fmin(median(n_kept, prices), WIDE * least);
}

/* ---- unary costs */

/* The least costs of one side, and the prices that its nodes have met. */
typedef struct side {
    const int32_t *node; /* of each candidate */
    int32_t n;
    double *least;  /* of its own costs, */
    double *rest;   /* and of their rest after the other side */
    double *second; /* the least price */
} side;

static void take_side(side *S, gm_pool *pool, int32_t n, const int32_t *node, double free)
{
    S->node = node;
    S->n = n;
    GM_TAKE(pool, n, S->least);
    GM_TAKE(pool, n, S->rest);
    GM_TAKE(pool, n, S->second);
    for (int32_t i = 0; i < n && !pool->failed; i++) {
        S->least[i] = free;
        S->rest[i] = S->second[i] = INFINITY;
    }
}

static void lower(double *x, double y)
{
    *x = y < *x ? y : *x;
}

static double unary_scale(const gm_model *m, gm_pool *pool)
{
    const double free = m->complete ? INFINITY : 0.0;
    side L, R;
    double *found;
    take_side(&L, pool, m->n1, m->left, free);
    take_side(&R, pool, m->n2, m->right, free);
    GM_TAKE(pool, (int64_t)m->n1 + m->n2, found);
    if (pool->failed)
        return INFINITY;
    for (int32_t p = 0; p < m->n_candidates; p++) {
        lower(&L.least[m->left[p]], m->cost[p]);
        lower(&R.least[m->right[p]], m->cost[p]);
    }
    for (int32_t p = 0; p < m->n_candidates; p++) {
        lower(&L.rest[m->left[p]], m->cost[p] - R.least[m->right[p]]);
        lower(&R.rest[m->right[p]], m->cost[p] - L.least[m->left[p]]);
    }
    for (int32_t p = 0; p < m->n_candidates; p++) {
        const int32_t i = m->left[p], s = m->right[p];
        double both = price(m->cost[p], L.least[i] + R.rest[s]);
        lower(&both, price(m->cost[p], R.least[s] + L.rest[i]));
        lower(&L.second[i], both);
        lower(&L.second[i], price(m->cost[p], L.least[i]));
        lower(&R.second[s], both);
        lower(&R.second[s], price(m->cost[p], R.least[s]));
    }
    for (int32_t k = 0; k < m->n1 + m->n2; k++) {
        const side *S = k < m->n1 ? &L : &R;
        const int32_t node = k < m->n1 ? k : k - m->n1;
        found[k] = S->second[node];
        if (!m->complete)
            lower(&found[k], price(0.0, S->least[node]));
    }
    const double least = least_difference(m->n_candidates, m->cost, !m->complete);
    return scale_of((int64_t)m->n1 + m->n2, found, least);
}

/* ---- pair costs */

/* The two least different costs of one set of pairs. */
typedef struct set_of_pairs {
    uint64_t key; /* plus 1; 0: none */
    double least, second;
} set_of_pairs;

/* The sets, in a hash table of a power of two places. */
typedef struct sets {
    set_of_pairs *place;
    uint64_t n_places;
    double zero; /* 0 if it is in all sets, else +inf */
} sets;

static void note(sets *S, uint64_t key, double cost)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15);
    at = (at ^ (at >> 29)) & (S->n_places - 1);
    while (S->place[at].key != 0 && S->place[at].key != key + 1)
        at = (at + 1) & (S->n_places - 1);
    set_of_pairs *found = &S->place[at];
    if (found->key == 0)
        *found = (set_of_pairs){.key = key + 1, .least = S->zero, .second = INFINITY};
    if (isfinite(price(found->least, cost))) {
        found->second = found->least;
        found->least = cost;
    } else if (isfinite(price(cost, found->least)) && cost < found->second) {
        found->second = cost;
    } else if (found->least == INFINITY) {
        found->least = cost;
    }
}

/* Notes the edges of candidate p with later ones, first .. end - 1. */
static void note_edges(sets *S, const gm_model *m, int32_t p, int64_t first, int64_t end)
{
    const uint64_t N = (uint64_t)m->n_candidates + (uint64_t)m->n1 + (uint64_t)m->n2;
    const uint64_t i = (uint64_t)m->left[p], s = (uint64_t)m->right[p];
    const uint64_t nodes = (uint64_t)m->n_candidates, labels = nodes + (uint64_t)m->n1;
    for (int64_t e = first; e < end; e++) {
        const uint64_t j = (uint64_t)m->left[m->b[e]], t = (uint64_t)m->right[m->b[e]];
        const double cost = m->edge_cost[e];
        if (i == j || s == t)
            continue; /* no matching has both */
        note(S, (uint64_t)p * N + nodes + j, cost);
        note(S, (uint64_t)p * N + labels + t, cost);
        note(S, (nodes + (i < j ? i : j)) * N + nodes + (i < j ? j : i), cost);
        note(S, (labels + (s < t ? s : t)) * N + labels + (s < t ? t : s), cost);
    }
}

/* The number of pairs of n candidates of which `node` is the same. */
static double count_conflicts(int32_t n, const int32_t *node, int32_t n_nodes, gm_pool *pool)
{
    int32_t *degree;
    double sum = 0.0;
    GM_TAKE(pool, n_nodes, degree);
    for (int32_t p = 0; p < n && !pool->failed; p++)
        sum += degree[node[p]]++;
    return sum;
}

/* The number of pairs of candidates that a matching can have together. */
static double count_pairs(const gm_model *m, gm_pool *pool)
{
    const double n = m->n_candidates;
    return 0.5 * n * (n - 1.0) - count_conflicts(m->n_candidates, m->left, m->n1, pool) -
           count_conflicts(m->n_candidates, m->right, m->n2, pool);
}

static double pair_scale(const gm_model *m, gm_pool *pool)
{
    const double all = count_pairs(m, pool);
    const int32_t step = (int32_t)(m->n_edges / MOST_PAIR_COSTS) + 1;
    sets S = {.n_places = 16, .zero = (double)m->n_edges < DENSE * all ? 0.0 : INFINITY};
    double *found;
    int64_t n = 0, remaining = m->n_edges < MOST_PAIR_COSTS ? m->n_edges : MOST_PAIR_COSTS;
    while (S.n_places < 6 * (uint64_t)remaining) /* an edge is in four sets */
        S.n_places *= 2;
    GM_TAKE(pool, (int64_t)S.n_places, S.place);
    GM_TAKE(pool, (int64_t)S.n_places, found);
    if (pool->failed)
        return INFINITY;
    for (int64_t p = 0; p < m->n_candidates && remaining > 0; p += step) {
        const int64_t first = gm_lower_bound(m->a, 0, m->n_edges, (int32_t)p);
        const int64_t end = gm_lower_bound(m->a, first, m->n_edges, (int32_t)p + 1);
        const int64_t some = end - first < remaining ? end - first : remaining;
        note_edges(&S, m, (int32_t)p, first, first + some);
        remaining -= some;
    }
    for (uint64_t k = 0; k < S.n_places; k++)
        if (S.place[k].key != 0 && isfinite(S.place[k].second))
            found[n++] = S.place[k].second - S.place[k].least;
    const int has_zero = !m->complete || (double)m->n_edges < all;
    return scale_of(n, found, least_difference(m->n_edges, m->edge_cost, has_zero));
}

/* ---- both */

/* The least absolute value that is not 0, or +inf. */
static double least_size(double least, int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++)
        if (x[k] != 0.0)
            least = fmin(least, fabs(x[k]));
    return least;
}

double gm_cost_scale(const gm_model *model)
{
    gm_pool pool = {NULL, 0};
    double scale = unary_scale(model, &pool);
    if (model->n_edges > 0)
        scale = fmin(scale, pair_scale(model, &pool));
    const int failed = pool.failed;
    gm_pool_free(&pool);
    if (failed)
        return 0.0;
    if (!isfinite(scale)) { /* only the number of matches makes a difference */
        scale = least_size(INFINITY, model->n_candidates, model->cost);
        scale = least_size(scale, model->n_edges, model->edge_cost);
    }
    return isfinite(scale) ? scale : 0.0;
}
