/* Column reduction, augmenting row reduction, and augmentation by shortest paths. All three read
 * rows of the matrix from left to right, four entries at a time. */
#include "assignment/dense.h"

#include "base/lanes.h"
#include "base/watch.h"

#include <math.h>
#include <string.h>

enum {
    ROW_STEPS = 4, /* of the row reduction, per row: two rows can displace each other for long */
    LINE = 16      /* numbers: a whole number of cache lines, of 4 or 8 bytes each */
};

#define GM_MASKS_AT(x)         (*(const gm_index_lanes *)(x))
#define GM_MASKS_PUT(x, lanes) (*(gm_index_lanes *)(x) = (lanes))
typedef int64_t gm_index_lanes
    __attribute__((vector_size(GM_LANES * sizeof(int64_t)), aligned(sizeof(int64_t))));

void gm_dense_take(gm_dense *dense, gm_pool *pool, int32_t n_rows, int32_t n_cols)
{
    /* Three pieces instead of eight: taking memory costs as much as solving ten rows. Each array
     * begins at a cache line. */
    const int64_t step = ((int64_t)n_cols + LINE - 1) / LINE * LINE;
    double *numbers;
    int32_t *indices;
    GM_TAKE(pool, 4 * step, numbers);
    GM_TAKE(pool, 2 * step + n_rows, indices);
    dense->n_rows = n_rows;
    dense->n_cols = n_cols;
    GM_TAKE(pool, n_cols, dense->before);
    if (pool->failed)
        return;
    dense->v = numbers;
    dense->open = numbers + step;
    dense->hidden = numbers + 2 * step;
    dense->distance = numbers + 3 * step;
    dense->row_of = indices;
    dense->closed = indices + step;
    dense->col_of = indices + 2 * step;
}

/* The least number of some lanes. */
static double least_of(gm_lanes lanes)
{
    double least = lanes[0];
    for (int k = 1; k < GM_LANES; k++)
        least = lanes[k] < least ? lanes[k] : least;
    return least;
}

/* least[j] = min(least[j], row[j]); which[j] is the row that reaches it. */
GM_WIDE static void lower_columns(int32_t n, const double *row, int64_t i, double *least,
                                  int64_t *which)
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

/* The two least numbers of row - v. */
GM_WIDE static void two_least(int32_t n, const double *row, const double *v, double *first,
                              double *second)
{
    gm_lanes low = GM_LANES_ALL(INFINITY), next = low;
    int32_t j = 0;
    for (; j + GM_LANES <= n; j += GM_LANES) {
        const gm_lanes now = GM_LANES_AT(row + j) - GM_LANES_AT(v + j);
        const gm_masks is_less = now < low;
        const gm_lanes more = GM_LANES_CHOOSE(is_less, low, now);
        low = GM_LANES_CHOOSE(is_less, now, low);
        next = GM_LANES_CHOOSE(more < next, more, next);
    }
    *first = *second = INFINITY;
    for (int k = 0; k < 2 * GM_LANES || j < n; k++) {
        const double now = k < GM_LANES       ? low[k]
                           : k < 2 * GM_LANES ? next[k - GM_LANES]
                                              : row[j] - v[j];
        if (k >= 2 * GM_LANES)
            j++;
        if (now < *first) {
            *second = *first;
            *first = now;
        } else if (now < *second) {
            *second = now;
        }
    }
}

/* open[j] = min(open[j], base + row[j] - hidden[j]), which sets before[j] = i. Returns the least.
 */
GM_WIDE static double relax(int32_t n, const double *row, const double *hidden, double base,
                            int64_t i, double *open, int64_t *before)
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
    double least = least_of(low);
    for (; j < n; j++) {
        const double now = base + (row[j] - hidden[j]);
        if (now < open[j]) {
            open[j] = now;
            before[j] = i;
        }
        least = open[j] < least ? open[j] : least;
    }
    return least;
}

static const double *row_at(const gm_dense *dense, int32_t i)
{
    return dense->cost + (int64_t)i * dense->n_cols;
}

double gm_dense_row_dual(const gm_dense *dense, int32_t i)
{
    double first, second;
    two_least(dense->n_cols, row_at(dense, i), dense->v, &first, &second);
    return first;
}

/* What rounding has taken from the difference d of a and b (Knuth). */
static double lost(double a, double b, double d)
{
    const double part = d - a;
    return (a - (d - part)) - (b + part);
}

/* Differences that are larger as doubles are larger. Those that are not are compared with all of
 * their bits. */
double gm_dense_excess(const gm_dense *dense, int32_t i)
{
    const double *row = row_at(dense, i);
    const int32_t m = dense->col_of[i];
    const double own = row[m] - dense->v[m], own_lost = lost(row[m], dense->v[m], own);
    double first, second, most = 0.0;
    two_least(dense->n_cols, row, dense->v, &first, &second);
    if (first == own && second > own)
        return 0.0;
    for (int32_t j = 0; j < dense->n_cols; j++) {
        const double now = row[j] - dense->v[j];
        if (now <= own)
            most = fmax(most, (own - now) + (own_lost - lost(row[j], dense->v[j], now)));
    }
    return most * (1.0 + 0x1p-50);
}

/* COLUMN REDUCTION, if every column gets a row: its dual is its least cost. The last column of a
 * row that is the least in several is its own. */
static void reduce_columns(gm_dense *dense, gm_watch *watch)
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
static int32_t take_best(gm_dense *dense, int32_t i, int64_t *steps)
{
    const double *row = row_at(dense, i);
    double first, second;
    two_least(dense->n_cols, row, dense->v, &first, &second);
    int32_t best = -1;
    for (int32_t j = 0; j < dense->n_cols; j++)
        if (row[j] - dense->v[j] == first) {
            if (best < 0 || dense->row_of[j] < 0)
                best = j;
            if (second > first || dense->row_of[best] < 0)
                break;
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

static void reduce_rows(gm_dense *dense, gm_watch *watch)
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
static int augment(gm_dense *dense, int32_t root, gm_watch *watch)
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

int gm_dense_solve(gm_dense *dense, gm_watch *watch)
{
    for (int32_t i = 0; i < dense->n_rows; i++)
        dense->col_of[i] = -1;
    for (int32_t j = 0; j < dense->n_cols; j++) {
        dense->row_of[j] = -1;
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
