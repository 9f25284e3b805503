/* Cost tables of links (model/index.h): few entries, 0 in all other cells (the *background*), and
 * pairs of equal labels forbidden.
 *
 * Wanted are, for every column t, minima over the rows s of give[s] + table[s][t]. They need no
 * look at each background cell: there the sum is just give[s], so the row with the smallest give is
 * the answer for every column but the few in which that row has an entry above 0 or equal labels.
 * The row *hides* those columns; for them the row with the next smallest give is asked, and so on.
 * The caller compares the result with the entries themselves.
 *
 * Three variants are kept apart, since they know different things. mp and fm-bca ask for columns,
 * and which columns a row hides never changes (this file). fm-bca asks for rows as well, and keeps
 * the smallest columns as sets of bits (fm/bca_table.c). dd-ls must know which cell was smallest,
 * and the costs of its entries change in every step (ddls/minimise.c). hbp maximises over the
 * labels of a bijection in the order of its original (hbp/pairs.c).
 */
#ifndef GM_MODEL_BACKGROUND_H
#define GM_MODEL_BACKGROUND_H

#include "model/index.h"

#include <math.h>

/* Moves *p, a slot of node u, and *q, a slot of node v, on to the next two slots with equal labels
 * (they stay if theirs are equal). Returns 0 if there are none. Begin with the first slots of both
 * nodes; for the next pair add one to both. */
static inline int gm_next_equal(const gm_index *index, int32_t u, int32_t v, int32_t *p, int32_t *q)
{
    const int32_t *label = index->slot_label;
    while (*p < index->node_start[u + 1] && *q < index->node_start[v + 1]) {
        if (label[*p] == label[*q])
            return 1;
        if (label[*p] < label[*q])
            ++*p;
        else
            ++*q;
    }
    return 0;
}

/* Fills a table that holds zeros, with a row for each slot of node u and a column for each slot of
 * node v, u < v: the costs of the link's entries (link = -1: none), and `equal` if both slots have
 * the same label. Rows begin `width` numbers apart. */
void gm_fill_table(const gm_index *index, int32_t u, int32_t v, int32_t link, double equal,
                   int64_t width, double *table);

/* One instruction, unlike fmin. */
static inline double gm_smaller(double x, double y)
{
    return x < y ? x : y;
}

/* The place of the smallest of n > 0 numbers, the first of equal ones. */
static inline int32_t gm_smallest(const double *x, int32_t n)
{
    int32_t place = 0;
    for (int32_t k = 1; k < n; k++)
        if (x[k] < x[place])
            place = k;
    return place;
}

/* The place that follows `last` when places k are sorted by (x[k], k); -1 if there is none. With
 * gm_smallest first, this walks through the numbers in ascending order. */
static inline int32_t gm_next_smallest(const double *x, int32_t n, int32_t last)
{
    const double passed = x[last];
    double least = INFINITY;
    int32_t next = -1;
    for (int32_t k = 0; k < n; k++)
        if ((x[k] > passed || (x[k] == passed && k > last)) && (next < 0 || x[k] < least)) {
            next = k;
            least = x[k];
        }
    return next;
}

/* The columns that row s hides: column[start[s]] .. column[end[s] - 1]. */
typedef struct gm_hidden {
    const int64_t *start, *end;
    const int32_t *column;
} gm_hidden;

/* out[t] = the smallest give[s] of the rows s that do not hide column t, for t < n_columns. Returns
 * the number of columns that every row hides: `pending` begins with them, and their out is the
 * smallest give of all rows. `pending` has room for n_columns; `mark` is scratch of n_columns
 * zeros, which are zeros again on return. */
int32_t gm_background_minima(gm_hidden hidden, const double *give, int32_t n_rows, double *out,
                             int32_t n_columns, int32_t *pending, uint8_t *mark);

#endif
