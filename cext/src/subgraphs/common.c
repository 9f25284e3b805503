/* common: the largest common subgraph of two labelled graphs, by one search (common_search.h) or by
 * several that share its tasks. */
#include "base/run.h"
#include "subgraphs/common_search.h"
#include "subgraphs/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST_SLICE =
    5e-4;                         /* seconds of the first pieces; each next is twice as long */
static const double SLICE = 0.05; /* of a piece, at most */

static const int64_t PORTION = 10000; /* nodes between two reports */

/* The trial of small graphs: after this many nodes, this many steps of local search. */
enum { STAGES = 2 };
static const int64_t STAGE_NODES[STAGES] = {2000, 100000};
static const int64_t STAGE_STEPS[STAGES] = {2000, 10000};

typedef struct common_state {
    gm_run run;
    gm_pool pool;
    sub_question question;
    int32_t n_searches;
    sub_search *search;
    int32_t next_task;
    int32_t is_trial; /* whether the first search runs alone, with local search between */
    int32_t stage;    /* of the trial */
    int64_t n_trial;  /* nodes of the trial, if the searches began again after it */
    small_exchange *exchange;
    int32_t offered; /* pieces that the caller may run now */
    double slice;
} common_state;

static void begin_searches(common_state *state)
{
    const int32_t n = state->n_searches;
    for (int32_t k = 0; k < n; k++)
        sub_search_begin(state->search + k, n > 1 && !state->is_trial ? &state->next_task : NULL);
}

static void begin(common_state *state)
{
    state->is_trial = state->search[0].is_small && state->search[0].small.is_sparse;
    begin_searches(state);
    gm_run_offer(&state->run, 0.0, state->search[0].own_labels);
    gm_run_raise(&state->run, -state->search[0].upper);
}

gm_run *gm_common_new(const gm_graph_pair *pair, const gm_common_options *options)
{
    common_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->n_searches = options->n_jobs;
    state->slice = FIRST_SLICE;
    GM_TAKE(&state->pool, state->n_searches, state->search);
    int failed = state->pool.failed ||
                 sub_question_take(&state->question, &state->pool, pair, options) != GM_OK;
    GM_TAKE(&state->pool, 1, state->exchange);
    for (int32_t k = 0; !failed && k < state->n_searches; k++)
        failed = sub_search_take(state->search + k, &state->pool, &state->question) != GM_OK;
    if (failed || gm_run_init(&state->run, &(gm_model){.n1 = pair->first.n_nodes}) != GM_OK) {
        gm_common_free(&state->run);
        return NULL;
    }
    begin(state);
    return &state->run;
}

void gm_common_free(gm_run *run)
{
    common_state *state = (common_state *)run;
    if (!state)
        return;
    gm_run_clear(run);
    gm_pool_free(&state->pool);
    free(state);
}

/* ---- the results of the searches */

/* Whether the find of search a comes before that of search b: it is worth more, or is found
 * earlier in the tree. */
static int comes_before(const sub_search *a, const sub_search *b)
{
    return a->own > b->own || (a->own == b->own && a->own_task < b->own_task);
}

/* Reports the best leaf, and makes it known to all searches. */
static void publish_best(common_state *state)
{
    const sub_search *best = state->search;
    for (int32_t k = 1; k < state->n_searches; k++)
        if (comes_before(state->search + k, best))
            best = state->search + k;
    if (!gm_run_offer(&state->run, -best->own, best->own_labels))
        memcpy(state->run.labels, best->own_labels,
               sizeof *best->own_labels * (size_t)state->run.n1);
    for (int32_t k = 0; k < state->n_searches; k++) {
        state->search[k].best = best->own;
        state->search[k].best_task = best->own_task;
    }
}

/* Raises the bound to that of the open searches. A task that no search has taken is one that
 * the search at the end of the tasks would take. */
static void publish_bound(common_state *state)
{
    double upper = -state->run.value;
    int over = 1;
    int64_t n_nodes = state->n_trial;
    for (int32_t k = 0; k < (state->is_trial ? 1 : state->n_searches); k++) {
        const sub_search *search = state->search + k;
        if (search->depth > 0) {
            upper = fmax(upper, search->upper);
            over = 0;
        }
        n_nodes += search->n_nodes;
    }
    state->run.iteration = n_nodes;
    gm_run_raise(&state->run, -upper);
    state->run.finished = over;
}

/* ---- the start */

/* Makes the subgraph of the local search the best one of a search. */
static void begin_with_start(common_state *state, sub_search *search)
{
    const int32_t size = exchange_labels(state->exchange, &state->question, search->own_labels);
    search->own = search->best = (double)size;
    search->own_task = search->best_task = -1;
}

/* Searches alone. At the end of a stage the subgraph that has been found is enlarged by local
 * search. After the last one all searches begin again with it; a single one goes on. The answer is
 * the same: the subgraph of the local search if it is a largest one, else the first leaf of the
 * tree that is. */
static void search_for_start(common_state *state, int64_t max_nodes, double deadline)
{
    sub_search *first = state->search;
    const int64_t rest = STAGE_NODES[state->stage] - first->n_nodes;
    sub_search_go(first, INT64_MAX, max_nodes < rest ? max_nodes : rest, deadline);
    if (first->depth == 0 || first->n_nodes < STAGE_NODES[state->stage])
        return;
    exchange_begin(state->exchange, &first->small, &state->question, first->own_labels);
    exchange_go(state->exchange, STAGE_STEPS[state->stage++]);
    begin_with_start(state, first);
    if (state->stage < STAGES)
        return;
    state->is_trial = 0;
    if (state->n_searches == 1)
        return;
    state->n_trial = first->n_nodes;
    begin_searches(state);
    for (int32_t k = 0; k < state->n_searches; k++)
        begin_with_start(state, state->search + k);
}

/* ---- steps */

/* The only search goes on, in portions, so that improvements are noted when they happen. */
static void search_alone(common_state *state, int64_t max_nodes, double deadline)
{
    sub_search *search = state->search;
    while (search->depth > 0 && max_nodes > 0 && gm_clock() < deadline) {
        const int64_t before = search->n_nodes;
        sub_search_go(search, INT64_MAX, max_nodes < PORTION ? max_nodes : PORTION, deadline);
        max_nodes -= search->n_nodes - before;
        gm_run_offer(&state->run, -search->own, search->own_labels);
    }
}

int gm_common_step(gm_run *run, int64_t max_iterations, double seconds)
{
    common_state *state = (common_state *)run;
    if (run->finished)
        return GM_OK;
    const double deadline = gm_clock() + seconds;
    const int64_t last =
        run->iteration <= INT64_MAX - max_iterations ? run->iteration + max_iterations : INT64_MAX;
    while (state->is_trial && state->search[0].depth > 0 && gm_clock() < deadline &&
           state->search[0].n_nodes < last)
        search_for_start(state, last - state->search[0].n_nodes, deadline);
    if (!state->is_trial && state->n_searches == 1)
        search_alone(state, last - state->search[0].n_nodes, deadline);
    publish_best(state);
    publish_bound(state);
    const int is_alone = state->is_trial || state->n_searches == 1;
    state->offered = run->finished || is_alone ? 0 : state->n_searches;
    state->slice = fmin(2.0 * state->slice, SLICE);
    return GM_OK;
}

int32_t gm_common_n_pieces(const gm_run *run)
{
    return ((const common_state *)run)->offered;
}

int gm_common_piece(gm_run *run, int32_t piece, double seconds)
{
    common_state *state = (common_state *)run;
    if (piece < 0 || piece >= state->offered)
        return GM_EARGUMENT;
    sub_search_go(state->search + piece, INT64_MAX, INT64_MAX,
                  gm_clock() + fmin(seconds, state->slice));
    return GM_OK;
}

double gm_common_memory(const gm_graph_pair *pair, const gm_common_options *options)
{
    return (double)options->n_jobs * sub_search_memory(pair, options->by_edges);
}

double gm_common_progress(const gm_run *run)
{
    const common_state *state = (const common_state *)run;
    double progress = 0.0;
    for (int32_t k = 0; k < state->n_searches; k++)
        progress = fmax(progress, sub_search_progress(state->search + k));
    return progress;
}
