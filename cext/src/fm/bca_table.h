/* The cost tables of all links, as the dual of fm-bca reads them: stored once and never written.
 *
 * Absent cells are background 0, cells of equal labels are forbidden (see model/background.h). A
 * table of which many cells are entries is dense; else the minimum over background cells comes from
 * the few smallest opposite messages. The dummy ("unmatched") of either node stands behind its
 * labels; its cells are all 0.
 */
#ifndef GM_FM_BCA_TABLE_H
#define GM_FM_BCA_TABLE_H

#include "model/index.h"

typedef struct bca_tables {
    const gm_index *index;
    int64_t n_cells, n_entries; /* of all dense, of all sparse tables */
    double *a, *b; /* the costs that a link takes from its two nodes, A and B; dummy last */

    uint8_t *is_dense;  /* per link */
    int64_t *start;     /* per link: its first cell (dense) or first row (sparse) */
    double *cell;       /* dense tables, rows padded */
    int64_t *row_start; /* sparse rows; behind those of each link that of its dummy, empty */
    /* the entries of a row that hide their columns (dearer than the background) come first, up to
     * here */
    int64_t *hidden_end;
    int32_t *column; /* sparse entries, forbidden cells included: position, */
    double *entry;   /* and their cost */

    /* scratch of one link */
    double *row_rest;       /* per row: A - U1 */
    double *column_minimum; /* per column: V - B */
    double *negative;       /* per column: minus that */
    uint32_t *rank_bit;     /* per column: 1 << rank among the smallest, else 0 */
    uint8_t *mark;          /* per column */
    int32_t *pending;       /* columns */
} bca_tables;

/* `beyond` is above any matching's cost: it stands for infinity in forbidden cells and keeps sums
 * finite. Check the pool afterwards. */
void bca_tables_take(bca_tables *tables, gm_pool *pool, const gm_index *index, double beyond);

/* The exchange of link e on A = tables->a and B = tables->b (see bca.h): messages to both
 * nodes, it gives back U = A + to_u and V = B + to_v. */
void bca_tables_exchange(const bca_tables *tables, int32_t e, double *to_u, double *to_v);

/* Asks the processor to load the table of a link ahead of its use. */
void bca_tables_fetch(const bca_tables *tables, int32_t e);

#endif
