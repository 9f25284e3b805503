/* contained: the maps of a pattern into a graph, found one by one or counted. Isomorphisms are
 * found by refinement (isomorphic.h), the others by constraint search (contained_search.h). */
#include "base/run.h"
#include "subgraphs/contained_search.h"
#include "subgraphs/first_guess.h"
#include "subgraphs/isomorphic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16 }; /* numbers in the maps that wait */

/* Steps of plain backtracking: as many as take less time than the filters of the candidates, whose
 * work grows with the number of pairs of nodes. */
enum { MOST_GUESSED = 1000, GUESSES = 500, PAIRS_PER_GUESS = 5, MOST_GUESSES = 20000 };

typedef struct contained_state {
    gm_run run;
    gm_pool pool;
    const gm_graph_pair *pair;
    gm_contained_options options;
    int by_refinement;
    sub_isomorphic isomorphic;
    sub_candidates candidates;
    sub_contained search;
    int64_t count;
    int32_t *waiting; /* [room * n1] maps that have not been taken */
    int64_t room, n_waiting;
} contained_state;

/* Whether the numbers of nodes and edges exclude a map. */
static int is_impossible(const gm_graph_pair *pair, int isomorphic)
{
    const gm_labelled_graph *a = &pair->first, *b = &pair->second;
    return isomorphic ? a->n_nodes != b->n_nodes || a->n_edges != b->n_edges
                      : a->n_nodes > b->n_nodes || a->n_edges > b->n_edges;
}

/* Keeps a map that plain backtracking finds at once, if one is enough: 1; 0: none; or GM_ENOMEM. */
static int guess_map(contained_state *state)
{
    const int32_t n1 = state->run.n1;
    if (state->options.limit != 1 || n1 > MOST_GUESSED)
        return 0;
    int32_t *map = state->run.labels;
    const int64_t pairs = (int64_t)n1 * state->pair->second.n_nodes;
    const int64_t steps = GUESSES + pairs / PAIRS_PER_GUESS;
    const int found =
        sub_first_guess(&state->candidates, steps < MOST_GUESSES ? steps : MOST_GUESSES, map);
    if (found <= 0)
        return found;
    state->count = state->run.finished = 1;
    if (!state->options.count_only) {
        memcpy(state->waiting, map, sizeof *map * (size_t)n1);
        state->n_waiting = 1;
    }
    return 1;
}

/* Sets up the search that fits the question. GM_OK or GM_ENOMEM. */
static int take_search(contained_state *state)
{
    const gm_contained_options *options = &state->options;
    if (state->by_refinement)
        return sub_isomorphic_take(&state->isomorphic, &state->pool, state->pair, options->fixed);
    sub_candidates *candidates = &state->candidates;
    if (sub_candidates_take(candidates, &state->pool, state->pair, options) != GM_OK)
        return GM_ENOMEM;
    const int guessed = guess_map(state);
    if (guessed != 0)
        return guessed < 0 ? guessed : GM_OK;
    if (sub_candidates_filter(candidates, &state->pool) != GM_OK)
        return GM_ENOMEM;
    if (candidates->infeasible) {
        state->run.finished = 1;
        return GM_OK;
    }
    return sub_contained_take(&state->search, &state->pool, candidates, options->limit == 1);
}

gm_run *gm_contained_new(const gm_graph_pair *pair, const gm_contained_options *options)
{
    contained_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    const int32_t n1 = pair->first.n_nodes;
    state->pair = pair;
    state->options = *options;
    state->by_refinement = options->isomorphic && sub_labels_are_equal(pair);
    state->room = n1 > 0 && n1 < ROOM ? ROOM / n1 : 1;
    GM_TAKE(&state->pool, options->count_only ? 0 : state->room * n1, state->waiting);
    if (state->pool.failed || gm_run_init(&state->run, &(gm_model){.n1 = n1}) != GM_OK) {
        gm_contained_free(&state->run);
        return NULL;
    }
    state->run.finished = is_impossible(pair, options->isomorphic);
    if (!state->run.finished && take_search(state) != GM_OK) {
        gm_contained_free(&state->run);
        return NULL;
    }
    return &state->run;
}

void gm_contained_free(gm_run *run)
{
    contained_state *state = (contained_state *)run;
    if (!state)
        return;
    gm_run_clear(run);
    gm_pool_free(&state->pool);
    free(state);
}

/* ---- leaves */

/* Writes the map of a leaf of the constraint search. */
static void write_map(const contained_state *state, int32_t *map)
{
    for (int32_t x = 0; x < state->run.n1; x++)
        map[x] = state->candidates.image[state->search.given[x]];
}

/* Whether an isomorphism meets all edges: refinement compares sums that could be equal by chance.
 */
static int meets_edges(const sub_isomorphic *search, const int32_t *map)
{
    const sub_neighbours *first = &search->first, *second = &search->renumbered;
    for (int32_t u = 0; u < first->n_nodes; u++)
        for (int64_t k = first->start[u]; k < first->start[u + 1]; k++) {
            const int64_t m = sub_find_neighbour(second, map[u], map[first->node[k]]);
            if (m < 0 || first->there[k] != second->there[m] || first->back[k] != second->back[m])
                return 0;
        }
    return 1;
}

/* Counts the maps of a leaf, and keeps one that is not only counted. */
static void keep_leaf(contained_state *state)
{
    int32_t *map = state->run.labels;
    const int32_t open = state->by_refinement ? -1 : sub_contained_open(&state->search);
    if (state->by_refinement) {
        sub_isomorphic_map(&state->isomorphic, map);
        if (!meets_edges(&state->isomorphic, map))
            return;
    } else if (open < 0) {
        write_map(state, map);
    }
    state->count += open < 0 ? 1 : state->search.size[open];
    if (state->options.limit > 0 && state->count > state->options.limit)
        state->count = state->options.limit;
    if (!state->options.count_only)
        memcpy(state->waiting + state->n_waiting++ * state->run.n1, map,
               sizeof *map * (size_t)state->run.n1);
}

/* ---- steps */

static int64_t count_nodes(const contained_state *state)
{
    return state->by_refinement ? state->isomorphic.n_nodes : state->search.n_nodes;
}

/* Goes on until the next leaf: 1; 0: the search is over or has to be called again. */
static int next_leaf(contained_state *state, int64_t max_nodes, double deadline)
{
    if (state->by_refinement)
        return sub_isomorphic_next(&state->isomorphic, max_nodes, deadline);
    return sub_contained_next(&state->search, max_nodes, deadline, state->options.count_only);
}

/* Whether the root itself was a leaf, or all of the tree has been searched. */
static int is_over(const contained_state *state)
{
    return state->by_refinement ? state->isomorphic.depth == 0 : state->search.depth == 0;
}

int gm_contained_step(gm_run *run, int64_t max_iterations, double seconds)
{
    contained_state *state = (contained_state *)run;
    const double deadline = gm_clock() + seconds;
    const int64_t first = count_nodes(state), limit = state->options.limit;
    while (!run->finished && (state->options.count_only || state->n_waiting < state->room)) {
        const int64_t used = count_nodes(state) - first;
        if (used >= max_iterations)
            break;
        const int found = next_leaf(state, max_iterations - used, deadline);
        if (found)
            keep_leaf(state);
        run->finished = is_over(state) || (limit > 0 && state->count >= limit);
        if (!found || gm_clock() >= deadline)
            break;
    }
    run->iteration = count_nodes(state);
    run->value = -(double)state->count;
    return GM_OK;
}

int64_t gm_contained_count(const gm_run *run)
{
    return ((const contained_state *)run)->count;
}

int64_t gm_contained_take(gm_run *run, int32_t *maps, int64_t most)
{
    contained_state *state = (contained_state *)run;
    const int64_t n = most < state->n_waiting ? most : state->n_waiting;
    const int64_t rest = state->n_waiting - n;
    memcpy(maps, state->waiting, sizeof *maps * (size_t)(n * run->n1));
    memmove(state->waiting, state->waiting + n * run->n1, sizeof *maps * (size_t)(rest * run->n1));
    state->n_waiting = rest;
    return n;
}

double gm_contained_memory(const gm_graph_pair *pair, const gm_contained_options *options)
{
    if (options->isomorphic && sub_labels_are_equal(pair))
        return 200.0 * (double)pair->first.n_nodes + 80.0 * (double)pair->first.n_edges;
    return 4.0 * sub_candidates_memory(pair);
}

int gm_refined_cells(const gm_graph_pair *pair, const int32_t *fixed, int32_t *cell)
{
    if (is_impossible(pair, 1) || !sub_labels_are_equal(pair))
        return 0;
    gm_pool pool = {NULL, 0};
    sub_isomorphic search;
    memset(&search, 0, sizeof search);
    int status = sub_isomorphic_take(&search, &pool, pair, fixed);
    if (status == GM_OK) {
        sub_cells *cells = &search.cells;
        status = sub_cells_begin(cells, search.number1, search.number2) && sub_cells_refine(cells);
        memcpy(cell, cells->cell, sizeof *cell * (size_t)cells->n);
    }
    gm_pool_free(&pool);
    return status;
}
