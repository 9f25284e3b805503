/* hbp: Hungarian belief propagation inside branch and bound (Zhang et al. 2016).
 *
 * Best-first search: a search node is a set of excluded states and the reparametrisation at which
 * its parent ended. hbp/relax.h bounds it and decodes a matching; everything is maximised there and
 * here.
 */
#include "base/magnitude.h"
#include "base/rounding.h"
#include "base/run.h"
#include "base/watch.h"
#include "hbp/policy.h"
#include "hbp/relax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDINGS_PER_PAIR = 4.0; /* collected and divided: two sums each */

/* A reparametrisation, from which the two children of a search node start. */
typedef struct beliefs {
    int32_t n_users; /* open nodes that still need it */
    char data[];     /* hbp_relax.inherited */
} beliefs;

/* A search node that has not been visited. */
typedef struct open_node {
    double upper, valid_upper; /* its parent's duals: the original's, and a true upper bound */
    beliefs *from;             /* NULL at the root */
    int32_t depth;             /* in the search tree */
    uint8_t *excluded;         /* n x n, variable by state; cannot be read from inherited beliefs */
} open_node;

typedef struct hbp_state {
    gm_run run; /* first: Python sees only this */
    gm_hbp_options options;
    int32_t n;
    double *unary;    /* n x n: variable by state */
    uint8_t *allowed; /* n x n: variable by state */
    int32_t *labels;
    hbp_pairs pairs;
    hbp_relax relax;
    double excluded, equal_states, grain;
    double magnitude; /* of all costs, see base/rounding.h */
    open_node *open;
    int32_t n_open, open_capacity;
    int has_current;
    open_node current;   /* the one under way, which is not among the open ones */
    int32_t deepest;     /* depth of all search nodes so far */
    double lower, upper; /* GLB and GUB of the original */
    gm_pool pool;
} hbp_state;

/* ---- set-up */

/* The unaries and allowed pairs of the model. */
static void fill(hbp_state *hbp, const gm_model *model)
{
    const int32_t n = hbp->n;
    for (int32_t k = 0; k < model->n_candidates; k++) {
        const int64_t at = (int64_t)model->right[k] * n + model->left[k];
        hbp->unary[at] = -model->cost[k];
        hbp->allowed[at] = 1;
    }
    for (int32_t s = hbp->options.block_right; s < n; s++)
        for (int32_t i = hbp->options.block_left; i < n; i++)
            hbp->allowed[(int64_t)s * n + i] = 1;
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        if (!hbp->allowed[k] && hbp->options.exact && !hbp->options.may_drop)
            hbp->unary[k] = hbp->excluded; /* to the original a forbidden pair costs 0 */
}

/* Theta(i, i) of the original: two variables in the same state. */
static const double EQUAL_STATES = -200.0;
static const double MOST_INTEGER = 1e15;  /* the sum of all costs in integers is at most this, */
static const double LEAST_INTEGER = 1e3;  /* and if it would be less than this */
static const double RAISED_INTEGER = 1e9; /* becomes this */

/* The original's constants suit costs around 1; exact search needs penalties that no cost
 * outweighs, and integers need costs that are neither lost in truncation nor too large for it. */
static void choose_constants(hbp_state *hbp, const gm_model *model)
{
    double sum = gm_add_magnitudes(0.0, model->n_candidates, model->cost);
    sum = gm_add_magnitudes(sum, model->n_edges, model->edge_cost);
    hbp->excluded = hbp->options.exact ? -2.0 * sum - 1.0 : HBP_EXCLUDED;
    hbp->equal_states = hbp->options.exact ? 2.0 * hbp->excluded : EQUAL_STATES;
    hbp->grain = HBP_GRAIN;
    const double largest = sum + fabs(hbp->equal_states);
    if (largest * hbp->grain > MOST_INTEGER)
        hbp->grain = MOST_INTEGER / largest;
    else if (sum > 0.0 && sum * hbp->grain < LEAST_INTEGER)
        hbp->grain = RAISED_INTEGER / sum;
}

/* Sets the magnitude of all costs: the largest absolute cost of every variable and of every pair of
 * them, added up. GM_OK or GM_ENOMEM. */
static int measure_costs(hbp_state *hbp, const gm_model *model)
{
    const int64_t n = hbp->n;
    double *largest = calloc((size_t)(n * n) + 1, sizeof *largest);
    if (!largest)
        return GM_ENOMEM;
    for (int32_t k = 0; k < model->n_candidates; k++) {
        double *at = largest + (n + 1) * model->right[k];
        *at = fmax(*at, fabs(model->cost[k]));
    }
    for (int64_t e = 0; e < model->n_edges; e++) {
        double *at = largest + n * model->right[model->a[e]] + model->right[model->b[e]];
        *at = fmax(*at, fabs(model->edge_cost[e]));
    }
    hbp->magnitude = GM_MOVED * gm_add_magnitudes(0.0, n * n, largest);
    free(largest);
    return GM_OK;
}

/* Adds an open node. GM_OK or GM_ENOMEM. */
static int push(hbp_state *hbp, open_node node)
{
    if (hbp->n_open == hbp->open_capacity) {
        const int32_t capacity = 2 * hbp->open_capacity + 64;
        open_node *larger = realloc(hbp->open, sizeof *larger * (size_t)capacity);
        if (!larger)
            return GM_ENOMEM;
        hbp->open = larger;
        hbp->open_capacity = capacity;
    }
    hbp->open[hbp->n_open++] = node;
    return GM_OK;
}

static int push_root(hbp_state *hbp)
{
    open_node root = {.upper = INFINITY, .valid_upper = INFINITY};
    root.excluded = calloc((size_t)hbp->n * (size_t)hbp->n + 1, 1);
    const int status = root.excluded ? push(hbp, root) : GM_ENOMEM;
    if (status != GM_OK)
        free(root.excluded);
    return status;
}

gm_run *gm_hbp_new(const gm_model *model, const gm_hbp_options *options)
{
    hbp_state *hbp = calloc(1, sizeof *hbp);
    if (!hbp)
        return NULL;
    hbp->options = *options;
    hbp->n = model->n1;
    hbp->lower = -INFINITY;
    hbp->upper = INFINITY;
    choose_constants(hbp, model);
    const int64_t cells = (int64_t)hbp->n * hbp->n;
    GM_TAKE(&hbp->pool, cells, hbp->unary);
    GM_TAKE(&hbp->pool, cells, hbp->allowed);
    GM_TAKE(&hbp->pool, hbp->n, hbp->labels);
    if (push_root(hbp) != GM_OK || hbp->pool.failed || measure_costs(hbp, model) != GM_OK ||
        gm_run_init(&hbp->run, model) != GM_OK ||
        hbp_pairs_init(&hbp->pairs, model, hbp->equal_states) != GM_OK ||
        hbp_relax_init(&hbp->relax, &hbp->pairs, hbp->grain, hbp->run.watch) != GM_OK) {
        gm_hbp_free(&hbp->run);
        return NULL;
    }
    fill(hbp, model);
    return &hbp->run;
}

/* Frees the memory that only this open node uses, and its beliefs if it was their last user. */
static void release(open_node *node)
{
    if (node->from && --node->from->n_users == 0)
        free(node->from);
    free(node->excluded);
}

void gm_hbp_free(gm_run *run)
{
    hbp_state *hbp = (hbp_state *)run;
    if (!hbp)
        return;
    for (int32_t k = 0; k < hbp->n_open; k++)
        release(&hbp->open[k]);
    if (hbp->has_current)
        release(&hbp->current);
    free(hbp->open);
    hbp_relax_clear(&hbp->relax);
    hbp_pairs_clear(&hbp->pairs);
    gm_pool_free(&hbp->pool);
    gm_run_clear(&hbp->run);
    free(hbp);
}

/* ---- matchings */

/* The given costs of the decoded states, maximised; forbidden pairs count 0. */
static double decoded_value(const hbp_state *hbp)
{
    const int32_t n = hbp->n, *state = hbp->relax.best_decode;
    double value = 0.0;
    for (int32_t s = 0; s < n; s++)
        value += hbp->unary[(int64_t)s * n + state[s]];
    for (int32_t p = 0; p < hbp->pairs.n_pairs; p++)
        value += hbp_theta(&hbp->pairs, p, state[hbp->pairs.variable[0][p]],
                           state[hbp->pairs.variable[1][p]]);
    return value;
}

/* Offers the decoded matching, of this value (maximised); without its forbidden pairs if the
 * problem allows unmatched nodes, else only if it has none. */
static void offer(hbp_state *hbp, double value)
{
    const int32_t *state = hbp->relax.best_decode;
    int dropped = 0;
    for (int32_t i = 0; i < hbp->n; i++)
        hbp->labels[i] = -1;
    for (int32_t s = 0; s < hbp->n; s++) {
        if (hbp->allowed[(int64_t)s * hbp->n + state[s]])
            hbp->labels[state[s]] = s;
        else
            dropped = 1;
    }
    if (!dropped || hbp->options.may_drop)
        gm_run_offer(&hbp->run, -value, hbp->labels);
}

/* ---- branch and bound */

/* Copies large arrays in parts, between which the run may end. */
static void copy(hbp_state *hbp, void *to, const void *from, size_t n_bytes)
{
    const size_t part = sizeof(double) * GM_WORK_PER_LOOK;
    for (size_t at = 0; at < n_bytes && !gm_watch_spend(hbp->run.watch, GM_WORK_PER_LOOK);
         at += part)
        memcpy((char *)to + at, (const char *)from + at, n_bytes - at < part ? n_bytes - at : part);
}

/* Begins a search node: its parent's beliefs, with the excluded states at the penalty. */
static void load(hbp_state *hbp, const open_node *node)
{
    const int64_t cells = (int64_t)hbp->n * hbp->n;
    if (!node->from) { /* all messages are still 0 */
        copy(hbp, hbp->relax.belief, hbp->unary, sizeof *hbp->unary * (size_t)cells);
    } else {
        copy(hbp, hbp->relax.inherited, node->from->data, hbp->relax.inherited_size);
        hbp_relax_restore(&hbp->relax);
        for (int64_t k = 0; k < cells && !gm_watch_step(hbp->run.watch, k); k++)
            if (node->excluded[k])
                hbp->relax.belief[k] = hbp->excluded;
    }
    hbp_relax_begin(&hbp->relax);
}

/* States of a variable that are not excluded. */
static int32_t n_open_states(const hbp_state *hbp, const uint8_t *excluded, int32_t variable)
{
    int32_t n_states = 0;
    for (int32_t i = 0; i < hbp->n; i++)
        n_states += !excluded[(int64_t)variable * hbp->n + i];
    return n_states;
}

/* The variable with the most states near its best, and that best state; -1 if none is open. */
static void choose_branch(const hbp_state *hbp, const uint8_t *excluded, int32_t *variable,
                          int32_t *state)
{
    const int32_t n = hbp->n;
    int32_t most = 0;
    *variable = *state = -1;
    for (int32_t s = 0; s < n && !gm_watch_spend(hbp->run.watch, 3 * (int64_t)n); s++) {
        const double *belief = hbp->relax.belief + (int64_t)s * n;
        int32_t best = 0, near = 0;
        if (hbp->options.exact && n_open_states(hbp, excluded, s) <= 1)
            continue;
        for (int32_t i = 1; i < n; i++)
            best = belief[i] > belief[best] ? i : best;
        for (int32_t i = 0; i < n; i++)
            near += belief[best] - belief[i] < HBP_NEAR_BEST;
        if (near > most) {
            most = near;
            *variable = s;
            *state = best;
        }
    }
}

/* Opens the child in which a variable takes the state (equal), or the one in which it does not. */
static int open_child(hbp_state *hbp, const open_node *node, open_node child, int32_t variable,
                      int32_t state, int equal)
{
    const size_t cells = (size_t)hbp->n * (size_t)hbp->n;
    child.excluded = malloc(cells);
    if (!child.excluded)
        return GM_ENOMEM;
    copy(hbp, child.excluded, node->excluded, cells);
    for (int32_t i = 0; i < hbp->n; i++)
        if ((i == state) != equal)
            child.excluded[(int64_t)variable * hbp->n + i] = 1;
    const int status = push(hbp, child);
    if (status == GM_OK)
        child.from->n_users++;
    else
        free(child.excluded);
    return status;
}

/* Opens both children of a node, whose relaxation has ended with these duals. */
static int branch(hbp_state *hbp, const open_node *node, double dual, double valid_dual)
{
    int32_t variable, state;
    choose_branch(hbp, node->excluded, &variable, &state);
    if (variable < 0)
        return GM_OK; /* everything is decided: the decoded value is the value of this leaf */
    beliefs *from = malloc(sizeof *from + hbp->relax.inherited_size);
    if (!from)
        return GM_ENOMEM;
    from->n_users = 0;
    copy(hbp, from->data, hbp->relax.inherited, hbp->relax.inherited_size);
    const open_node child = {
        .upper = dual, .valid_upper = valid_dual, .depth = node->depth + 1, .from = from};
    hbp->deepest = child.depth > hbp->deepest ? child.depth : hbp->deepest;
    int status = open_child(hbp, node, child, variable, state, 1);
    if (status == GM_OK)
        status = open_child(hbp, node, child, variable, state, 0);
    if (from->n_users == 0)
        free(from);
    return status;
}

/* The rounding error of a dual, at most. Beliefs go from parent to child: each search node on
 * the path has added, per inner iteration, a few roundings for every pair of a variable. */
static double margin(const hbp_state *hbp)
{
    return gm_rounding_error(ROUNDINGS_PER_PAIR * HBP_INNER * (hbp->deepest + 1.0) * hbp->n,
                             hbp->magnitude);
}

/* The bound of an exact search: the largest dual of all open nodes. (The original keeps that of its
 * root.) */
static void raise_bound(hbp_state *hbp)
{
    double upper = hbp->lower;
    for (int32_t k = 0; k < hbp->n_open; k++)
        upper = hbp->open[k].valid_upper > upper ? hbp->open[k].valid_upper : upper;
    gm_run_raise(&hbp->run, upper > hbp->lower ? -upper - margin(hbp) : -upper);
}

/* Takes the open node of largest dual and begins it; if that is not better than the incumbent the
 * search ends. */
static void open_best(hbp_state *hbp)
{
    int32_t best = 0;
    for (int32_t k = 1; k < hbp->n_open; k++)
        if (hbp->open[k].upper > hbp->open[best].upper)
            best = k;
    if (hbp->open[best].upper <= hbp->lower) {
        hbp->run.finished = 1;
        return;
    }
    hbp->current = hbp->open[best];
    memmove(&hbp->open[best], &hbp->open[best + 1],
            sizeof *hbp->open * (size_t)(hbp->n_open - best - 1));
    hbp->n_open--;
    hbp->has_current = 1;
    load(hbp, &hbp->current);
}

static const double GAP_PERCENT = 0.5; /* of the original */

/* Whether the gap ends the search: by our rule, or by the original's. */
static int is_closed(const hbp_state *hbp)
{
    if (hbp->options.exact)
        return gm_gap_closed(-hbp->lower, -hbp->upper, hbp->run.tolerance);
    return fabs(hbp->upper - hbp->lower) / hbp->lower * 100.0 < GAP_PERCENT;
}

/* The relaxation of the current node has ended: incumbent, children, bound. */
static int close_current(hbp_state *hbp)
{
    open_node *node = &hbp->current;
    double dual = hbp->relax.dual, valid_dual = hbp->relax.valid_dual;
    int status = GM_OK;
    if (hbp->options.exact) { /* a child cannot be better than its parent; only true bounds count */
        valid_dual = valid_dual < node->valid_upper ? valid_dual : node->valid_upper;
        dual = valid_dual;
    }
    double open_upper = dual;
    for (int32_t k = 0; k < hbp->n_open; k++)
        open_upper = hbp->open[k].upper > open_upper ? hbp->open[k].upper : open_upper;
    hbp->upper = open_upper < hbp->upper ? open_upper : hbp->upper;
    const double value = decoded_value(hbp);
    if (value >= hbp->lower) {
        hbp->lower = value;
        offer(hbp, value);
    }
    if (dual > hbp->lower)
        status = branch(hbp, node, dual, valid_dual);
    if (hbp->options.exact)
        raise_bound(hbp);
    release(node);
    hbp->has_current = 0;
    hbp->run.iteration++;
    if (hbp->n_open == 0 || is_closed(hbp))
        hbp->run.finished = 1;
    gm_run_stop_when_closed(&hbp->run);
    return status;
}

int gm_hbp_step(gm_run *run, int64_t max_iterations, double seconds)
{
    hbp_state *hbp = (hbp_state *)run;
    const double deadline = gm_clock() + seconds;
    const int64_t last =
        max_iterations < INT64_MAX - run->iteration ? run->iteration + max_iterations : INT64_MAX;
    int status = GM_OK;
    while (status == GM_OK && !run->finished && run->iteration < last) {
        if (!hbp->has_current)
            open_best(hbp);
        if (run->finished)
            break;
        const enum hbp_progress progress = hbp_relax_advance(&hbp->relax, hbp->lower, deadline);
        if (progress == HBP_PAUSED)
            break;
        if (run->iteration == 0) { /* a first matching and bound, before the root ends */
            offer(hbp, decoded_value(hbp));
            gm_run_raise(run, -hbp->relax.valid_dual - margin(hbp));
        }
        if (progress == HBP_ENDED)
            status = close_current(hbp);
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}
