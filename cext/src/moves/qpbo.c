/* QPBO and QPBO-I on the flow graph of variables and their complements. */
#include "moves/qpbo.h"
#include "base/watch.h"

#include "base/magnitude.h"

#include <math.h>
#include <string.h>

/* Variable i is flow node 2i, its complement i' is 2i + 1; 2i on the source side means z_i = 0.
 * Each term makes an arc x -> y and its mirror y' -> x', of two residuals each, so the mirror of
 * arc a is a ^ 2. */
enum { MIRROR = 2 };

void gm_qpbo_take(gm_qpbo_problem *qpbo, gm_pool *pool, int32_t max_variables, int32_t max_terms)
{
    GM_TAKE(pool, max_variables, qpbo->linear);
    GM_TAKE(pool, max_terms, qpbo->u);
    GM_TAKE(pool, max_terms, qpbo->v);
    GM_TAKE(pool, max_terms, qpbo->quadratic);
    GM_TAKE(pool, max_variables, qpbo->label);
    GM_TAKE(pool, max_variables, qpbo->trial);
    GM_TAKE(pool, max_variables, qpbo->order);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->component);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->low);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->walk_arc);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->stack);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->path);
    GM_TAKE(pool, 2 * (int64_t)max_variables, qpbo->saved_terminal);
    GM_TAKE(pool, 4 * (int64_t)max_terms, qpbo->saved_residual);
    gm_maxflow_take(&qpbo->flow, pool, 2 * max_variables, 2 * max_terms);
}

double gm_qpbo_value(const gm_qpbo_problem *qpbo, const int8_t *label)
{
    double value = 0.0;
    for (int32_t i = 0; i < qpbo->n; i++)
        if (label[i])
            value += qpbo->linear[i];
    for (int32_t t = 0; t < qpbo->n_terms; t++)
        if (label[qpbo->u[t]] && label[qpbo->v[t]])
            value += qpbo->quadratic[t];
    return value;
}

/* The flow graph of the problem. */
static void build_flow(gm_qpbo_problem *qpbo)
{
    gm_maxflow *flow = &qpbo->flow;
    gm_maxflow_reset(flow, 2 * qpbo->n);
    for (int32_t i = 0; i < qpbo->n; i++)
        flow->terminal[2 * i] = qpbo->linear[i];
    for (int32_t t = 0; t < qpbo->n_terms; t++) {
        const int32_t u = 2 * qpbo->u[t], v = 2 * qpbo->v[t];
        const double q = qpbo->quadratic[t];
        if (q > 0.0) { /* q z_u z_v: paid if v' is on the source side and u on the sink side */
            gm_maxflow_arc(flow, v + 1, u, q);
            gm_maxflow_arc(flow, u + 1, v, q);
        } else { /* -|q| z_u z_v = |q| (1 - z_from) z_to - |q| z_to, from and to being u and v */
            const int v_is_larger = flow->terminal[u] <= flow->terminal[v];
            const int32_t from = v_is_larger ? u : v, to = v_is_larger ? v : u;
            gm_maxflow_arc(flow, from, to, -q);
            gm_maxflow_arc(flow, to + 1, from + 1, -q);
            flow->terminal[to] += q;
        }
    }
    for (int32_t i = 0; i < qpbo->n; i++)
        flow->terminal[2 * i + 1] = -flow->terminal[2 * i];
}

/* Strong persistency: 0 or 1 if the trees of the flow decide variable i, else -1. */
static int8_t strong_label(const gm_maxflow *flow, int32_t i)
{
    if (flow->side[2 * i] == GM_SOURCE && flow->side[2 * i + 1] != GM_SOURCE)
        return 0;
    if (flow->side[2 * i] == GM_SINK && flow->side[2 * i + 1] != GM_SINK)
        return 1;
    return -1;
}

/* ---- weak persistency */

/* Whether an arc of a free node leads to a free node in the residual graph of the flow that is made
 * symmetric (the mean of an arc's flow and its mirror's). */
static int residual_arc(const gm_maxflow *flow, int32_t arc)
{
    return flow->residual[arc] + flow->residual[arc ^ MIRROR] > 0.0 &&
           flow->side[flow->arc_head[arc]] == GM_FREE;
}

/* First visit of a flow node. component[node]: 0 = unvisited, -k = visited as number k, its
 * component still open, +k = in component k. */
static void visit(gm_qpbo_problem *qpbo, int32_t node, int32_t number)
{
    qpbo->component[node] = -number;
    qpbo->low[node] = number;
    qpbo->walk_arc[node] = qpbo->flow.first_arc[node];
}

/* Strong components of the free nodes that are reachable from `start` (Tarjan 1972, without
 * recursion: path is the stack of calls, walk_arc how far each has come, stack Tarjan's stack, low
 * his lowlink). Components are numbered in the order in which they close: arcs lead from larger to
 * smaller numbers. */
static void close_components(gm_qpbo_problem *qpbo, int32_t start, int32_t *n_visited,
                             int32_t *n_components)
{
    const gm_maxflow *flow = &qpbo->flow;
    int32_t depth = 0, n_stack = 0;
    visit(qpbo, start, ++*n_visited);
    qpbo->stack[n_stack++] = start;
    qpbo->path[depth++] = start;
    while (depth > 0) {
        const int32_t node = qpbo->path[depth - 1];
        const int32_t arc = qpbo->walk_arc[node];
        if (arc >= 0) {
            qpbo->walk_arc[node] = flow->arc_next[arc];
            if (!residual_arc(flow, arc))
                continue;
            const int32_t next = flow->arc_head[arc];
            if (qpbo->component[next] == 0) {
                visit(qpbo, next, ++*n_visited);
                qpbo->stack[n_stack++] = next;
                qpbo->path[depth++] = next;
            } else if (qpbo->component[next] < 0 && -qpbo->component[next] < qpbo->low[node]) {
                qpbo->low[node] = -qpbo->component[next];
            }
            continue;
        }
        depth--;
        if (depth > 0 && qpbo->low[node] < qpbo->low[qpbo->path[depth - 1]])
            qpbo->low[qpbo->path[depth - 1]] = qpbo->low[node];
        if (qpbo->low[node] == -qpbo->component[node]) {
            const int32_t number = ++*n_components;
            int32_t member;
            do {
                member = qpbo->stack[--n_stack];
                qpbo->component[member] = number;
            } while (member != node);
        }
    }
}

void gm_qpbo_persist(gm_qpbo_problem *qpbo)
{
    gm_maxflow *flow = &qpbo->flow;
    build_flow(qpbo);
    gm_maxflow_solve(flow);
    int32_t n_visited = 0, n_components = 0;
    memset(qpbo->component, 0, (size_t)flow->n_nodes * sizeof *qpbo->component);
    for (int32_t i = 0; i < qpbo->n; i++) {
        qpbo->label[i] = strong_label(flow, i);
        for (int32_t node = 2 * i; node <= 2 * i + 1; node++)
            if (flow->side[node] == GM_FREE && qpbo->component[node] == 0)
                close_components(qpbo, node, &n_visited, &n_components);
    }
    /* Weak persistency: free nodes may join the source side if all that they reach by residual arcs
     * does. Of a free node and its complement, that with the smaller component does so; if both are
     * in one component, neither can. */
    for (int32_t i = 0; i < qpbo->n; i++) {
        const int32_t mine = qpbo->component[2 * i], complement = qpbo->component[2 * i + 1];
        if (qpbo->label[i] < 0 && mine > 0 && complement > 0 && mine != complement)
            qpbo->label[i] = mine < complement ? 0 : 1;
    }
}

/* ---- QPBO-I */

/* Fixes those of n variables that are not decided by the trees to their values in `label`. */
static void fix_variables(gm_qpbo_problem *qpbo, const int32_t *variables, int32_t n,
                          const int8_t *label, double beyond)
{
    gm_maxflow *flow = &qpbo->flow;
    for (int32_t k = 0; k < n; k++) {
        const int32_t i = variables[k];
        if (strong_label(flow, i) >= 0)
            continue;
        gm_maxflow_force(flow, 2 * i, label[i] ? -beyond : beyond);
        gm_maxflow_force(flow, 2 * i + 1, label[i] ? beyond : -beyond);
    }
    gm_maxflow_continue(flow);
}

/* One round of QPBO-I: fixes the undecided variables in a random order. trial holds a labelling of
 * all variables, which gets better or stays as good. */
static void improve_once(gm_qpbo_problem *qpbo, gm_random *random, int32_t n_undecided,
                         double beyond)
{
    gm_maxflow *flow = &qpbo->flow;
    gm_random_shuffle(random, n_undecided, qpbo->order);
    memcpy(flow->terminal, qpbo->saved_terminal, (size_t)flow->n_nodes * sizeof *flow->terminal);
    memcpy(flow->residual, qpbo->saved_residual, (size_t)flow->n_arcs * sizeof *flow->residual);
    gm_maxflow_solve(flow);
    for (int32_t k = 0; k < n_undecided && !gm_watch_is_over(flow->watch); k++) {
        const int32_t i = qpbo->order[k];
        if (strong_label(flow, i) < 0)
            fix_variables(qpbo, &i, 1, qpbo->trial, beyond);
        else
            qpbo->trial[i] = strong_label(flow, i);
    }
}

/* order = the undecided variables, then the decided ones. Returns the number of undecided. */
static int32_t order_variables(gm_qpbo_problem *qpbo)
{
    int32_t n_undecided = 0, n_decided = 0;
    for (int32_t i = 0; i < qpbo->n; i++) {
        if (qpbo->label[i] < 0)
            qpbo->order[n_undecided++] = i;
        else
            qpbo->order[qpbo->n - ++n_decided] = i;
    }
    return n_undecided;
}

/* A number above all capacities of the flow graph together. */
static double beyond_capacities(const gm_qpbo_problem *qpbo)
{
    double total = 0.0;
    for (int32_t i = 0; i < qpbo->n; i++)
        total += 2.0 * fabs(qpbo->linear[i]);
    for (int32_t t = 0; t < qpbo->n_terms; t++)
        total += 4.0 * fabs(qpbo->quadratic[t]);
    return gm_beyond(total);
}

/* Gives all undecided variables the same value, the better one. Returns the value of label. */
static double start_labelling(gm_qpbo_problem *qpbo)
{
    for (int32_t i = 0; i < qpbo->n; i++) {
        qpbo->trial[i] = qpbo->label[i] < 0 ? 1 : qpbo->label[i];
        qpbo->label[i] = qpbo->label[i] < 0 ? 0 : qpbo->label[i];
    }
    const double zeros = gm_qpbo_value(qpbo, qpbo->label);
    const double ones = gm_qpbo_value(qpbo, qpbo->trial);
    if (!(ones < zeros))
        return zeros;
    memcpy(qpbo->label, qpbo->trial, (size_t)qpbo->n);
    return ones;
}

double gm_qpbo_improve(gm_qpbo_problem *qpbo, gm_random *random, int32_t patience)
{
    const gm_maxflow *flow = &qpbo->flow;
    const int32_t n_undecided = order_variables(qpbo);
    if (n_undecided == 0)
        return gm_qpbo_value(qpbo, qpbo->label);
    double value = start_labelling(qpbo);
    if (patience <= 0)
        return value;

    const double beyond = beyond_capacities(qpbo);
    fix_variables(qpbo, qpbo->order + n_undecided, qpbo->n - n_undecided, qpbo->label, beyond);
    memcpy(qpbo->saved_terminal, flow->terminal, (size_t)flow->n_nodes * sizeof *flow->terminal);
    memcpy(qpbo->saved_residual, flow->residual, (size_t)flow->n_arcs * sizeof *flow->residual);
    const int64_t work = (int64_t)flow->n_nodes + flow->n_arcs; /* of a round, at least */
    for (int32_t failed = 0; failed < patience && !gm_watch_spend(flow->watch, work);) {
        memcpy(qpbo->trial, qpbo->label, (size_t)qpbo->n);
        improve_once(qpbo, random, n_undecided, beyond);
        const double found = gm_qpbo_value(qpbo, qpbo->trial);
        if (found < value) {
            value = found;
            memcpy(qpbo->label, qpbo->trial, (size_t)qpbo->n);
            failed = 0;
        } else {
            failed++;
        }
    }
    return value;
}

int gm_qpbo(int32_t n, const double *c, int64_t n_terms, const int32_t *u, const int32_t *v,
            const double *q, uint64_t seed, int32_t improve, int32_t *labels, double *value)
{
    gm_pool pool = {0};
    gm_qpbo_problem problem = {.n = n, .n_terms = (int32_t)n_terms};
    gm_random random = {seed};
    int status = GM_OK;
    *value = NAN;
    if (n < 0 || n_terms < 0 || n_terms > INT32_MAX / 4)
        return GM_EARGUMENT;
    gm_qpbo_take(&problem, &pool, n, (int32_t)n_terms);
    if (pool.failed) {
        status = GM_ENOMEM;
        goto done;
    }
    memcpy(problem.linear, c, (size_t)n * sizeof *c);
    memcpy(problem.u, u, (size_t)n_terms * sizeof *u);
    memcpy(problem.v, v, (size_t)n_terms * sizeof *v);
    memcpy(problem.quadratic, q, (size_t)n_terms * sizeof *q);
    gm_qpbo_persist(&problem);
    if (improve > 0)
        *value = gm_qpbo_improve(&problem, &random, improve);
    for (int32_t i = 0; i < n; i++)
        labels[i] = problem.label[i];
done:
    gm_pool_free(&pool);
    return status;
}
