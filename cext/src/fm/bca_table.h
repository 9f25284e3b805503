/* The cost tables of all links, as the dual of fm-bca reads them: stored once and never written.
 *
 * Absent cells are background 0 (see index.h), same-label cells are forbidden. A link whose table
 * is mostly explicit keeps it dense; else the minimum over background cells comes from the few
 * smallest opposite messages. Behind the labels of either node stands "unmatched", whose cells are
 * all 0.
 */
#ifndef GM_FM_BCA_TABLE_H
#define GM_FM_BCA_TABLE_H

#include "model/index.h"

typedef struct bca_tables {
    const gm_index *index;
    int64_t n_cells, n_entries; /* of all dense, of all sparse tables */
    double *a, *b;              /* what a link takes from its two nodes; unmatched last */

    uint8_t *is_dense;  /* per link */
    int64_t *start;     /* per link: its first cell (dense) or first row (sparse) */
    double *cell;       /* dense tables, rows padded */
    int64_t *row_start; /* sparse rows, that of "unmatched" behind those of each link */
    /* entries above 0 come first in a row, up to here: they hide their columns from the background;
     * one at or below 0 does not, being no dearer */
    int64_t *hidden_end;
    int32_t *column; /* sparse entries, forbidden cells included */
    double *entry;

    double *w, *low, *negative; /* scratch of one link */
    uint32_t *rank_bit;         /* per column: 1 << rank among the smallest, else 0 */
    uint8_t *mark;              /* per column */
    int32_t *pending;
} bca_tables;

/* `beyond` is above any matching's cost: it stands for infinity in forbidden cells and keeps sums
 * finite. Check the pool afterwards. */
void bca_tables_take(bca_tables *tables, gm_pool *pool, const gm_index *index, double beyond);

/* The exchange of link e on A = tables->a and B = tables->b (see bca.h): messages to both
 * nodes, U = A + to_u and V = B + to_v being what it gives back. */
void bca_tables_exchange(const bca_tables *tables, int32_t e, double *to_u, double *to_v);

/* Asks for the table of a link ahead of its use: a sweep streams through all of them. */
void bca_tables_fetch(const bca_tables *tables, int32_t e);

#endif
