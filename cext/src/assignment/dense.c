/* Column reduction, augmenting row reduction, and augmentation by shortest paths. All three read
 * rows of the matrix from left to right, four entries at a time. */
#include "assignment/dense.h"

#include "base/lanes.h"
#include "base/watch.h"

#include <math.h>
#include <string.h>

enum {
    ROW_STEPS = 4,  /* of the row reduction, per row: two rows can displace each other for long */
    SHORT_ROW = 40, /* in which the place of the least is kept on the way, not looked up */
    LINE = 16       /* numbers: a whole number of cache lines, of 4 or 8 bytes each */
};

#define GM_MASKS_AT(x)         (*(const gm_index_lanes *)(x))
#define GM_MASKS_PUT(x, lanes) (*(gm_index_lanes *)(x) = (lanes))
typedef int64_t gm_index_lanes
    __attribute__((vector_size(GM_LANES * sizeof(int64_t)), aligned(sizeof(int64_t))));

/* Numbers between the begins of two arrays. */
static int64_t step_of(int64_t n)
{
    return (n + LINE - 1) / LINE * LINE;
}

int64_t gm_dense_bytes(int32_t n_rows, int32_t n_cols)
{
    return (4 * step_of(n_cols)) * (int64_t)sizeof(double) +
           step_of(n_cols) * (int64_t)sizeof(int64_t) +
           (2 * step_of(n_cols) + step_of(n_rows)) * (int64_t)sizeof(int32_t);
}

void gm_dense_lay(gm_dense *dense, void *memory, int32_t n_rows, int32_t n_cols)
{
    const int64_t step = step_of(n_cols);
    dense->n_rows = n_rows;
    dense->n_cols = n_cols;
    dense->v = memory;
    dense->open = dense->v + step;
    dense->hidden = dense->open + step;
    dense->distance = dense->hidden + step;
    dense->before = (int64_t *)(dense->distance + step);
    dense->row_of = (int32_t *)(dense->before + step);
    dense->closed = dense->row_of + step;
    dense->col_of = dense->closed + step;
}

GM_INLINE double least(double x, double y)
{
    return x < y ? x : y;
}

/* The least number of some lanes. A macro: vectors are no arguments that all compilers pass alike.
 */
#define LEAST_OF(lanes) least(least((lanes)[0], (lanes)[2]), least((lanes)[1], (lanes)[3]))

/* least[j] = min(least[j], row[j]); which[j] is the row that reaches it. */
GM_INLINE void lower_columns(int32_t n, const double *row, int64_t i, double *least, int64_t *which)
{
    const gm_index_lanes own = {i, i, i, i};
    int32_t j = 0;
    for (; j + GM_LANES <= n; j += GM_LANES) {
        const gm_lanes now = GM_LANES_AT(row + j), old = GM_LANES_AT(least + j);
        const gm_masks is_less = now < old;
        GM_LANES_PUT(least + j, GM_LANES_CHOOSE(is_less, now, old));
        GM_MASKS_PUT(which + j, (own & is_less) | (GM_MASKS_AT(which + j) & ~is_less));
    }
    for (; j < n; j++)
        if (row[j] < least[j]) {
            least[j] = row[j];
            which[j] = i;
        }
}

/* The two least numbers of row - v; best, unless NULL, gets a column of the first. */
GM_INLINE void two_least(int32_t n, const double *row, const double *v, double *first,
                         double *second, int32_t *best)
{
    gm_lanes low = GM_LANES_ALL(INFINITY), next = low;
    gm_masks place = {0, 1, 2, 3}, at = {-1, -1, -1, -1};
    int32_t j = 0;
    for (; j + GM_LANES <= n; j += GM_LANES) {
        const gm_lanes now = GM_LANES_AT(row + j) - GM_LANES_AT(v + j);
        const gm_masks is_less = now < low;
        const gm_lanes more = GM_LANES_CHOOSE(is_less, low, now);
        low = GM_LANES_CHOOSE(is_less, now, low);
        if (best) {
            at = (place & is_less) | (at & ~is_less);
            place += GM_LANES;
        }
        next = GM_LANES_CHOOSE(more < next, more, next);
    }
    const double even = least(low[0], low[2]), odd = least(low[1], low[3]);
    const double others = least(even == low[0] ? low[2] : low[0], odd == low[1] ? low[3] : low[1]);
    double one = least(even, odd), two = least(even < odd ? odd : even, others);
    const int64_t even_at = even == low[0] ? at[0] : at[2], odd_at = odd == low[1] ? at[1] : at[3];
    int32_t of_one = (int32_t)(even == one ? even_at : odd_at);
    two = least(LEAST_OF(next), two);
    for (; j < n; j++) {
        const double now = row[j] - v[j];
        two = now < one ? one : least(now, two);
        of_one = now < one ? j : of_one;
        one = least(now, one);
    }
    *first = one;
    *second = two;
    if (best)
        *best = of_one;
}

/* open[j] = min(open[j], base + row[j] - hidden[j]), which sets before[j] = i. Returns the least.
 */
GM_INLINE double relax(int32_t n, const double *row, const double *hidden, double base, int64_t i,
                       double *open, int64_t *before)
{
    const gm_lanes shift = GM_LANES_ALL(base);
    const gm_index_lanes own = {i, i, i, i};
    gm_lanes low = GM_LANES_ALL(INFINITY);
    int32_t j = 0;
    for (; j + GM_LANES <= n; j += GM_LANES) {
        const gm_lanes now = shift + (GM_LANES_AT(row + j) - GM_LANES_AT(hidden + j));
        const gm_lanes old = GM_LANES_AT(open + j);
        const gm_masks is_less = now < old;
        const gm_lanes kept = GM_LANES_CHOOSE(is_less, now, old);
        GM_LANES_PUT(open + j, kept);
        GM_MASKS_PUT(before + j, (own & is_less) | (GM_MASKS_AT(before + j) & ~is_less));
        low = GM_LANES_CHOOSE(kept < low, kept, low);
    }
    double lowest = LEAST_OF(low);
    for (; j < n; j++) {
        const double now = base + (row[j] - hidden[j]);
        if (now < open[j]) {
            open[j] = now;
            before[j] = i;
        }
        lowest = least(open[j], lowest);
    }
    return lowest;
}

static const double *row_at(const gm_dense *dense, int32_t i)
{
    return dense->cost + (int64_t)i * dense->n_cols;
}

GM_WIDE double gm_dense_row_dual(const gm_dense *dense, int32_t i)
{
    double first, second;
    two_least(dense->n_cols, row_at(dense, i), dense->v, &first, &second, NULL);
    return first;
}

/* What rounding has taken from the difference d of a and b (Knuth). */
static double lost(double a, double b, double d)
{
    const double part = d - a;
    return (a - (d - part)) - (b + part);
}

/* By how much cost - v of row i in its column exceeds that of column j, of which it is not less as
 * doubles are compared: such differences are compared with all of their bits. */
static double excess_over(const double *row, const double *v, int32_t own, int32_t j)
{
    const double mine = row[own] - v[own], other = row[j] - v[j];
    return (mine - other) + (lost(row[own], v[own], mine) - lost(row[j], v[j], other));
}

/* Differences that are larger as doubles are larger. */
GM_WIDE double gm_dense_excess(const gm_dense *dense)
{
    const int32_t n = dense->n_cols;
    const double *v = dense->v;
    double total = 0.0;
    for (int32_t i = 0; i < dense->n_rows; i++) {
        const double *row = row_at(dense, i);
        const int32_t own = dense->col_of[i];
        const double mine = row[own] - v[own];
        double most = 0.0;
        for (int32_t j = 0; j < n; j += GM_LANES) {
            int64_t is_within = -1;
            if (j + GM_LANES <= n) {
                const gm_masks within =
                    GM_LANES_AT(row + j) - GM_LANES_AT(v + j) <= GM_LANES_ALL(mine);
                is_within = within[0] | within[1] | within[2] | within[3];
            }
            for (int32_t k = j; is_within && k < j + GM_LANES && k < n; k++)
                if (row[k] - v[k] <= mine)
                    most = fmax(most, excess_over(row, v, own, k));
        }
        total += most * (1.0 + 0x1p-50);
    }
    return total;
}

/* COLUMN REDUCTION, if every column gets a row: its dual is its least cost. The last column of a
 * row that is the least in several is its own. */
GM_INLINE void reduce_columns(gm_dense *dense, gm_watch *watch)
{
    const int32_t n = dense->n_cols;
    for (int32_t j = 0; j < n; j++)
        dense->v[j] = INFINITY;
    for (int32_t i = 0; i < n && !gm_watch_spend(watch, n); i++)
        lower_columns(n, row_at(dense, i), i, dense->v, dense->before);
    for (int32_t j = 0; j < n && !gm_watch_is_over(watch); j++) {
        const int32_t i = (int32_t)dense->before[j];
        if (dense->col_of[i] >= 0)
            dense->row_of[dense->col_of[i]] = -1;
        dense->col_of[i] = j;
        dense->row_of[j] = i;
    }
}

/* AUGMENTING ROW REDUCTION: row i takes its best column, whose dual falls by the distance to the
 * second best. Returns the row that loses the column, -1 for none; `steps` is set to 0 for a tie,
 * in which nothing falls. */
GM_INLINE int32_t take_best(gm_dense *dense, int32_t i, int64_t *steps)
{
    const double *row = row_at(dense, i);
    double first, second;
    int32_t best = -1;
    if (dense->n_cols <= SHORT_ROW)
        two_least(dense->n_cols, row, dense->v, &first, &second, &best);
    else
        two_least(dense->n_cols, row, dense->v, &first, &second, NULL);
    if (best < 0 || !(second > first)) { /* the first of the free columns, or of all */
        best = -1;
        for (int32_t j = 0; j < dense->n_cols; j++)
            if (row[j] - dense->v[j] == first) {
                if (best < 0 || dense->row_of[j] < 0)
                    best = j;
                if (second > first || dense->row_of[best] < 0)
                    break;
            }
    }
    if (best < 0) { /* costs beyond the range of doubles */
        *steps = 0;
        return -1;
    }
    const int32_t displaced = dense->row_of[best];
    if (second > first && second < INFINITY)
        dense->v[best] -= second - first;
    else
        *steps = 0;
    dense->col_of[i] = best;
    dense->row_of[best] = i;
    if (displaced >= 0)
        dense->col_of[displaced] = -1;
    return displaced;
}

GM_INLINE void reduce_rows(gm_dense *dense, gm_watch *watch)
{
    for (int32_t i = 0; i < dense->n_rows && !gm_watch_is_over(watch); i++) {
        if (dense->col_of[i] >= 0)
            continue;
        int64_t steps = ROW_STEPS;
        for (int32_t k = i; k >= 0 && steps > 0 && !gm_watch_spend(watch, dense->n_cols); steps--) {
            if (dense->col_of[k] >= 0)
                break;
            k = take_best(dense, k, &steps);
        }
    }
}

/* AUGMENTATION: the shortest path from a free row to a free column. Columns whose distance is
 * final are closed: `hidden`, the duals of all others, is -inf there. */
GM_INLINE int augment(gm_dense *dense, int32_t root, gm_watch *watch)
{
    const int32_t n = dense->n_cols;
    int32_t i = root, end = -1, n_closed = 0;
    double base = 0.0, least = 0.0;
    memcpy(dense->hidden, dense->v, sizeof *dense->v * (size_t)n);
    for (int32_t j = 0; j < n; j++)
        dense->open[j] = INFINITY;
    while (end < 0) {
        if (gm_watch_spend(watch, n))
            return GM_ECUT;
        least = relax(n, row_at(dense, i), dense->hidden, base, i, dense->open, dense->before);
        if (!(least < INFINITY))
            return GM_ELIMIT;
        int32_t nearest = -1;
        for (int32_t j = 0; j < n; j++)
            if (dense->open[j] == least) {
                nearest = j;
                if (dense->row_of[j] < 0)
                    break;
            }
        i = dense->row_of[nearest];
        if (i < 0) {
            end = nearest;
        } else { /* it is closed; the reduced cost of a matched pair is 0 */
            base = least - (row_at(dense, i)[nearest] - dense->v[nearest]);
            dense->closed[n_closed++] = nearest;
            dense->hidden[nearest] = -INFINITY;
            dense->open[nearest] = INFINITY;
            dense->distance[nearest] = least;
        }
    }
    for (int32_t k = 0; k < n_closed; k++) {
        const int32_t j = dense->closed[k];
        dense->v[j] += dense->distance[j] - least;
    }
    for (int32_t j = end; i != root;) { /* each row on the path gets the column that follows it */
        i = (int32_t)dense->before[j];
        const int32_t next = dense->col_of[i];
        dense->row_of[j] = i;
        dense->col_of[i] = j;
        j = next;
    }
    return GM_OK;
}

GM_WIDE int gm_dense_solve(gm_dense *dense, gm_watch *watch)
{
    for (int32_t i = 0; i < dense->n_rows; i++)
        dense->col_of[i] = -1;
    for (int32_t j = 0; j < dense->n_cols; j++) {
        dense->row_of[j] = -1;
        dense->before[j] = 0;
        dense->v[j] = 0.0;
    }
    if (dense->n_rows == dense->n_cols)
        reduce_columns(dense, watch);
    reduce_rows(dense, watch);
    int status = gm_watch_is_over(watch) ? GM_ECUT : GM_OK;
    for (int32_t i = 0; i < dense->n_rows && status == GM_OK; i++)
        if (dense->col_of[i] < 0)
            status = augment(dense, i, watch);
    return status;
}
