/* Edit distances of small graphs by depth-first search over maps of nodes. */
#ifndef GM_SUBGRAPHS_EDIT_SEARCH_H
#define GM_SUBGRAPHS_EDIT_SEARCH_H

#include "base/pool.h"
#include "gm.h"

/* Rows of matrices are as long as a multiple of this: whole vectors of numbers. */
enum { EDIT_LANES = 8 };

/* No sum of costs is as large; a node of the second graph that has an image costs this. */
enum { EDIT_FAR = 1 << 28 };

/* One graph: the half edges of each node in the order of their codes, and a table of edges. */
typedef struct edit_side {
    gm_labelled_graph graph;
    int32_t *table;  /* [n * n] 1 + kind of the edge from u to v, 0: none */
    int32_t *start;  /* [n + 1] half edges of each node, without loops */
    int32_t *near;   /* [2 n_edges] the other end */
    int32_t *code;   /* [2 n_edges] kind and direction, ascending for each node */
    int32_t *back;   /* [2 n_edges] code of the half edge at the other end */
    int32_t *number; /* [2 n_edges] of the code among those of the first graph, -1: not there */
    int32_t *from;   /* [2 n_edges] number of the code at the other end */
    int32_t *image;  /* [n] node of the other graph, -1: none */
    int32_t *twin;   /* [n] the first node that can be exchanged with this one */
    int32_t *inner;  /* [n, padded] half edges to nodes without an image */
} edit_side;

/* A node and the images to try, those of the least bound first; turned: a node of the second graph.
 */
typedef struct edit_frame {
    int32_t node, turned, n_tries, next;
    int32_t mapped;    /* the node of the first graph that was mapped last */
    int32_t *image;    /* [n2] */
    int64_t *least;    /* [n2] bounds */
    int32_t *partner;  /* [n2] of each row in the assignment */
    int32_t *v;        /* [n2, padded] duals of its columns */
    double done, part; /* fraction of the tree before the next try, and of the frame */
    double total;      /* of the guessed sizes of the subtrees of the tries */
} edit_frame;

/* The first graph has n1 nodes, the second n2 >= n1: no node of the first need be deleted. Matrices
 * have a row for each node of the first graph, behind them one for each node that is inserted, and
 * a column for each node of the second graph; rows have `width` numbers. */
typedef struct edit_search {
    edit_side sides[2];
    edit_side *first, *second; /* of the two, by size */
    int32_t directed, n_kinds, n_types;
    int32_t strict; /* 1: only nodes of one type are mapped to each other; relabel is 0 */
    int32_t node, relabel, half, half_relabel; /* costs, with no sum of EDIT_FAR */
    int64_t unit, rest;                        /* all distances are rest + k * unit */
    int32_t width;                             /* n2, rounded up to whole vectors */
    int32_t *there, *onto;   /* [n2 * width] edges of the second graph to and from each node */
    int32_t *join;           /* [n2 * width] cost to insert the edges of two nodes */
    int32_t *codes, n_codes; /* codes of half edges of the first graph, ascending */
    int32_t *count;     /* [n_codes * width] half edges of the second graph between nodes without
                           images */
    int32_t *paid;      /* [n1 * width] of a pair: labels, loops and edges to nodes with images */
    int32_t *insert;    /* [width] of inserting a node: itself, loops and edges to images */
    int32_t *blocked;   /* [width] EDIT_FAR if a column has an image or is no node, else 0 */
    int64_t fixed;      /* cost of the nodes that have images */
    int64_t root_bound; /* before any node has an image */
    int64_t best;       /* the least distance found, or above the limit */
    int64_t work, n_frames;
    int32_t depth;     /* of the frame in use, -1: the search is over */
    edit_frame *frame; /* [n1 + 1] */
    /* the assignment of the rows that are open */
    int32_t *row, n_rows; /* open rows */
    int32_t n_open;       /* of these, nodes of the first graph; they come first */
    int32_t *cost;        /* [n2 * width] */
    int32_t *u, *v;       /* duals of rows and columns */
    int32_t *col_of, *row_of;
    int32_t *common, *far, *done, *before; /* [width] in use for one row */
    int32_t *swap;  /* [n2 * width] more cost if the i-th open row gets the column of the r-th */
    int32_t *chain; /* [n2 * width] and of the cheapest chain from the r-th to the i-th, back */
    int32_t *col_images, *map;
    int32_t *best_map; /* [n1] the map of the least distance found */
    int32_t is_shared; /* 1: the distance to beat is another search's; progress is asked */
} edit_search;

/* Takes memory for graphs of up to n nodes and m edges; the scale of s is set. */
void edit_search_take(edit_search *s, gm_pool *pool, int32_t n, int32_t m);

/* Takes memory for a graph of n nodes and m edges. */
void edit_side_take(edit_side *side, gm_pool *pool, int64_t n, int64_t m);

/* Lists one side; 0 if it has parallel edges. */
int edit_list_side(const edit_search *s, edit_side *side, const gm_labelled_graph *graph);

/* Numbers the codes of half edges of both sides. */
void edit_number_codes(edit_search *s);

/* Whether no cost of a map of the two sides is as large as EDIT_FAR. */
int edit_costs_fit(const edit_search *s);

/* Starts a search for distances of at most the limit; goes on until it is over, or has done this
 * much work or this many frames in all. s->best is the least distance found, with s->best_map, or
 * limit + 1. */
void edit_search_begin(edit_search *s, int64_t limit);
void edit_search_go(edit_search *s, int64_t max_work, int64_t max_frames);

/* No distance is below this, unless it is above the limit. */
int64_t edit_search_bound(const edit_search *s);

/* How much of the tree has been searched, by guessed sizes of subtrees: from 0 to 1. */
double edit_search_progress(const edit_search *s);

/* Whether node u of the first graph may become node v of the second. */
int edit_may_map(const edit_search *s, int32_t u, int32_t v);

/* The distance of the two sides if it is at most the limit; EDIT_MORE, or EDIT_OPEN if this much
 * work has not been enough, or for costs that do not fit. */
int64_t edit_search_run(edit_search *s, int64_t limit, int64_t max_work);

/* The bound before any node has an image, rounded up to a distance. best_map is the map of its
 * assignment until a search finds one within its limit. */
int64_t edit_root_bound(const edit_search *s);

/* The cost of best_map. */
int64_t edit_best_cost(const edit_search *s);

/* Cost to turn one entry of a table into another. */
static inline int32_t edit_entry_cost(const edit_search *s, int32_t x, int32_t y)
{
    if (x == y)
        return 0;
    return 2 * (x && y ? s->half_relabel : s->half);
}

/* Lists the open rows and fills their costs. */
void edit_fill_costs(edit_search *s);

/* Assigns the open rows, beginning with the duals s->v and the partners of a frame; returns the
 * cost of all maps at least. Stops as soon as that is more than `most`. */
int64_t edit_assign(edit_search *s, const int32_t *partner, int64_t most);

/* Fills s->swap and s->chain; chains that cost more than `most` need not be the cheapest. */
void edit_measure_exchanges(edit_search *s, int64_t most);

/* Cost of a whole map. */
int64_t edit_map_cost(const edit_search *s, const int32_t *map);

/* Exchanges images in s->map, also for nodes that nothing is mapped to, as long as the cost falls;
 * returns it. */
int64_t edit_descend(edit_search *s, int64_t cost);

enum { EDIT_MORE = -1, EDIT_OPEN = -2 };

#endif
