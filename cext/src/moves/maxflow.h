/* Maximum flow by two search trees (Boykov and Kolmogorov, PAMI 26, 2004, section 3), written from
 * the paper.
 *
 * Each node has one signed terminal residual: above 0 from the source, below 0 to the sink. Arcs
 * come in pairs a, a^1 of opposite direction. When the flow is maximal, the source tree holds
 * exactly the nodes that the source reaches in the residual graph, the sink tree those that reach
 * the sink, and every other node is free. gm_maxflow_force then ties a node to a terminal; flow and
 * trees are kept, and gm_maxflow_continue repairs them instead of starting again.
 */
#ifndef GM_MOVES_MAXFLOW_H
#define GM_MOVES_MAXFLOW_H

#include "base/pool.h"
#include "gm.h"

enum gm_side { GM_FREE = 0, GM_SOURCE = 1, GM_SINK = 2 };

typedef struct gm_maxflow {
    int32_t n_nodes, n_arcs;
    double *terminal;   /* per node */
    int32_t *first_arc; /* per node, -1 = none */
    int32_t *arc_head, *arc_next;
    double *residual;  /* per arc */
    uint8_t *side;     /* per node: enum gm_side */
    int32_t *parent;   /* per node: the arc to its parent, or a negative mark */
    int32_t *distance; /* per node: arcs to its terminal as of the time `stamp`: */
    int64_t *stamp;    /* per node: exact if it is `clock`, */
    int64_t clock;     /* which counts augmentations */
    int32_t *queue;    /* ring of active nodes, each at most once */
    uint8_t *queued;
    int32_t queue_first, n_queued;
    int32_t *orphans; /* stack, each node at most once */
    int32_t n_orphans;
    gm_watch *watch; /* of the run, or NULL */
} gm_maxflow;

/* Takes memory for graphs up to the given size; look at pool->failed afterwards. */
void gm_maxflow_take(gm_maxflow *flow, gm_pool *pool, int32_t max_nodes, int32_t max_arc_pairs);

/* An empty graph of n nodes. */
void gm_maxflow_reset(gm_maxflow *flow, int32_t n_nodes);

/* Adds the arc pair from -> to (capacity) and to -> from (0), and returns the forward arc. */
int32_t gm_maxflow_arc(gm_maxflow *flow, int32_t from, int32_t to, double capacity);

/* Maximum flow from the present residuals, with new trees. */
void gm_maxflow_solve(gm_maxflow *flow);

/* After a solve, any number of times: amount > 0 ties the node to the source, < 0 to the sink;
 * |amount| must exceed every residual. gm_maxflow_continue then makes the flow maximal again. */
void gm_maxflow_force(gm_maxflow *flow, int32_t node, double amount);
void gm_maxflow_continue(gm_maxflow *flow);

#endif
