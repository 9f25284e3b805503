#include "fm/bca_table.h"
#include "fm/policy.h"

#include "base/lanes.h"
#include "model/background.h"

#include <math.h>
#include <string.h>

/* Dense rows end with whole lanes. */
static int64_t pad_width(int32_t n)
{
    return ((int64_t)n + GM_LANES - 1) / GM_LANES * GM_LANES;
}

/* In the words of bca.h, with theta(s,t) the table and the rows of the dummy all 0:
 *
 *     row_rest(s)       = A(s) - U1(s) = 1/2 (A(s) - min_t (theta(s,t) + B(t)))
 *     column_minimum(t) = V(t) - B(t)  = min_s (theta(s,t) + row_rest(s))       message to v
 *     out(s)            = U(s) - A(s)  = min_t (theta(s,t) - column_minimum(t)) message to u
 */

/* ---- the exchange on a dense table */

/* min_t (row(t) + b(t)), or `dummy` if that is less. */
#define ROW_MINIMUM(row, b, width, dummy, result)                                                  \
    do {                                                                                           \
        gm_lanes least_ = GM_LANES_ALL(dummy);                                                     \
        for (int64_t t_ = 0; t_ < (width); t_ += GM_LANES) {                                       \
            const gm_lanes x_ = GM_LANES_AT((row) + t_) + GM_LANES_AT((b) + t_);                   \
            least_ = GM_LANES_CHOOSE(x_ < least_, x_, least_);                                     \
        }                                                                                          \
        const double low_ = least_[0] < least_[1] ? least_[0] : least_[1];                         \
        const double high_ = least_[2] < least_[3] ? least_[2] : least_[3];                        \
        (result) = low_ < high_ ? low_ : high_;                                                    \
    } while (0)

/* Fills row_rest, and lowers column_minimum by the rows; `dummy` is B of the opposite dummy. */
GM_WIDE static void dense_down(const double *restrict cell, int32_t n_rows, int64_t width,
                               const double *restrict a, const double *restrict b, double dummy,
                               double *restrict row_rest, double *restrict column_minimum)
{
    for (int32_t s = 0; s < n_rows; s++, cell += width) {
        double least;
        ROW_MINIMUM(cell, b, width, dummy, least);
        const double rest = 0.5 * (a[s] - least);
        row_rest[s] = rest;
        for (int64_t t = 0; t < width; t++) {
            const double x = cell[t] + rest;
            column_minimum[t] = x < column_minimum[t] ? x : column_minimum[t];
        }
    }
}

/* out(s) = min_t (theta(s,t) + b(t)) over the labels, and `dummy` for the dummy */
GM_WIDE static void dense_up(const double *restrict cell, int32_t n_rows, int64_t width,
                             const double *restrict b, double dummy, double *restrict out)
{
    for (int32_t s = 0; s < n_rows; s++, cell += width)
        ROW_MINIMUM(cell, b, width, dummy, out[s]);
}

/* ---- the exchange on a sparse table */

/* The smallest of b[0..n-1], ascending, with a bit for each in rank_bit. Returns how many. */
static int32_t rank_smallest(const double *b, int32_t n, double *value, int32_t *place,
                             uint32_t *rank_bit)
{
    int32_t found = 0;
    for (int32_t t = 0; t < n; t++) {
        if (found == FM_N_SMALLEST && !(b[t] < value[found - 1]))
            continue;
        int32_t k = found < FM_N_SMALLEST ? found++ : FM_N_SMALLEST - 1;
        for (; k > 0 && b[t] < value[k - 1]; k--) {
            value[k] = value[k - 1];
            place[k] = place[k - 1];
        }
        value[k] = b[t];
        place[k] = t;
    }
    for (int32_t k = 0; k < found; k++)
        rank_bit[place[k]] = UINT32_C(1) << k;
    return found;
}

/* Minimum of b over the columns that a row does not hide, if it hides all of the smallest. */
static double background_by_scan(const bca_tables *tables, int64_t row, const double *b, int32_t n)
{
    uint8_t *mark = tables->mark;
    double least = INFINITY;
    for (int64_t k = tables->row_start[row]; k < tables->hidden_end[row]; k++)
        mark[tables->column[k]] = 1;
    for (int32_t t = 0; t < n; t++)
        if (!mark[t] && b[t] < least)
            least = b[t];
    for (int64_t k = tables->row_start[row]; k < tables->hidden_end[row]; k++)
        mark[tables->column[k]] = 0;
    return least;
}

/* out(s) = min_t (theta(s,t) + b(t)) over n columns, the dummy included. */
static void sparse_up(const bca_tables *tables, int64_t row, int32_t n_rows, const double *b,
                      int32_t n, double *out)
{
    double value[FM_N_SMALLEST];
    int32_t place[FM_N_SMALLEST];
    uint32_t *rank_bit = tables->rank_bit;
    const int32_t found = rank_smallest(b, n, value, place, rank_bit);
    for (int32_t s = 0; s < n_rows; s++, row++) {
        uint32_t hidden = 0;
        double least = INFINITY;
        int64_t k = tables->row_start[row];
        for (; k < tables->hidden_end[row]; k++) {
            const int32_t t = tables->column[k];
            const double x = tables->entry[k] + b[t];
            least = x < least ? x : least;
            hidden |= rank_bit[t];
        }
        for (; k < tables->row_start[row + 1]; k++) {
            const double x = tables->entry[k] + b[tables->column[k]];
            least = x < least ? x : least;
        }
        int32_t first = 0;
        while (first < found && (hidden >> first & 1))
            first++;
        const double background =
            first < found ? value[first] : background_by_scan(tables, row, b, n);
        out[s] = background < least ? background : least;
    }
    for (int32_t k = 0; k < found; k++)
        rank_bit[place[k]] = 0;
}

/* column_minimum(t) = min_s (theta(s,t) + row_rest(s)) over n_rows rows and the dummy
 * (row_rest[n_rows]), whose row hides nothing: no column is without a background. */
static void sparse_down(const bca_tables *tables, int64_t row, int32_t n_rows,
                        const double *row_rest, int32_t n, double *column_minimum)
{
    const gm_hidden hidden = {tables->row_start + row, tables->hidden_end + row, tables->column};
    gm_background_minima(hidden, row_rest, n_rows + 1, column_minimum, n, tables->pending,
                         tables->mark);
    for (int32_t s = 0; s < n_rows; s++)
        for (int64_t k = tables->row_start[row + s]; k < tables->row_start[row + s + 1]; k++) {
            const int32_t t = tables->column[k];
            const double x = tables->entry[k] + row_rest[s];
            column_minimum[t] = x < column_minimum[t] ? x : column_minimum[t];
        }
}

/* ---- one link */

static double smallest(const double *x, int32_t n)
{
    double least = x[0];
    for (int32_t k = 1; k < n; k++)
        least = x[k] < least ? x[k] : least;
    return least;
}

static double largest(const double *x, int32_t n)
{
    double most = x[0];
    for (int32_t k = 1; k < n; k++)
        most = x[k] > most ? x[k] : most;
    return most;
}

/* column_minimum (n_v labels, then the dummy) and to_u (n_u labels) of a dense table; the dummy's
 * row_rest is there. */
static void exchange_dense(const bca_tables *tables, int32_t e, int32_t n_u, int32_t n_v,
                           double *to_u)
{
    const double *cell = tables->cell + tables->start[e];
    const int64_t width = pad_width(n_v);
    double *b = tables->b;
    double *row_rest = tables->row_rest;
    double *column_minimum = tables->column_minimum;
    double *negative = tables->negative;
    const double dummy = b[n_v];
    for (int64_t t = n_v; t < width; t++)
        b[t] = 0.0; /* next to padding cells, which are infinite */
    for (int64_t t = 0; t < width; t++)
        column_minimum[t] = row_rest[n_u];
    dense_down(cell, n_u, width, tables->a, b, dummy, row_rest, column_minimum);
    b[n_v] = dummy;
    column_minimum[n_v] = smallest(row_rest, n_u + 1);
    for (int64_t t = 0; t < width; t++)
        negative[t] = -column_minimum[t];
    for (int64_t t = n_v; t < width; t++)
        negative[t] = 0.0;
    dense_up(cell, n_u, width, negative, -column_minimum[n_v], to_u);
}

/* The same of a sparse table. */
static void exchange_sparse(const bca_tables *tables, int32_t e, int32_t n_u, int32_t n_v,
                            double *to_u)
{
    const int64_t row = tables->start[e];
    const double *a = tables->a;
    double *row_rest = tables->row_rest;
    double *column_minimum = tables->column_minimum;
    double *negative = tables->negative;
    sparse_up(tables, row, n_u, tables->b, n_v + 1, row_rest);
    for (int32_t s = 0; s < n_u; s++)
        row_rest[s] = 0.5 * (a[s] - row_rest[s]);
    sparse_down(tables, row, n_u, row_rest, n_v, column_minimum);
    column_minimum[n_v] = smallest(row_rest, n_u + 1);
    for (int32_t t = 0; t <= n_v; t++)
        negative[t] = -column_minimum[t];
    sparse_up(tables, row, n_u, negative, n_v + 1, to_u);
}

void bca_tables_exchange(const bca_tables *tables, int32_t e, double *to_u, double *to_v)
{
    const gm_index *index = tables->index;
    const int32_t n_u = gm_index_n_labels(index, index->link_u[e]);
    const int32_t n_v = gm_index_n_labels(index, index->link_v[e]);
    /* the row of the dummy is all background */
    tables->row_rest[n_u] = 0.5 * (tables->a[n_u] - smallest(tables->b, n_v + 1));
    if (tables->is_dense[e])
        exchange_dense(tables, e, n_u, n_v, to_u);
    else
        exchange_sparse(tables, e, n_u, n_v, to_u);
    to_u[n_u] = -largest(tables->column_minimum, n_v + 1);
    memcpy(to_v, tables->column_minimum, (size_t)(n_v + 1) * sizeof *to_v);
}

enum { FETCHED_CELLS = 1024 }; /* of the next dense table, fetched ahead of its use */

void bca_tables_fetch(const bca_tables *tables, int32_t e)
{
    enum { CELLS_OF_A_CACHE_LINE = 64 / sizeof(double) };
    const gm_index *index = tables->index;
    if (!tables->is_dense[e])
        return;
    const double *cell = tables->cell + tables->start[e];
    const int64_t size = gm_index_n_labels(index, index->link_u[e]) *
                         pad_width(gm_index_n_labels(index, index->link_v[e]));
    for (int64_t k = 0; k < size && k < FETCHED_CELLS; k += CELLS_OF_A_CACHE_LINE)
        __builtin_prefetch(cell + k);
}

/* ---- setting up */

static void fill_dense(const bca_tables *tables, int32_t e, double beyond)
{
    const gm_index *index = tables->index;
    const int32_t u = index->link_u[e], v = index->link_v[e], n_v = gm_index_n_labels(index, v);
    const int64_t width = pad_width(n_v);
    double *cell = tables->cell + tables->start[e];
    gm_fill_table(index, u, v, e, beyond, width, cell);
    for (int32_t s = 0; s < gm_index_n_labels(index, u); s++)
        for (int64_t t = n_v; t < width; t++)
            cell[s * width + t] = INFINITY;
}

/* Writes the entries of slot p's row, which begin at number k of the index, to place `at` and
 * behind it: those above 0, which hide the background, or those that are not. Returns their end. */
static int64_t put_entries(const bca_tables *tables, int32_t e, int64_t k, int32_t p, int hides,
                           int64_t at)
{
    const gm_index *index = tables->index;
    const int32_t first_v = index->node_start[index->link_v[e]];
    for (; k < index->link_start[e + 1] && index->first[k] == p; k++)
        if ((index->entry_cost[k] > 0.0) == hides) {
            tables->column[at] = index->second[k] - first_v;
            tables->entry[at++] = index->entry_cost[k];
        }
    return at;
}

/* The rows of a sparse table, its entries from `at` on; returns their end. */
static int64_t fill_sparse(const bca_tables *tables, int32_t e, double beyond, int64_t at)
{
    const gm_index *index = tables->index;
    const int32_t u = index->link_u[e], v = index->link_v[e];
    int64_t row = tables->start[e], k = index->link_start[e];
    for (int32_t p = index->node_start[u]; p < index->node_start[u + 1]; p++, row++) {
        tables->row_start[row] = at;
        at = put_entries(tables, e, k, p, 1, at);
        const int32_t equal = gm_index_slot(index, v, index->slot_label[p]);
        if (equal >= 0) {
            tables->column[at] = equal - index->node_start[v];
            tables->entry[at++] = beyond;
        }
        tables->hidden_end[row] = at;
        at = put_entries(tables, e, k, p, 0, at);
        while (k < index->link_start[e + 1] && index->first[k] == p)
            k++;
    }
    tables->row_start[row] = tables->hidden_end[row] = at; /* of the dummy: all background */
    return at;
}

enum { SPARSE_FACTOR = 4 }; /* cells per entry: a table that has more is sparse */

/* Decides which tables are dense, sets the start of each, and counts cells and entries. Returns the
 * number of sparse rows. */
static int64_t lay_out(bca_tables *tables)
{
    const gm_index *index = tables->index;
    int64_t n_rows = 0;
    for (int32_t e = 0; e < index->n_links; e++) {
        const int32_t n_u = gm_index_n_labels(index, index->link_u[e]);
        const int32_t n_v = gm_index_n_labels(index, index->link_v[e]);
        const int64_t entries = index->link_start[e + 1] - index->link_start[e];
        tables->is_dense[e] = (int64_t)n_u * n_v <= SPARSE_FACTOR * entries;
        tables->start[e] = tables->is_dense[e] ? tables->n_cells : n_rows;
        if (tables->is_dense[e]) {
            tables->n_cells += n_u * pad_width(n_v);
        } else {
            n_rows += n_u + 1;
            tables->n_entries += entries + n_u;
        }
    }
    return n_rows;
}

void bca_tables_take(bca_tables *tables, gm_pool *pool, const gm_index *index, double beyond)
{
    tables->index = index;
    GM_TAKE(pool, index->n_links, tables->is_dense);
    GM_TAKE(pool, index->n_links, tables->start);
    if (pool->failed)
        return;
    const int64_t n_rows = lay_out(tables);
    const int64_t n = pad_width(gm_index_most_labels(index) + 1);
    GM_TAKE(pool, tables->n_cells, tables->cell);
    GM_TAKE(pool, n_rows, tables->row_start);
    GM_TAKE(pool, n_rows, tables->hidden_end);
    GM_TAKE(pool, tables->n_entries, tables->column);
    GM_TAKE(pool, tables->n_entries, tables->entry);
    GM_TAKE(pool, n, tables->a);
    GM_TAKE(pool, n, tables->b);
    GM_TAKE(pool, n, tables->row_rest);
    GM_TAKE(pool, n, tables->column_minimum);
    GM_TAKE(pool, n, tables->negative);
    GM_TAKE(pool, n, tables->rank_bit);
    GM_TAKE(pool, n, tables->mark);
    GM_TAKE(pool, n, tables->pending);
    if (pool->failed)
        return;
    int64_t at = 0;
    for (int32_t e = 0; e < index->n_links; e++)
        if (tables->is_dense[e])
            fill_dense(tables, e, beyond);
        else
            at = fill_sparse(tables, e, beyond, at);
}
