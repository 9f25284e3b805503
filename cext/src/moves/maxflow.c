/* Maximum flow by two search trees: growth, augmentation and adoption stage of the paper. */
#include "moves/maxflow.h"
#include "base/watch.h"

enum { NONE = -1, TERMINAL = -2, ORPHAN = -3 }; /* values of parent that are not arcs */
enum { ARCS_OF_A_NODE = 32 };                   /* about: the work on a node is that on its arcs */

void gm_maxflow_take(gm_maxflow *flow, gm_pool *pool, int32_t max_nodes, int32_t max_arc_pairs)
{
    const int64_t arcs = 2 * (int64_t)max_arc_pairs;
    GM_TAKE(pool, max_nodes, flow->terminal);
    GM_TAKE(pool, max_nodes, flow->first_arc);
    GM_TAKE(pool, max_nodes, flow->side);
    GM_TAKE(pool, max_nodes, flow->parent);
    GM_TAKE(pool, max_nodes, flow->distance);
    GM_TAKE(pool, max_nodes, flow->stamp);
    GM_TAKE(pool, max_nodes, flow->queue);
    GM_TAKE(pool, max_nodes, flow->queued);
    GM_TAKE(pool, max_nodes, flow->orphans);
    GM_TAKE(pool, arcs, flow->arc_head);
    GM_TAKE(pool, arcs, flow->arc_next);
    GM_TAKE(pool, arcs, flow->residual);
}

void gm_maxflow_reset(gm_maxflow *flow, int32_t n_nodes)
{
    flow->n_nodes = n_nodes;
    flow->n_arcs = 0;
    for (int32_t i = 0; i < n_nodes; i++) {
        flow->terminal[i] = 0.0;
        flow->first_arc[i] = -1;
    }
}

static void add_arc(gm_maxflow *flow, int32_t from, int32_t to, double capacity)
{
    const int32_t arc = flow->n_arcs++;
    flow->arc_head[arc] = to;
    flow->arc_next[arc] = flow->first_arc[from];
    flow->residual[arc] = capacity;
    flow->first_arc[from] = arc;
}

int32_t gm_maxflow_arc(gm_maxflow *flow, int32_t from, int32_t to, double capacity)
{
    const int32_t arc = flow->n_arcs;
    add_arc(flow, from, to, capacity);
    add_arc(flow, to, from, 0.0);
    return arc;
}

/* Active nodes are those at the border of their tree, from which it may grow. */
static void activate(gm_maxflow *flow, int32_t node)
{
    if (flow->queued[node])
        return;
    int32_t place = flow->queue_first + flow->n_queued++;
    if (place >= flow->n_nodes)
        place -= flow->n_nodes;
    flow->queue[place] = node;
    flow->queued[node] = 1;
}

static int32_t next_active(gm_maxflow *flow)
{
    const int32_t node = flow->queue[flow->queue_first];
    flow->queue_first = flow->queue_first + 1 < flow->n_nodes ? flow->queue_first + 1 : 0;
    flow->n_queued--;
    flow->queued[node] = 0;
    return node;
}

/* Its arc to the parent is saturated, or the parent has become free. */
static void make_orphan(gm_maxflow *flow, int32_t node)
{
    flow->parent[node] = ORPHAN;
    flow->orphans[flow->n_orphans++] = node;
}

/* Whether `node` is a child of `parent` in the tree of that side. */
static int is_child(const gm_maxflow *flow, int side, int32_t node, int32_t parent)
{
    return flow->side[node] == side && flow->parent[node] >= 0 &&
           flow->arc_head[flow->parent[node]] == parent;
}

/* Makes the node a child of its terminal. */
static void root(gm_maxflow *flow, int32_t node, enum gm_side side)
{
    flow->side[node] = (uint8_t)side;
    flow->parent[node] = TERMINAL;
    flow->distance[node] = 1;
    flow->stamp[node] = flow->clock;
}

/* The possible flow between a tree node and the head of its arc if the head were its child. */
static double onward(const gm_maxflow *flow, int side, int32_t arc)
{
    return flow->residual[side == GM_SOURCE ? arc : arc ^ 1];
}

/* The same if the head were its parent. */
static double upward(const gm_maxflow *flow, int side, int32_t arc)
{
    return flow->residual[side == GM_SOURCE ? arc ^ 1 : arc];
}

/* Growth stage, from one active node. Returns an arc that joins the trees, source end first, or -1.
 */
static int32_t grow(gm_maxflow *flow, int32_t node)
{
    const int side = flow->side[node];
    for (int32_t arc = flow->first_arc[node]; arc >= 0; arc = flow->arc_next[arc]) {
        if (!(onward(flow, side, arc) > 0.0))
            continue;
        const int32_t next = flow->arc_head[arc];
        if (flow->side[next] == GM_FREE) {
            flow->side[next] = (uint8_t)side;
            flow->parent[next] = arc ^ 1;
            flow->distance[next] = flow->distance[node] + 1;
            flow->stamp[next] = flow->stamp[node];
            activate(flow, next);
        } else if (flow->side[next] != side) {
            return side == GM_SOURCE ? arc : arc ^ 1;
        } else if (flow->stamp[next] <= flow->stamp[node] &&
                   flow->distance[next] > flow->distance[node] + 1 && flow->parent[next] >= 0) {
            /* a shorter path to the terminal (the paper's heuristic for short paths) */
            flow->parent[next] = arc ^ 1;
            flow->stamp[next] = flow->stamp[node];
            flow->distance[next] = flow->distance[node] + 1;
        }
    }
    return -1;
}

/* Augmentation stage: pushes flow through source tree, arc and sink tree; nodes whose arc to the
 * parent is saturated become orphans. */
static void augment(gm_maxflow *flow, int32_t arc)
{
    const int32_t ends[2] = {flow->arc_head[arc ^ 1], flow->arc_head[arc]};
    double amount = flow->residual[arc];
    for (int k = 0; k < 2; k++) {
        const int side = k == 0 ? GM_SOURCE : GM_SINK;
        int32_t node = ends[k];
        for (; flow->parent[node] >= 0; node = flow->arc_head[flow->parent[node]])
            if (upward(flow, side, flow->parent[node]) < amount)
                amount = upward(flow, side, flow->parent[node]);
        const double capacity = side == GM_SOURCE ? flow->terminal[node] : -flow->terminal[node];
        if (capacity < amount)
            amount = capacity;
    }
    flow->residual[arc] -= amount;
    flow->residual[arc ^ 1] += amount;
    for (int k = 0; k < 2; k++) {
        const int side = k == 0 ? GM_SOURCE : GM_SINK;
        int32_t node = ends[k];
        while (flow->parent[node] >= 0) {
            const int32_t up = flow->parent[node];
            const int32_t used = side == GM_SOURCE ? up ^ 1 : up; /* in the direction of flow */
            flow->residual[used] -= amount;
            flow->residual[used ^ 1] += amount;
            if (!(flow->residual[used] > 0.0))
                make_orphan(flow, node);
            node = flow->arc_head[up];
        }
        flow->terminal[node] -= side == GM_SOURCE ? amount : -amount;
        if (flow->terminal[node] == 0.0)
            make_orphan(flow, node);
    }
}

/* Distance of a tree node to its terminal, or 0 if its path ends in an orphan. Stamps the path. */
static int32_t trace_origin(gm_maxflow *flow, int32_t node)
{
    int32_t length = 0, walk = node;
    while (flow->stamp[walk] != flow->clock) {
        if (flow->parent[walk] == TERMINAL) {
            flow->stamp[walk] = flow->clock;
            flow->distance[walk] = 1;
            break;
        }
        if (flow->parent[walk] < 0)
            return 0;
        walk = flow->arc_head[flow->parent[walk]];
        length++;
    }
    length += flow->distance[walk];
    int32_t along = length;
    for (walk = node; flow->stamp[walk] != flow->clock; walk = flow->arc_head[flow->parent[walk]]) {
        flow->stamp[walk] = flow->clock;
        flow->distance[walk] = along--;
    }
    return length;
}

/* Adoption stage: finds each orphan a new parent in its own tree, or frees it and makes its
 * children orphans. */
static void adopt(gm_maxflow *flow)
{
    while (flow->n_orphans > 0 && !gm_watch_spend(flow->watch, ARCS_OF_A_NODE)) {
        const int32_t node = flow->orphans[--flow->n_orphans];
        if (flow->parent[node] != ORPHAN)
            continue; /* forced to a terminal in the meantime */
        const int side = flow->side[node];
        int32_t nearest = INT32_MAX, chosen = NONE;
        for (int32_t arc = flow->first_arc[node]; arc >= 0; arc = flow->arc_next[arc]) {
            const int32_t next = flow->arc_head[arc];
            if (flow->side[next] != side || !(upward(flow, side, arc) > 0.0))
                continue;
            const int32_t length = trace_origin(flow, next);
            if (length > 0 && length < nearest) {
                nearest = length;
                chosen = arc;
            }
        }
        flow->parent[node] = chosen;
        if (chosen != NONE) {
            flow->stamp[node] = flow->clock;
            flow->distance[node] = nearest + 1;
            continue;
        }
        flow->side[node] = GM_FREE;
        for (int32_t arc = flow->first_arc[node]; arc >= 0; arc = flow->arc_next[arc]) {
            const int32_t next = flow->arc_head[arc];
            if (flow->side[next] == GM_FREE)
                continue;
            if (is_child(flow, side, next, node))
                make_orphan(flow, next);
            if (upward(flow, flow->side[next], arc) > 0.0)
                activate(flow, next); /* it may grow into the freed node */
        }
    }
}

void gm_maxflow_continue(gm_maxflow *flow)
{
    flow->clock++;
    adopt(flow);
    while (flow->n_queued > 0 && !gm_watch_spend(flow->watch, ARCS_OF_A_NODE)) {
        const int32_t node = next_active(flow);
        while (flow->side[node] != GM_FREE && !gm_watch_spend(flow->watch, ARCS_OF_A_NODE)) {
            const int32_t bridge = grow(flow, node);
            if (bridge < 0)
                break;
            flow->clock++;
            augment(flow, bridge);
            adopt(flow);
        }
    }
}

void gm_maxflow_solve(gm_maxflow *flow)
{
    flow->clock = 1;
    flow->queue_first = flow->n_queued = flow->n_orphans = 0;
    for (int32_t i = 0; i < flow->n_nodes; i++) {
        flow->queued[i] = 0;
        flow->side[i] = GM_FREE;
        flow->parent[i] = NONE;
        flow->stamp[i] = 0;
        flow->distance[i] = 0;
    }
    for (int32_t i = 0; i < flow->n_nodes; i++)
        if (flow->terminal[i] != 0.0) {
            root(flow, i, flow->terminal[i] > 0.0 ? GM_SOURCE : GM_SINK);
            activate(flow, i);
        }
    gm_maxflow_continue(flow);
}

void gm_maxflow_force(gm_maxflow *flow, int32_t node, double amount)
{
    const enum gm_side side = amount > 0.0 ? GM_SOURCE : GM_SINK;
    if (flow->side[node] != GM_FREE && flow->side[node] != side)
        for (int32_t arc = flow->first_arc[node]; arc >= 0; arc = flow->arc_next[arc]) {
            const int32_t next = flow->arc_head[arc];
            if (is_child(flow, flow->side[node], next, node))
                make_orphan(flow, next);
        }
    flow->terminal[node] += amount;
    root(flow, node, side);
    activate(flow, node);
}
