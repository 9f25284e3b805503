/* Colour refinement of two graphs together.
 *
 * The nodes of both are in cells. Refinement splits cells until the nodes of a cell have equally
 * many neighbours of every kind in every cell; an isomorphism that keeps the cells at the start
 * keeps those at the end. If a cell has more nodes of one graph than of the other, there is none.
 * Splits can be undone.
 */
#ifndef GM_SUBGRAPHS_REFINE_H
#define GM_SUBGRAPHS_REFINE_H

#include "subgraphs/neighbours.h"

typedef struct sub_cells {
    const sub_neighbours *first, *second;
    int32_t n;       /* nodes of a graph; those of the second are n, n + 1, ... here */
    int32_t *order;  /* [2 n] nodes, cell after cell */
    int32_t *place;  /* [2 n] of each node in order */
    int32_t *cell;   /* [2 n] place of the first node of each node's cell */
    int32_t *length; /* [2 n] of the cell that begins at this place */
    int32_t *queue;  /* [2 n] cells that have to split others, a ring */
    int32_t *queued; /* [2 n] whether the cell is in it */
    int32_t head, n_queued;
    uint64_t *count;       /* [2 n] how each node touches the splitter */
    int32_t *touched;      /* [2 n] nodes that touch it */
    int32_t *is_touched;   /* [2 n] whether a node does */
    int32_t *member;       /* [2 n] of the splitter */
    struct sub_keyed *key; /* [2 n] touched nodes, sorted */
    int32_t *made_from;    /* [2 n] of each split: the cell, */
    int32_t *made;         /* and the new one */
    int32_t n_splits;
    int64_t work; /* edges looked at */
} sub_cells;

/* Takes memory for two graphs of n nodes, whose kinds are numbered alike. */
void sub_cells_take(sub_cells *cells, gm_pool *pool, const sub_neighbours *first,
                    const sub_neighbours *second);

/* Puts nodes with the same number into a cell. 0: a cell has more nodes of one graph. */
int sub_cells_begin(sub_cells *cells, const int32_t *number1, const int32_t *number2);

/* Refines. 0: a cell has more nodes of one graph; the cells are then not refined to the end. */
int sub_cells_refine(sub_cells *cells);

/* Makes a cell of node u of the first and node v of the second graph, which are in one cell. */
void sub_cells_pair(sub_cells *cells, int32_t u, int32_t v);

/* Undoes the splits behind the first n_splits. */
void sub_cells_undo(sub_cells *cells, int32_t n_splits);

#endif
