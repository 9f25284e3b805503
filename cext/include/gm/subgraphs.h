/* Common and contained subgraphs of labelled graphs. */
#ifndef GM_GM_SUBGRAPHS_H
#define GM_GM_SUBGRAPHS_H

#include "gm/run.h"

/* ---- two labelled graphs ----------------------------------------------------------------------
 * Nodes have a type and edges a kind, numbered from 0 in each graph. Which type of the first graph
 * may be which type of the second is a table of 0 and 1, and so is it for kinds.
 */
typedef struct gm_labelled_graph {
    int32_t n_nodes, n_edges;
    const int32_t *type;               /* of each node */
    const int32_t *tail, *head, *kind; /* of each edge */
} gm_labelled_graph;

typedef struct gm_graph_pair {
    gm_labelled_graph first, second;
    int32_t directed;
    int32_t n_types1, n_types2, n_kinds1, n_kinds2;
    const int32_t *types_fit; /* [n_types1 * n_types2] */
    const int32_t *kinds_fit; /* [n_kinds1 * n_kinds2] */
} gm_graph_pair;

/* ---- the largest common subgraph --------------------------------------------------------------
 * by_edges = 0: the most nodes, between which the edges of both graphs are the same. A pair of
 * nodes has at most one edge in each direction, and no node has a loop: types and kinds stand for
 * loops and parallel edges.
 * by_edges = 1: the most edges. Loops and parallel edges are edges like others.
 *
 * The value of the run is minus the size, the labels are those of nodes. An iteration is a node of
 * the search tree. With n_jobs > 1, step hands out pieces, which the caller runs at the same time
 * between two steps; the answer is that of n_jobs = 1.
 */
typedef struct gm_common_options {
    int32_t by_edges;
    int32_t connected;    /* only connected subgraphs count */
    int32_t twins;        /* 1: equivalent nodes are tried once */
    int32_t n_jobs;       /* at least 1 */
    const double *weight; /* [n_types1 * n_types2] of a pair of nodes, or NULL: 1 each. Sums must be
                             exact. Only with by_edges = 0. */
    const int32_t *ring;  /* [edges of the first graph] 1: it counts only on a ring of the common
                             subgraph; or NULL. Only with by_edges = 1 and connected = 1, without
                             directions, loops and parallel edges. */
} gm_common_options;

gm_run *gm_common_new(const gm_graph_pair *pair, const gm_common_options *options);
int gm_common_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_common_free(gm_run *run);

int32_t gm_common_n_pieces(const gm_run *run);
int gm_common_piece(gm_run *run, int32_t piece, double seconds);

/* How much of the tree has been searched, a rough guess from 0 to 1. */
double gm_common_progress(const gm_run *run);

/* Bytes that gm_common_new would take, at most. */
double gm_common_memory(const gm_graph_pair *pair, const gm_common_options *options);

/* ---- the most common edges, by two searches in turns -------------------------------------------
 * As gm_common with by_edges = 1, not necessarily connected, by one thread. The search by
 * assignments takes no parallel edges; types and kinds that fit must be equal in both graphs, and
 * only equal ones fit. An iteration is a node of either search tree.
 */
typedef struct gm_common_edges_options {
    int32_t partition, assignment; /* whether each search is used */
} gm_common_edges_options;

/* NULL also if edges are parallel. */
gm_run *gm_common_edges_new(const gm_graph_pair *pair, const gm_common_edges_options *options);
int gm_common_edges_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_common_edges_free(gm_run *run);

/* How much of the tree of one search has been searched, a rough guess from 0 to 1. */
double gm_common_edges_progress(const gm_run *run, int32_t by_assignment);

/* A rough guess of the seconds that the searches take from here on. */
double gm_common_edges_left(const gm_run *run);

/* ---- contained subgraphs ----------------------------------------------------------------------
 * The one-to-one maps of the first graph, the pattern, into the second, under which nodes fit and
 * edges become edges that fit. induced: nodes without an edge become nodes without an edge.
 * isomorphic: all nodes and edges of the second graph are met. A pair of nodes has at most one edge
 * in each direction and no node has a loop, as for common induced subgraphs.
 *
 * The value of the run is minus the number of maps found. An iteration is a node of the search
 * tree. A step ends early when as many maps wait to be taken as there is room for.
 */
typedef struct gm_contained_options {
    int32_t induced, isomorphic;
    int32_t count_only;   /* maps are counted, none can be taken */
    int64_t limit;        /* finished after this many maps; 0: none */
    const int32_t *fixed; /* [nodes of the pattern] the image of each node, -1: any; or NULL */
} gm_contained_options;

gm_run *gm_contained_new(const gm_graph_pair *pair, const gm_contained_options *options);
int gm_contained_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_contained_free(gm_run *run);

int64_t gm_contained_count(const gm_run *run);

/* Moves the maps that wait to `maps`, n_nodes of the pattern each, in the order in which they were
 * found: at most `most` of them. Returns how many. */
int64_t gm_contained_take(gm_run *run, int32_t *maps, int64_t most);

/* The cells of the first graph when both are refined: cell[u] is the same number for nodes that
 * have the same neighbours, the neighbours of these, and so on. `fixed` as above.
 * Labels must fit one to one. 1; 0 if the refined graphs differ; or GM_ENOMEM. */
int gm_refined_cells(const gm_graph_pair *pair, const int32_t *fixed, int32_t *cell);

/* Bytes of the sets of candidates, at most. */
double gm_contained_memory(const gm_graph_pair *pair, const gm_contained_options *options);

/* ---- a query against many graphs ---------------------------------------------------------------
 * Graphs one behind the other: graph g has the nodes node_start[g] .. node_start[g + 1] - 1 and the
 * edges edge_start[g] .. edge_start[g + 1] - 1. Ends of edges are numbered from 0 in each graph.
 * Types and kinds are those of the query, and are compared by equality. Loops and parallel edges
 * are edges like others. All return GM_OK or GM_ENOMEM.
 */
typedef struct gm_graph_list {
    int32_t n_graphs, directed, n_types, n_kinds;
    const int64_t *node_start, *edge_start; /* [n_graphs + 1] */
    const int32_t *type;                    /* of each node */
    const int32_t *tail, *head, *kind;      /* of each edge */
} gm_graph_list;

/* bound[g]: the query and graph g have at least this edit distance, for costs in some unit: of a
 * node (cost[0]), of a relabelled node, of half an edge, of half a relabelled edge. If the bound
 * is above the limit it need not be the best one. */
int gm_edit_bounds(const gm_graph_list *list, const gm_labelled_graph *query, const int64_t *cost,
                   int64_t limit, int64_t *bound);

typedef struct gm_near_options {
    int64_t limit;    /* larger distances need not be known */
    int64_t max_work; /* entries of matrices, for each graph; a few nanoseconds each */
    double seconds;   /* for all graphs: no further one is begun then */
} gm_near_options;

/* distance[k]: the edit distance of the query and graph chosen[k], for costs as above, of which a
 * relabelled node is at most two nodes; -1: more than the limit; -2: not decided. Graphs of many
 * nodes or with parallel edges are not. Returns the number of graphs that it came to, at least one
 * of any, or GM_ENOMEM. */
int gm_edit_distances(const gm_graph_list *list, const gm_labelled_graph *query,
                      const int64_t *cost, const gm_near_options *options, const int32_t *chosen,
                      int32_t n_chosen, int64_t *distance);

/* found[0]: the edit distance of the two graphs of a list, as above; found[1]: a lower bound;
 * labels[u]: the node of the second graph that node u of the first one becomes, -1: none; found[2]:
 * the cost of these labels. If the distance is above the limit, the labels are those of some map,
 * and the bound may be below the limit. If the distance is not decided, only found[0] is filled in.
 * GM_OK or GM_ENOMEM. */
int gm_edit_map(const gm_graph_list *pair, const int64_t *cost, const gm_near_options *options,
                int32_t *labels, int64_t *found);

/* most[g]: the query and graph g have at most this many edges in common. */
int gm_common_bounds(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *most);

/* may[g]: 0 if graph g does not contain the query. */
int gm_contained_filter(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *may);

#endif
