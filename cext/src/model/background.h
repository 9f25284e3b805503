/* Cost tables of links: few entries over a background of 0, pairs of equal labels forbidden.
 *
 * Minima over such a table need no look at the background cells one by one: a cell of the
 * background costs what its row gives, so the cheapest row serves every column but the few that it
 * *hides* (where it has a dearer entry or the labels are equal); those look at the next cheapest
 * row, and so on.
 *
 * Three ways to that minimum remain apart, since what they know differs: mp and fm-bca ask for
 * columns with rows whose hidden columns are fixed (here); fm-bca asks for rows too, and knows the
 * smallest columns by bits (fm/bca_table.c); dd-ls wants to know which cell it was, and its entries
 * change their cost with every step, so all of them hide (ddls/minimise.c). hbp maximises over the
 * labels of a bijection in the order of its original (hbp/pairs.c).
 */
#ifndef GM_MODEL_BACKGROUND_H
#define GM_MODEL_BACKGROUND_H

#include "model/index.h"

#include <math.h>

/* The next pair of slots p of node u and q of node v with equal labels, from *p and *q on (at
 * first the nodes' first slots). Returns 0 when there is none; else go on with both plus one. */
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

/* Writes the entries of a link (-1: none) and `equal` for equal labels into a table of zeros: a
 * row for each slot of u, `width` numbers apart, u < v. */
void gm_fill_table(const gm_index *index, int32_t u, int32_t v, int32_t link, double equal,
                   int64_t width, double *table);

/* Where the smallest of n > 0 numbers stands, the first of equal ones. */
static inline int32_t gm_smallest(const double *x, int32_t n)
{
    int32_t place = 0;
    for (int32_t k = 1; k < n; k++)
        if (x[k] < x[place])
            place = k;
    return place;
}

/* The one after number `last` in the order of (number, place); -1 if there is none. */
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

/* out[t] = the smallest give[s] of the rows s that do not hide column t. Returns how many columns
 * every row hides; they stand in `pending` (n_columns), and their out is the smallest give of all.
 * `mark` is scratch of n_columns zeros and is left so. */
int32_t gm_background_minima(gm_hidden hidden, const double *give, int32_t n_rows, double *out,
                             int32_t n_columns, int32_t *pending, uint8_t *mark);

#endif
