/* What matchings differ in: the number that gaps are compared with (base/gap.h).
 *
 * Unary costs: every node's costs (and 0, where it may stay free) are reduced by the least of them,
 * then every label's by the least of what remains, as the Hungarian method begins. That removes
 * what all complete matchings pay, and a reward on every match. The least positive rest of a node
 * or label is the price of its second choice; costs that no matching can want (1e9 for
 * 'forbidden'), few or many, are never the least.
 *
 * Pair costs: the costs of a candidate together with the candidates of another node are a row of a
 * table, with 0 where there is no edge. The distance from the least of them to the next one is
 * again the price of a second choice.
 *
 * The scale is the median of all these prices, but at most a thousand times the least one; that of
 * nodes and labels or that of rows, whichever is less. Where there is none, all costs of a kind are
 * equal: then it is their size.
 */
#include "base/magnitude.h"
#include "base/pool.h"
#include "base/rounding.h"
#include "base/sorted.h"
#include "gm.h"

#include <math.h>

enum { MOST_PAIR_COSTS = 1 << 15 }; /* looked at: a sample tells as much as all of them */

static const double NOISE = 16.0 * GM_ROUNDING; /* of two costs: their difference is rounding */
static const double WIDE = 1000.0; /* prices that differ by more than this factor: see above */

/* cost - least, or +inf where that is 0 but for rounding. */
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

/* The scale of n prices, which are put into another order; +inf stands for no price. */
static double scale_of(int64_t n, double *prices)
{
    int64_t n_kept = 0;
    double least = INFINITY;
    for (int64_t k = 0; k < n; k++)
        if (isfinite(prices[k])) {
            least = prices[k] < least ? prices[k] : least;
            prices[n_kept++] = prices[k];
        }
    return fmin(median(n_kept, prices), WIDE * least);
}

/* ---- unary costs */

static double unary_scale(const gm_model *m, gm_pool *pool)
{
    double *least1, *least2, *second; /* of nodes, of labels; of nodes, then of labels */
    GM_TAKE(pool, m->n1, least1);
    GM_TAKE(pool, m->n2, least2);
    GM_TAKE(pool, (int64_t)m->n1 + m->n2, second);
    if (pool->failed)
        return INFINITY;
    for (int32_t i = 0; i < m->n1; i++)
        least1[i] = m->complete ? INFINITY : 0.0;
    for (int32_t s = 0; s < m->n2; s++)
        least2[s] = INFINITY;
    for (int64_t k = 0; k < (int64_t)m->n1 + m->n2; k++)
        second[k] = INFINITY;
    for (int32_t p = 0; p < m->n_candidates; p++)
        if (m->cost[p] < least1[m->left[p]])
            least1[m->left[p]] = m->cost[p];
    for (int32_t p = 0; p < m->n_candidates; p++) {
        const double rest = m->cost[p] - least1[m->left[p]];
        if (rest < least2[m->right[p]])
            least2[m->right[p]] = rest;
    }
    for (int32_t p = 0; p < m->n_candidates; p++) {
        const int32_t i = m->left[p], s = m->right[p];
        const double own = price(m->cost[p], least1[i]);
        const double both = price(m->cost[p], least1[i] + least2[s]);
        second[i] = fmin(second[i], fmin(own, both));
        second[m->n1 + s] = fmin(second[m->n1 + s], both);
    }
    for (int32_t i = 0; i < m->n1 && !m->complete; i++)
        second[i] = fmin(second[i], price(0.0, least1[i]));
    return scale_of((int64_t)m->n1 + m->n2, second);
}

/* ---- pair costs */

/* The rows of one candidate: its costs with the candidates of each other node. */
typedef struct rows {
    int32_t *n_labels;      /* of each node */
    int32_t *met;           /* per node: the candidate whose row it has, plus 1 */
    int32_t *n;             /* edges in the row */
    double *least, *second; /* of the row */
    int32_t *node;          /* nodes that have a row, n_rows of them */
    int32_t n_rows;
} rows;

static int take_rows(rows *R, gm_pool *pool, const gm_model *m)
{
    GM_TAKE(pool, m->n1, R->n_labels);
    GM_TAKE(pool, m->n1, R->met);
    GM_TAKE(pool, m->n1, R->n);
    GM_TAKE(pool, m->n1, R->least);
    GM_TAKE(pool, m->n1, R->second);
    GM_TAKE(pool, m->n1, R->node);
    for (int32_t p = 0; p < m->n_candidates && !pool->failed; p++)
        R->n_labels[m->left[p]]++;
    return !pool->failed;
}

/* Whether the edge between two candidates counts: no matching has both of two that conflict. */
static int is_possible(const gm_model *m, int32_t p, int32_t q)
{
    return m->left[p] != m->left[q] && m->right[p] != m->right[q];
}

/* Edges first .. end - 1 are those of candidate p with later ones. */
static void fill_rows(rows *R, const gm_model *m, int32_t p, int64_t first, int64_t end)
{
    R->n_rows = 0;
    for (int64_t e = first; e < end; e++) {
        const int32_t j = m->left[m->b[e]];
        if (!is_possible(m, p, m->b[e]))
            continue;
        if (R->met[j] != p + 1) {
            R->met[j] = p + 1;
            R->n[j] = 0;
            R->least[j] = INFINITY;
            R->node[R->n_rows++] = j;
        }
        R->n[j]++;
        R->least[j] = m->edge_cost[e] < R->least[j] ? m->edge_cost[e] : R->least[j];
    }
    for (int32_t r = 0; r < R->n_rows; r++) {
        const int32_t j = R->node[r];
        R->second[j] = INFINITY;
        if (R->n[j] < R->n_labels[j] - 1) { /* the others of its labels: 0 */
            R->least[j] = fmin(R->least[j], 0.0);
            R->second[j] = price(0.0, R->least[j]);
        }
    }
    for (int64_t e = first; e < end; e++) {
        const int32_t j = m->left[m->b[e]];
        if (is_possible(m, p, m->b[e]))
            R->second[j] = fmin(R->second[j], price(m->edge_cost[e], R->least[j]));
    }
}

static double pair_scale(const gm_model *m, gm_pool *pool)
{
    const int32_t step = (int32_t)(m->n_edges / MOST_PAIR_COSTS) + 1;
    rows R = {0};
    double *found;
    int64_t n = 0, room = m->n_edges / step + 2 * (int64_t)MOST_PAIR_COSTS;
    room = room < m->n_edges ? room : m->n_edges;
    GM_TAKE(pool, room, found);
    if (!take_rows(&R, pool, m))
        return INFINITY;
    for (int64_t p = 0; p < m->n_candidates; p += step) {
        const int64_t first = gm_lower_bound(m->a, 0, m->n_edges, (int32_t)p);
        const int64_t end = gm_lower_bound(m->a, first, m->n_edges, (int32_t)p + 1);
        fill_rows(&R, m, (int32_t)p, first, end);
        for (int32_t r = 0; r < R.n_rows && n < room; r++)
            found[n++] = R.second[R.node[r]];
    }
    return scale_of(n, found);
}

/* ---- both */

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
    if (isfinite(scale))
        return scale;
    /* no second choice costs more: only the number of matches makes a difference */
    const double unary = gm_largest_magnitude(0.0, model->n_candidates, model->cost);
    const double pairs = gm_largest_magnitude(0.0, model->n_edges, model->edge_cost);
    return unary > 0.0 && pairs > 0.0 ? fmin(unary, pairs) : fmax(unary, pairs);
}
