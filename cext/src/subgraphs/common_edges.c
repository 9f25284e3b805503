/* common_edges: the most common edges of two labelled graphs, by two searches and a local search in
 * turns.
 *
 * The search of common_search.h has cheap bounds and many nodes; it is the faster one if graphs are
 * sparse. If an edge that is not common costs 1 in either graph and nodes cost nothing, the edit
 * distance is
 *     m1 + m2 - 2 * (number of common edges).
 * The search of edit_search.h minimises it. Its bounds are assignments: expensive, but much tighter
 * if many edges could become many others. Each search knows the best subgraph of both and of the
 * local search (edge_tabu.h), which finds large ones early: then both trees are smaller.
 *
 * The search that is expected to end first has most turns: the progress of each, the fraction of
 * its tree that is over by guessed sizes of subtrees, says how many more it takes. Turns are
 * counted in work, not in time: the answer is always the same. */
#include "base/run.h"
#include "subgraphs/common_search.h"
#include "subgraphs/edge_tabu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work of a turn of the search by partitioning (words of classes) and of that by assignments,
 * both about a tenth of a millisecond. */
static const int64_t WORK[] = {25000, 6000};
static const double TURN = 1e-4; /* seconds */

enum { LEAD = 6 }; /* turns of the search that leads for one of the other */

/* A turn of the local search: steps times pairs of nodes; and the turns of the searches before it
 * begins. The tree of the search by assignments depends on the best subgraph that is known, so it
 * begins again with a better one if all trees before took at most a fraction of all turns. */
static const int64_t PAIRS = 20000;
enum { WAIT = 3 };
static const double MOST_LOST = 0.25;

/* Costs are counted in halves of half an edge: each edge that is not common costs 2. */
enum { EDGE = 2 };

typedef struct edges_state {
    gm_run run;
    gm_pool pool;
    gm_common_edges_options options;
    int64_t n_turns[2]; /* of the search by partitioning and of that by assignments */
    int32_t chosen;     /* of the two, the search whose turn it is, -1: a new turn begins */
    int64_t goal;       /* its work at the end of the turn */
    sub_question question;
    sub_search partition;
    edit_search assignment;
    int64_t began_at, n_before; /* turns before the search by assignments began, and its nodes */
    edge_tabu tabu;
    int64_t n_tabu; /* its turns */
    int32_t *label; /* [n1] */
    int64_t most;   /* distance without any common edge */
    double upper;   /* no common subgraph has more edges */
} edges_state;

/* ---- the search by assignments */

static void set_scale(edit_search *s, const gm_graph_pair *pair)
{
    s->directed = pair->directed;
    s->n_kinds = pair->n_kinds1 > pair->n_kinds2 ? pair->n_kinds1 : pair->n_kinds2;
    s->n_types = pair->n_types1 > pair->n_types2 ? pair->n_types1 : pair->n_types2;
    s->strict = s->n_types > 1;
    s->half = EDGE / 2;
    s->half_relabel = EDGE; /* an edge of another kind is not common */
    s->unit = 2 * EDGE;
    s->is_shared = 1;
    s->rest = EDGE * ((pair->first.n_edges + pair->second.n_edges) % 2);
}

static double edges_of(const edges_state *state, int64_t distance)
{
    return (double)((state->most - distance) / (2 * EDGE));
}

static int64_t distance_of(const edges_state *state, double edges)
{
    return state->most - 2 * EDGE * (int64_t)edges;
}

/* The best map as labels of the first graph; nodes that may not be mapped have none. */
static void label_nodes(edges_state *state)
{
    const edit_search *s = &state->assignment;
    const int swapped = s->first != &s->sides[0];
    for (int32_t u = 0; u < s->sides[0].graph.n_nodes; u++)
        state->label[u] = -1;
    for (int32_t u = 0; u < s->first->graph.n_nodes; u++)
        if (edit_may_map(s, u, s->best_map[u]))
            state->label[swapped ? s->best_map[u] : u] = swapped ? u : s->best_map[u];
}

/* Whether a tree with a better subgraph that is known now may begin. */
static int is_to_begin_again(const edges_state *state, int64_t known)
{
    const int64_t *n = state->n_turns;
    const double all = (double)(n[0] + n[1]);
    return known < state->assignment.best && (double)n[1] <= 1.0 + MOST_LOST * all;
}

/* Begins the search with the best subgraph that is known. */
static void begin_assignments(edges_state *state, int64_t known)
{
    edit_search *s = &state->assignment;
    state->n_before += s->n_frames;
    edit_search_begin(s, known - 1);
    state->began_at = state->n_turns[1] - 1;
    state->goal = WORK[1];
}

/* Goes on with a turn, for at most max_nodes nodes. */
static void search_assignments(edges_state *state, int64_t max_nodes)
{
    edit_search *s = &state->assignment;
    const int64_t known = distance_of(state, -state->run.value);
    const int64_t last = state->n_before + s->n_frames + max_nodes; /* of all trees */
    if (s->n_frames == 0 || is_to_begin_again(state, known))
        begin_assignments(state, known);
    s->best = s->best < known ? s->best : known;
    edit_search_go(s, state->goal, last - state->n_before);
    if (s->best < known) {
        label_nodes(state);
        gm_run_offer(&state->run, -edges_of(state, s->best), state->label);
    }
    state->upper = fmin(state->upper, edges_of(state, edit_search_bound(s)));
    state->run.finished |= s->depth < 0;
    if (s->work > state->goal)
        state->chosen = -1;
}

/* ---- the search by partitioning */

/* Goes on with a turn, for at most max_nodes nodes. */
static void search_partitions(edges_state *state, int64_t max_nodes, double deadline)
{
    sub_search *s = &state->partition;
    s->best = -state->run.value;
    s->best_task = -1; /* an equally good one is not better */
    sub_search_go(s, state->goal, max_nodes, deadline);
    if (s->own > -state->run.value)
        gm_run_offer(&state->run, -s->own, s->own_labels);
    state->upper = fmin(state->upper, s->upper);
    state->run.finished |= s->depth == 0;
    if (s->work >= state->goal)
        state->chosen = -1;
}

/* ---- the local search */

/* Whether it has a turn: if both searches run, after n^2 turns of theirs it has had n. */
static int is_tabu_next(const edges_state *state)
{
    const int64_t *n = state->n_turns, had = state->n_tabu;
    return state->tabu.start && had * had + WAIT < n[0] + n[1];
}

static void search_locally(edges_state *state)
{
    edge_tabu *t = &state->tabu;
    if (state->n_tabu++ == 0)
        edge_tabu_begin(t, &state->assignment, state->run.labels);
    edge_tabu_go(t, 1 + PAIRS / ((int64_t)t->n1 * t->n2 + 1));
    if (t->best_value <= -state->run.value)
        return;
    edge_tabu_labels(t, state->label);
    gm_run_offer(&state->run, -(double)t->best_value, state->label);
}

/* ---- turns */

/* The turns that a search takes from here on, if n of them have made the progress p: curves fitted
 * to runs on 92 pairs. The search by assignments goes on nearly evenly. That by partitioning seems
 * to be nearly over long before it is: the trees in which an item stays out are larger than
 * guessed, and they come last. */
static double turns_left(const edges_state *state, int32_t by_assignment)
{
    const double p = gm_common_edges_progress(&state->run, by_assignment);
    const double n =
        (double)(state->n_turns[by_assignment] - (by_assignment ? state->began_at : 0));
    const double rest = by_assignment ? 1.0 - p : 1.6 * sqrt(1.0 - p);
    return n * rest / (sqrt(p) * sqrt(sqrt(p))); /* p^(3/4) */
}

static int32_t choose_search(const edges_state *state)
{
    const int64_t *n = state->n_turns;
    if (!state->options.partition || !state->options.assignment)
        return state->options.assignment != 0;
    if (n[0] == 0 || n[1] == 0)
        return n[0] != 0;
    const int32_t first = turns_left(state, 1) < turns_left(state, 0);
    return LEAD * n[!first] <= n[first] ? !first : first;
}

static void begin_turn(edges_state *state)
{
    const int32_t k = state->chosen = choose_search(state);
    state->n_turns[k]++;
    state->goal = WORK[k] + (k ? state->assignment.work : state->partition.work);
}

double gm_common_edges_left(const gm_run *run)
{
    const edges_state *state = (const edges_state *)run;
    double least = INFINITY;
    if (state->options.partition && state->n_turns[0] > 0)
        least = turns_left(state, 0);
    if (state->options.assignment && state->n_turns[1] > 0)
        least = fmin(least, turns_left(state, 1));
    return run->finished ? 0.0 : TURN * least;
}

/* ---- the run */

static int take_searches(edges_state *state, const gm_graph_pair *pair)
{
    const gm_labelled_graph *first = &pair->first, *second = &pair->second;
    const int32_t n = first->n_nodes > second->n_nodes ? first->n_nodes : second->n_nodes;
    const int32_t m = first->n_edges > second->n_edges ? first->n_edges : second->n_edges;
    const gm_common_options common = {.by_edges = 1, .twins = 1, .n_jobs = 1};
    edit_search *s = &state->assignment;
    GM_TAKE(&state->pool, first->n_nodes, state->label);
    if (state->options.partition) {
        if (sub_question_take(&state->question, &state->pool, pair, &common) != GM_OK ||
            sub_search_take(&state->partition, &state->pool, &state->question) != GM_OK)
            return GM_ENOMEM;
    }
    if (state->options.assignment) {
        set_scale(s, pair);
        edit_search_take(s, &state->pool, n, m);
        if (!state->pool.failed && !(edit_list_side(s, &s->sides[0], first) &&
                                     edit_list_side(s, &s->sides[1], second) && edit_costs_fit(s)))
            return GM_EARGUMENT;
        if (state->options.partition && first->n_nodes > 0 && first->n_nodes <= second->n_nodes)
            edge_tabu_take(&state->tabu, &state->pool, first->n_nodes, second->n_nodes,
                           first->n_edges);
    }
    return state->pool.failed ? GM_ENOMEM : GM_OK;
}

static void begin(edges_state *state, const gm_graph_pair *pair)
{
    for (int32_t u = 0; u < pair->first.n_nodes; u++)
        state->label[u] = -1;
    gm_run_offer(&state->run, 0.0, state->label);
    state->most = EDGE * ((int64_t)pair->first.n_edges + pair->second.n_edges);
    state->upper =
        (double)(pair->first.n_edges < pair->second.n_edges ? pair->first : pair->second).n_edges;
    if (state->options.partition)
        sub_search_begin(&state->partition, NULL);
    state->chosen = -1;
    gm_run_raise(&state->run, -state->upper);
}

gm_run *gm_common_edges_new(const gm_graph_pair *pair, const gm_common_edges_options *options)
{
    edges_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->options = *options;
    if (take_searches(state, pair) != GM_OK ||
        gm_run_init(&state->run, &(gm_model){.n1 = pair->first.n_nodes}) != GM_OK) {
        gm_common_edges_free(&state->run);
        return NULL;
    }
    begin(state, pair);
    return &state->run;
}

void gm_common_edges_free(gm_run *run)
{
    edges_state *state = (edges_state *)run;
    if (!state)
        return;
    gm_run_clear(run);
    gm_pool_free(&state->pool);
    free(state);
}

int gm_common_edges_step(gm_run *run, int64_t max_iterations, double seconds)
{
    edges_state *state = (edges_state *)run;
    const double deadline = gm_clock() + seconds;
    int64_t rest = max_iterations < INT64_MAX / 2 ? max_iterations : INT64_MAX / 2;
    while (!run->finished && rest > 0 && gm_clock() < deadline) {
        const int64_t before = run->iteration;
        if (state->chosen < 0 && is_tabu_next(state))
            search_locally(state);
        if (state->chosen < 0)
            begin_turn(state);
        if (state->chosen)
            search_assignments(state, rest);
        else
            search_partitions(state, rest, deadline);
        run->iteration = state->partition.n_nodes + state->n_before + state->assignment.n_frames;
        rest -= run->iteration - before;
        gm_run_raise(run, run->finished ? run->value : -state->upper);
    }
    return GM_OK;
}

double gm_common_edges_progress(const gm_run *run, int32_t by_assignment)
{
    const edges_state *state = (const edges_state *)run;
    if (by_assignment)
        return state->assignment.n_frames ? edit_search_progress(&state->assignment) : 0.0;
    return state->options.partition ? sub_search_progress(&state->partition) : 0.0;
}
