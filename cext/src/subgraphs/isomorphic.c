/* The tree of individualisation and refinement. */
#include "subgraphs/isomorphic.h"

static const int64_t LOOK = 1 << 16; /* edges between two looks at the clock */

/* ---- labels */

/* The row with a 1 in each column, -1 without one. 0 if a row or a column has two. row_of may be
 * NULL. */
static int invert_table(const int32_t *table, int32_t rows, int32_t columns, int32_t *row_of)
{
    for (int32_t m = 0; m < columns; m++) {
        int32_t found = -1;
        for (int32_t k = 0; k < rows; k++)
            if (table[(int64_t)k * columns + m]) {
                if (found >= 0)
                    return 0;
                found = k;
            }
        if (row_of)
            row_of[m] = found;
    }
    for (int32_t k = 0; k < rows; k++) {
        int32_t n = 0;
        for (int32_t m = 0; m < columns; m++)
            n += table[(int64_t)k * columns + m] != 0;
        if (n > 1)
            return 0;
    }
    return 1;
}

int sub_labels_are_equal(const gm_graph_pair *pair)
{
    return invert_table(pair->types_fit, pair->n_types1, pair->n_types2, NULL) &&
           invert_table(pair->kinds_fit, pair->n_kinds1, pair->n_kinds2, NULL);
}

/* Numbers the kinds of the second graph as those of the first; kinds that fit none get numbers of
 * their own. */
static void renumber(sub_isomorphic *search, const int32_t *kind_of)
{
    const sub_neighbours *near = &search->second;
    for (int64_t k = 0; k < near->start[near->n_nodes]; k++)
        for (int side = 0; side < 2; side++) {
            const int32_t kind = (side ? near->back : near->there)[k];
            const int32_t known = kind ? kind_of[kind - 1] + 1 : 0;
            (side ? search->renumbered.back : search->renumbered.there)[k] =
                kind && !known ? search->pair->n_kinds1 + kind : known;
        }
}

/* Cells at the start: by type, and one for each fixed pair. */
static void number_cells(sub_isomorphic *search, const int32_t *type_of, const int32_t *fixed)
{
    const gm_graph_pair *pair = search->pair;
    const int32_t n = pair->first.n_nodes;
    for (int32_t u = 0; u < n; u++) {
        const int32_t known = type_of[pair->second.type[u]];
        search->number1[u] = pair->first.type[u];
        search->number2[u] = known >= 0 ? known : pair->n_types1;
    }
    for (int32_t u = 0; fixed && u < n; u++) {
        if (fixed[u] < 0)
            continue;
        /* a pair whose types do not fit is in a cell for itself on either side: not balanced */
        const int32_t apart = search->number1[u] != search->number2[fixed[u]];
        search->number1[u] = pair->n_types1 + 1 + 2 * u;
        search->number2[fixed[u]] = search->number1[u] + apart;
    }
}

int sub_isomorphic_take(sub_isomorphic *search, gm_pool *pool, const gm_graph_pair *pair,
                        const int32_t *fixed)
{
    const int32_t n = pair->first.n_nodes;
    gm_pool scratch = {NULL, 0};
    int32_t *type_of, *kind_of;
    int status = GM_ENOMEM;
    search->pair = pair;
    if (sub_neighbours_take(&search->first, pool, &pair->first, pair->directed, 1) != GM_OK ||
        sub_neighbours_take(&search->second, pool, &pair->second, pair->directed, 1) != GM_OK)
        return GM_ENOMEM;
    search->renumbered = search->second;
    GM_TAKE(pool, search->second.start[n], search->renumbered.there);
    GM_TAKE(pool, search->second.start[n], search->renumbered.back);
    GM_TAKE(pool, n, search->level);
    GM_TAKE(pool, n, search->number1);
    GM_TAKE(pool, n, search->number2);
    sub_cells_take(&search->cells, pool, &search->first, &search->renumbered);
    GM_TAKE(&scratch, pair->n_types2, type_of);
    GM_TAKE(&scratch, pair->n_kinds2, kind_of);
    if (!pool->failed && !scratch.failed) {
        invert_table(pair->types_fit, pair->n_types1, pair->n_types2, type_of);
        invert_table(pair->kinds_fit, pair->n_kinds1, pair->n_kinds2, kind_of);
        renumber(search, kind_of);
        number_cells(search, type_of, fixed);
        search->depth = -1;
        status = GM_OK;
    }
    gm_pool_free(&scratch);
    return status;
}

/* ---- tree */

/* The smallest cell with several nodes of each graph, or -1. */
static int32_t choose_cell(const sub_cells *cells)
{
    int32_t best = -1;
    for (int32_t at = 0; at < 2 * cells->n; at += cells->length[at]) {
        if (cells->length[at] == 4)
            return at;
        if (cells->length[at] > 2 && (best < 0 || cells->length[at] < cells->length[best]))
            best = at;
    }
    return best;
}

/* Opens a level for the smallest cell. 0: all cells have one node of each graph. */
static int open_level(sub_isomorphic *search)
{
    const sub_cells *cells = &search->cells;
    const int32_t cell = choose_cell(cells);
    if (cell < 0)
        return 0;
    int32_t node = cells->n; /* the first node of the first graph */
    for (int32_t k = cell; k < cell + cells->length[cell]; k++)
        node = cells->order[k] < node ? cells->order[k] : node;
    search->level[search->depth++] = (sub_pairing){node, -1, cells->n_splits};
    return 1;
}

/* Pairs the node of the last level with its next partner. 1: the cells are refined; 0: they cannot
 * be; -1: no other partner is left. */
static int try_partner(sub_isomorphic *search)
{
    sub_cells *cells = &search->cells;
    sub_pairing *level = search->level + search->depth - 1;
    sub_cells_undo(cells, level->n_splits);
    const int32_t cell = cells->cell[level->node];
    do
        level->partner++;
    while (level->partner < cells->n && cells->cell[cells->n + level->partner] != cell);
    if (level->partner == cells->n)
        return -1;
    search->n_nodes++;
    sub_cells_pair(cells, level->node, level->partner);
    return sub_cells_refine(cells);
}

int sub_isomorphic_next(sub_isomorphic *search, int64_t max_nodes, double deadline)
{
    const int64_t last =
        search->n_nodes <= INT64_MAX - max_nodes ? search->n_nodes + max_nodes : INT64_MAX;
    if (search->depth < 0) {
        search->depth = 0;
        search->over = !sub_cells_begin(&search->cells, search->number1, search->number2) ||
                       !sub_cells_refine(&search->cells);
        if (!search->over && !open_level(search))
            return 1;
    }
    while (search->depth > 0 && search->n_nodes < last) {
        const int fits = try_partner(search);
        if (fits < 0)
            search->depth--;
        else if (fits && !open_level(search))
            return 1;
        if (search->cells.work >= LOOK) {
            search->cells.work = 0;
            if (gm_clock() >= deadline)
                return 0;
        }
    }
    search->over = search->depth == 0;
    return 0;
}

void sub_isomorphic_map(const sub_isomorphic *search, int32_t *map)
{
    const sub_cells *cells = &search->cells;
    for (int32_t at = 0; at < 2 * cells->n; at += 2) {
        const int32_t a = cells->order[at], b = cells->order[at + 1];
        map[a < b ? a : b] = (a < b ? b : a) - cells->n;
    }
}
