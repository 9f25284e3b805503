/* Edit distances of small graphs by depth-first search over maps of nodes. */
#ifndef GM_SUBGRAPHS_EDIT_SEARCH_H
#define GM_SUBGRAPHS_EDIT_SEARCH_H

#include "base/pool.h"
#include "gm.h"

/* One graph: neighbours of each node in the order of their codes, and a table of edges. */
typedef struct edit_side {
    gm_labelled_graph graph;
    int32_t *table;       /* [n * n] 1 + kind of the edge from u to v, 0: none */
    int32_t *start;       /* [n + 1] half edges of each node, without loops */
    int32_t *near;        /* [2 n_edges] the other end */
    int32_t *code;        /* [2 n_edges] kind and direction, ascending for each node */
    int32_t *image;       /* [n] node of the other graph, -1: none */
    int32_t *twin;        /* [n] the first node that can be exchanged with this one */
    int32_t *inner;       /* [2 n_edges] codes of half edges between nodes without an image */
    int32_t *inner_start; /* [n + 1] */
    int32_t *open;        /* [n] nodes without an image */
    int32_t *alike;       /* [n] for each of them the first one with the same inner codes */
} edit_side;

/* A node and the images to try, those of the least bound first; turned: a node of the second graph.
 */
typedef struct edit_frame {
    int32_t node, turned, n_tries, next;
    int32_t mapped;    /* the node of the first graph that was mapped last */
    int32_t *image;    /* [n2] */
    int64_t *least;    /* [n2] bounds */
    double done, part; /* fraction of the tree before the frame, and of the frame */
} edit_frame;

/* The first graph has n1 nodes, the second n2 >= n1: no node of the first need be deleted. */
typedef struct edit_search {
    edit_side sides[2];
    edit_side *first, *second; /* of the two, by size */
    int32_t directed, n_kinds, n_types;
    int32_t strict; /* 1: only nodes of one type are mapped to each other; relabel is 0 */
    int64_t node, relabel, half, half_relabel, /* costs */
        unit, rest;                            /* all distances are rest + k * unit */
    int64_t *paid;      /* [n1 * n2] of a pair: labels, loops and edges to nodes with images */
    int64_t *insert;    /* [n2] of inserting a node: itself, loops and edges to images */
    int64_t fixed;      /* cost of the nodes that have images */
    int64_t root_bound; /* before any node has an image */
    int64_t best;       /* the least distance found, or above the limit */
    int64_t work, n_frames;
    int32_t depth;     /* of the frame in use, -1: the search is over */
    edit_frame *frame; /* [n1 + 1] */
    int64_t *halves;   /* [n2 * n2] costs of half edges */
    int64_t *cost, *u, *v, *scratch;
    int64_t *far; /* [n2 * n2] cost of giving a node another partner, and of chains of these */
    int32_t *col_of, *row_of, *col_images, *map;
    int32_t *best_map; /* [n1] the map of the least distance found */
} edit_search;

/* Takes memory for graphs of up to n nodes and m edges. */
void edit_search_take(edit_search *s, gm_pool *pool, int32_t n, int32_t m);

/* Takes memory for a graph of n nodes and m edges. */
void edit_side_take(edit_side *side, gm_pool *pool, int64_t n, int64_t m);

/* Lists one side; 0 if it has parallel edges. */
int edit_list_side(const edit_search *s, edit_side *side, const gm_labelled_graph *graph);

/* Starts a search for distances of at most the limit; goes on until it is over, or has done this
 * much work or this many frames in all. s->best is the least distance found, with s->best_map, or
 * limit + 1. */
void edit_search_begin(edit_search *s, int64_t limit);
void edit_search_go(edit_search *s, int64_t max_work, int64_t max_frames);

/* No distance is below this, unless it is above the limit. */
int64_t edit_search_bound(const edit_search *s);

/* How much of the tree has been searched, if all children of a node were alike: from 0 to 1. */
double edit_search_progress(const edit_search *s);

/* Whether node u of the first graph may become node v of the second. */
int edit_may_map(const edit_search *s, int32_t u, int32_t v);

/* The distance of the two sides if it is at most the limit; EDIT_MORE, or EDIT_OPEN if this much
 * work has not been enough. */
int64_t edit_search_run(edit_search *s, int64_t limit, int64_t max_work);

/* The bound before any node has an image, rounded up to a distance. best_map is the map of its
 * assignment until a search finds one within its limit. */
int64_t edit_root_bound(const edit_search *s);

/* The cost of best_map. */
int64_t edit_best_cost(const edit_search *s);

/* Cost to turn one entry of a table into another. */
static inline int64_t edit_entry_cost(const edit_search *s, int32_t x, int32_t y)
{
    if (x == y)
        return 0;
    return 2 * (x && y ? s->half_relabel : s->half);
}

/* Cost of a whole map. */
int64_t edit_map_cost(const edit_search *s, const int32_t *map);

/* Exchanges images in s->map, also for nodes that nothing is mapped to, as long as the cost falls;
 * returns it. */
int64_t edit_descend(edit_search *s, int64_t cost);

enum { EDIT_MORE = -1, EDIT_OPEN = -2 };

#endif
