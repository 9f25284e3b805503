/* hbp: Hungarian belief propagation inside branch and bound (Zhang et al. 2016).
 *
 * Everything is maximised here, and the sides are exchanged as in the original: the variables are the
 * labels s, their states the nodes i. A pair cluster st holds theta_st(i, j) + f(i) + g(j), since its
 * reparametrisations only ever add functions of one state: a search node stores f, g, the variables'
 * beliefs and the assignment's duals, never the tables.
 */
#include "jv.h"
#include "pool.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INNER = 5 };
/* The original draws from glibc's rand() after srand(456), two numbers per inner iteration. */
static const int64_t DRAW[2 * INNER] = {1929505231, 1800653403, 1030306120, 2023122793, 1908338983,
                                        350238183,  199311997,  1067924705, 1647418123, 155050447};
static const double EQUAL_STATES = -200.0, EXCLUDED = -100.0, GRAIN = 1e4, NEAR_BEST = 1e-4, GAP_PERCENT = 0.5, GAP = 1e-6;
static const double MOST_CELLS = 5e8; /* of the dense tables, 4 GB: a system that overcommits would only find out later */

/* A reparametrisation, shared by the two children that start from it. */
typedef struct beliefs {
    int32_t n_users;
    double data[]; /* f and g of each pair, then beliefs of each variable, then u and v */
} beliefs;

typedef struct open_node {
    double upper, valid_upper; /* the original's dual, and one with true maxima */
    beliefs *from;             /* NULL at the root */
    uint8_t *excluded;         /* n x n, variable by state: set again on every visit, as sweeps blur it */
} open_node;

typedef struct hbp_state {
    gm_run run; /* first: Python sees only this */
    gm_hbp_options options;
    int32_t n, n_pairs;
    int64_t n_data;
    double *unary;          /* n x n: variable by state */
    double *table;          /* n_pairs tables of n x n */
    int32_t *first, *second; /* variables of each pair, first < second */
    int32_t *incident_start, *incident; /* pairs of each variable */
    uint8_t *allowed;       /* n x n: variable by state */
    double *data, *f, *g, *belief, *u, *v; /* the working reparametrisation, inside data */
    double *row_best, *col_best;
    int64_t *cost, *dual_u, *dual_v, *work;
    int32_t *decode, *row_of, *best_decode, *labels;
    double excluded, equal_states, grain, margin; /* margin: what rounding may take from a dual */
    open_node *open;
    int32_t n_open, open_capacity;
    double lower, upper; /* GLB and GUB of the original */
    gm_pool pool;
} hbp_state;

/* ---- set-up */

static void take_all(hbp_state *hbp, int64_t n_pairs)
{
    const int64_t n = hbp->n;
    gm_pool *pool = &hbp->pool;
    hbp->n_data = 2 * n_pairs * n + n * n + 2 * n;
    GM_TAKE(pool, n * n, hbp->unary);
    GM_TAKE(pool, n_pairs * n * n, hbp->table);
    GM_TAKE(pool, n_pairs, hbp->first);
    GM_TAKE(pool, n_pairs, hbp->second);
    GM_TAKE(pool, n + 1, hbp->incident_start);
    GM_TAKE(pool, 2 * n_pairs, hbp->incident);
    GM_TAKE(pool, n * n, hbp->allowed);
    GM_TAKE(pool, hbp->n_data, hbp->data);
    GM_TAKE(pool, n, hbp->row_best);
    GM_TAKE(pool, n, hbp->col_best);
    GM_TAKE(pool, n * n, hbp->cost);
    GM_TAKE(pool, n, hbp->dual_u);
    GM_TAKE(pool, n, hbp->dual_v);
    GM_TAKE(pool, 5 * (n + 1), hbp->work);
    GM_TAKE(pool, n, hbp->decode);
    GM_TAKE(pool, n, hbp->row_of);
    GM_TAKE(pool, n, hbp->best_decode);
    GM_TAKE(pool, n, hbp->labels);
    if (pool->failed)
        return;
    hbp->f = hbp->data;
    hbp->g = hbp->f + n_pairs * n;
    hbp->belief = hbp->g + n_pairs * n;
    hbp->u = hbp->belief + n * n;
    hbp->v = hbp->u + n;
}

/* Variables and states of an edge's two candidates, the smaller variable first; 0 if they conflict. */
static int edge_ends(const gm_model *model, int64_t e, int32_t variable[2], int32_t state[2])
{
    const int32_t a = model->a[e], b = model->b[e], swap = model->right[a] > model->right[b];
    variable[0] = model->right[swap ? b : a];
    variable[1] = model->right[swap ? a : b];
    state[0] = model->left[swap ? b : a];
    state[1] = model->left[swap ? a : b];
    return variable[0] != variable[1] && state[0] != state[1] && model->edge_cost[e] != 0.0;
}

/* Pairs in lexicographic order: pair_of (n x n) gets each pair's number, -1 elsewhere. */
static int32_t number_pairs(const gm_model *model, int32_t n, int32_t *pair_of)
{
    int32_t variable[2], state[2], count = 0;
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        pair_of[k] = -1;
    for (int64_t e = 0; e < model->n_edges; e++)
        if (edge_ends(model, e, variable, state))
            pair_of[(int64_t)variable[0] * n + variable[1]] = 0;
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        if (pair_of[k] == 0)
            pair_of[k] = count++;
    return count;
}

static void fill(hbp_state *hbp, const gm_model *model, const int32_t *pair_of)
{
    const int32_t n = hbp->n;
    int32_t variable[2], state[2];
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
    for (int32_t s = 0; s < n; s++)
        for (int32_t t = s + 1; t < n; t++) {
            const int32_t p = pair_of[(int64_t)s * n + t];
            if (p < 0)
                continue;
            hbp->first[p] = s;
            hbp->second[p] = t;
            hbp->incident_start[s + 1]++;
            hbp->incident_start[t + 1]++;
            for (int32_t i = 0; i < n; i++)
                hbp->table[((int64_t)p * n + i) * n + i] = hbp->equal_states;
        }
    for (int64_t e = 0; e < model->n_edges; e++)
        if (edge_ends(model, e, variable, state)) {
            const int64_t p = pair_of[(int64_t)variable[0] * n + variable[1]];
            hbp->table[(p * n + state[0]) * n + state[1]] -= model->edge_cost[e];
        }
    for (int32_t s = 0; s < n; s++)
        hbp->incident_start[s + 1] += hbp->incident_start[s];
    for (int32_t p = 0; p < hbp->n_pairs; p++) {
        hbp->incident[hbp->incident_start[hbp->first[p]]++] = p;
        hbp->incident[hbp->incident_start[hbp->second[p]]++] = p;
    }
    memmove(hbp->incident_start + 1, hbp->incident_start, sizeof *hbp->incident_start * (size_t)n);
    hbp->incident_start[0] = 0;
}

/* The original's constants suit costs around 1; exact search needs penalties that no cost outweighs, and
 * integers need costs that are neither lost in truncation nor too large for it. */
static void choose_constants(hbp_state *hbp, const gm_model *model)
{
    double sum = 0.0;
    for (int32_t k = 0; k < model->n_candidates; k++)
        sum += fabs(model->cost[k]);
    for (int64_t e = 0; e < model->n_edges; e++)
        sum += fabs(model->edge_cost[e]);
    hbp->excluded = hbp->options.exact ? -2.0 * sum - 1.0 : EXCLUDED;
    hbp->equal_states = hbp->options.exact ? 2.0 * hbp->excluded : EQUAL_STATES;
    hbp->grain = GRAIN;
    hbp->margin = 1e-14 * sum;
    const double largest = sum + fabs(hbp->equal_states);
    if (largest * hbp->grain > 1e15)
        hbp->grain = 1e15 / largest;
    else if (sum > 0.0 && sum * hbp->grain < 1e3)
        hbp->grain = 1e9 / sum;
}

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

gm_run *gm_hbp_new(const gm_model *model, const gm_hbp_options *options)
{
    hbp_state *hbp = calloc(1, sizeof *hbp);
    int32_t *pair_of = malloc(sizeof *pair_of * ((size_t)model->n1 * (size_t)model->n1 + 1));
    int status = GM_ENOMEM;
    if (!hbp || !pair_of)
        goto done;
    hbp->options = *options;
    hbp->n = model->n1;
    hbp->lower = -INFINITY;
    hbp->upper = INFINITY;
    hbp->n_pairs = number_pairs(model, hbp->n, pair_of);
    if ((double)hbp->n_pairs * (double)hbp->n * (double)hbp->n > MOST_CELLS)
        goto done;
    choose_constants(hbp, model);
    take_all(hbp, hbp->n_pairs);
    if (hbp->pool.failed || gm_run_init(&hbp->run, hbp->n) != GM_OK)
        goto done;
    fill(hbp, model, pair_of);
    uint8_t *excluded = calloc((size_t)hbp->n, (size_t)hbp->n);
    if (!excluded)
        goto done;
    status = push(hbp, (open_node){.upper = INFINITY, .valid_upper = INFINITY, .excluded = excluded});
    if (status != GM_OK)
        free(excluded);
done:
    free(pair_of);
    if (status != GM_OK) {
        gm_hbp_free(hbp ? &hbp->run : NULL);
        hbp = NULL;
    }
    return hbp ? &hbp->run : NULL;
}

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
    free(hbp->open);
    gm_pool_free(&hbp->pool);
    gm_run_clear(&hbp->run);
    free(hbp);
}

/* ---- belief propagation */

/* Largest table + give_row(i) + give_col(j) of each row and column. */
static void max_marginals(const hbp_state *hbp, int32_t p, const double *give_row, const double *give_col, double *row_best,
                          double *col_best)
{
    const int32_t n = hbp->n;
    for (int32_t j = 0; j < n; j++)
        col_best[j] = -INFINITY;
    for (int32_t i = 0; i < n; i++) {
        const double *row = hbp->table + ((int64_t)p * n + i) * n;
        double best = -INFINITY;
        for (int32_t j = 0; j < n; j++) {
            const double value = row[j] + give_row[i] + give_col[j];
            best = value > best ? value : best;
            col_best[j] = value > col_best[j] ? value : col_best[j];
        }
        row_best[i] = best;
    }
}

/* Both variables' beliefs become half of the pair's max-marginals; the pair keeps the rest. */
static void update_pair(hbp_state *hbp, int32_t p)
{
    const int32_t n = hbp->n;
    double *f = hbp->f + (int64_t)p * n, *g = hbp->g + (int64_t)p * n;
    double *at_first = hbp->belief + (int64_t)hbp->first[p] * n, *at_second = hbp->belief + (int64_t)hbp->second[p] * n;
    for (int32_t i = 0; i < n; i++) {
        f[i] += at_first[i];
        g[i] += at_second[i];
    }
    max_marginals(hbp, p, f, g, hbp->row_best, hbp->col_best);
    for (int32_t i = 0; i < n; i++) {
        at_first[i] = hbp->row_best[i] / 2.0;
        at_second[i] = hbp->col_best[i] / 2.0;
        f[i] -= at_first[i];
        g[i] -= at_second[i];
    }
}

/* A variable collects the max-marginals of its pairs and shares the sum equally with them. */
static void update_variable(hbp_state *hbp, int32_t s)
{
    const int32_t n = hbp->n, begin = hbp->incident_start[s], end = hbp->incident_start[s + 1];
    double *belief = hbp->belief + (int64_t)s * n;
    for (int32_t k = begin; k < end; k++) {
        const int64_t p = hbp->incident[k];
        double *f = hbp->f + p * n, *g = hbp->g + p * n, *own = hbp->first[p] == s ? f : g;
        const double *best = hbp->first[p] == s ? hbp->row_best : hbp->col_best;
        max_marginals(hbp, (int32_t)p, f, g, hbp->row_best, hbp->col_best);
        for (int32_t i = 0; i < n; i++) {
            own[i] -= best[i];
            belief[i] += best[i];
        }
    }
    for (int32_t i = 0; i < n; i++)
        belief[i] /= (double)(end - begin + 1);
    for (int32_t k = begin; k < end; k++) {
        const int64_t p = hbp->incident[k];
        double *own = hbp->first[p] == s ? hbp->f + p * n : hbp->g + p * n;
        for (int32_t i = 0; i < n; i++)
            own[i] += belief[i];
    }
}

/* The assignment over the variables' beliefs, in whole grains; its duals leave the beliefs. */
static void update_duals(hbp_state *hbp)
{
    const int32_t n = hbp->n;
    for (int32_t s = 0; s < n; s++)
        for (int32_t i = 0; i < n; i++) {
            double *belief = &hbp->belief[(int64_t)s * n + i];
            *belief += hbp->u[s] + hbp->v[i];
            hbp->cost[(int64_t)s * n + i] = (int64_t)(-hbp->grain * *belief);
        }
    gm_jv(n, hbp->cost, hbp->decode, hbp->row_of, hbp->dual_u, hbp->dual_v, hbp->work);
    for (int32_t s = 0; s < n; s++) {
        hbp->u[s] = -(double)hbp->dual_u[s] / hbp->grain;
        hbp->v[s] = -(double)hbp->dual_v[s] / hbp->grain;
    }
    for (int32_t s = 0; s < n; s++)
        for (int32_t i = 0; i < n; i++)
            hbp->belief[(int64_t)s * n + i] -= hbp->u[s] + hbp->v[i];
}

/* The original's dual (beliefs at the decoded states), one that is valid (largest beliefs), and the
 * original's measure of the decoded states. */
static void measure(const hbp_state *hbp, double *dual, double *valid, double *primal)
{
    const int32_t n = hbp->n;
    double shifts = 0.0, pairs = 0.0, at_decode = 0.0, decoded = 0.0, largest = 0.0;
    for (int32_t p = 0; p < hbp->n_pairs; p++) {
        const double *f = hbp->f + (int64_t)p * n, *g = hbp->g + (int64_t)p * n;
        const int32_t i = hbp->decode[hbp->first[p]], j = hbp->decode[hbp->second[p]];
        double best = -INFINITY;
        max_marginals(hbp, p, f, g, hbp->row_best, hbp->col_best);
        for (int32_t k = 0; k < n; k++)
            best = hbp->row_best[k] > best ? hbp->row_best[k] : best;
        pairs += best;
        decoded += hbp->table[((int64_t)p * n + i) * n + j] + f[i] + g[j];
    }
    for (int32_t s = 0; s < n; s++) {
        double best = -INFINITY;
        for (int32_t i = 0; i < n; i++)
            best = hbp->belief[(int64_t)s * n + i] > best ? hbp->belief[(int64_t)s * n + i] : best;
        largest += best;
        at_decode += hbp->belief[(int64_t)s * n + hbp->decode[s]];
        shifts += hbp->u[s] + hbp->v[s];
    }
    *dual = pairs + at_decode + shifts;
    *valid = pairs + largest + shifts;
    *primal = decoded + shifts;
}

/* Five inner iterations; best_decode and the smallest duals come out. */
static void propagate(hbp_state *hbp, double *dual, double *valid)
{
    const int64_t n = hbp->n, size = n + hbp->n_pairs;
    double best_primal = -INFINITY;
    *dual = *valid = INFINITY;
    for (int k = 0; k < INNER; k++) {
        for (int64_t c = 0; c < size; c++) {
            const int64_t cluster = (size - 1 - c + DRAW[2 * k]) % size;
            if (cluster >= n)
                update_pair(hbp, (int32_t)(cluster - n));
        }
        for (int64_t c = 0; c < size; c++) {
            const int64_t cluster = (c + DRAW[2 * k + 1]) % size;
            if (cluster < n)
                update_variable(hbp, (int32_t)cluster);
        }
        update_duals(hbp);
        double now, now_valid, primal;
        measure(hbp, &now, &now_valid, &primal);
        *dual = now < *dual ? now : *dual;
        *valid = now_valid < *valid ? now_valid : *valid;
        if (primal > best_primal || k == 0) {
            best_primal = primal;
            memcpy(hbp->best_decode, hbp->decode, sizeof *hbp->decode * (size_t)n);
        }
        if (*dual < hbp->lower)
            break;
    }
}

/* ---- branch and bound */

/* The given costs of the decoded states, maximised; forbidden pairs count 0. */
static double decoded_value(const hbp_state *hbp)
{
    const int32_t n = hbp->n;
    double value = 0.0;
    for (int32_t s = 0; s < n; s++)
        value += hbp->unary[(int64_t)s * n + hbp->best_decode[s]];
    for (int32_t p = 0; p < hbp->n_pairs; p++)
        value += hbp->table[((int64_t)p * n + hbp->best_decode[hbp->first[p]]) * n + hbp->best_decode[hbp->second[p]]];
    return value;
}

/* Offers the decoded matching without its forbidden pairs, where the problem can do without them. */
static void offer(hbp_state *hbp, double value)
{
    int dropped = 0;
    for (int32_t i = 0; i < hbp->n; i++)
        hbp->labels[i] = -1;
    for (int32_t s = 0; s < hbp->n; s++) {
        if (hbp->allowed[(int64_t)s * hbp->n + hbp->best_decode[s]])
            hbp->labels[hbp->best_decode[s]] = s;
        else
            dropped = 1;
    }
    if (!dropped || hbp->options.may_drop)
        gm_run_offer(&hbp->run, -value, hbp->labels);
}

/* Where a search node starts: at its parent's beliefs, with the excluded states at the penalty. */
static void load(hbp_state *hbp, const open_node *node)
{
    const int32_t n = hbp->n;
    if (!node->from) {
        memcpy(hbp->belief, hbp->unary, sizeof *hbp->unary * (size_t)n * (size_t)n);
        return; /* everything else is still 0 */
    }
    memcpy(hbp->data, node->from->data, sizeof *hbp->data * (size_t)hbp->n_data);
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        if (node->excluded[k])
            hbp->belief[k] = hbp->excluded;
}

/* The variable with the most states near its best, and that best state. */
static void choose_branch(const hbp_state *hbp, const uint8_t *excluded, int32_t *variable, int32_t *state)
{
    const int32_t n = hbp->n;
    int32_t most = 0;
    *variable = *state = -1;
    for (int32_t s = 0; s < n; s++) {
        const double *belief = hbp->belief + (int64_t)s * n;
        int32_t best = 0, near = 0;
        if (hbp->options.exact) {
            int32_t left = 0;
            for (int32_t i = 0; i < n; i++)
                left += !excluded[(int64_t)s * n + i];
            if (left <= 1)
                continue;
        }
        for (int32_t i = 1; i < n; i++)
            best = belief[i] > belief[best] ? i : best;
        for (int32_t i = 0; i < n; i++)
            near += belief[best] - belief[i] < NEAR_BEST;
        if (near > most) {
            most = near;
            *variable = s;
            *state = best;
        }
    }
}

static int branch(hbp_state *hbp, const open_node *node, double dual, double valid)
{
    int32_t variable, state;
    choose_branch(hbp, node->excluded, &variable, &state);
    if (variable < 0)
        return GM_OK; /* everything is decided: the decoded value is the value of this leaf */
    beliefs *from = malloc(sizeof *from + sizeof *from->data * (size_t)hbp->n_data);
    if (!from)
        return GM_ENOMEM;
    from->n_users = 0;
    memcpy(from->data, hbp->data, sizeof *hbp->data * (size_t)hbp->n_data);
    int status = GM_OK;
    for (int equal = 1; equal >= 0 && status == GM_OK; equal--) {
        open_node child = {.upper = dual, .valid_upper = valid, .from = from};
        child.excluded = malloc((size_t)hbp->n * (size_t)hbp->n);
        if (!child.excluded) {
            status = GM_ENOMEM;
            break;
        }
        memcpy(child.excluded, node->excluded, (size_t)hbp->n * (size_t)hbp->n);
        for (int32_t i = 0; i < hbp->n; i++)
            if ((i == state) != equal)
                child.excluded[(int64_t)variable * hbp->n + i] = 1;
        status = push(hbp, child);
        if (status == GM_OK)
            from->n_users++;
        else
            free(child.excluded);
    }
    if (from->n_users == 0)
        free(from);
    return status;
}

/* Bound on everything not yet searched: the original stops at its root. */
static void raise_bound(hbp_state *hbp, double valid)
{
    double upper = -INFINITY;
    if (!hbp->options.exact) {
        if (hbp->run.iteration == 0)
            gm_run_raise(&hbp->run, -valid - hbp->margin);
        return;
    }
    for (int32_t k = 0; k < hbp->n_open; k++)
        upper = hbp->open[k].valid_upper > upper ? hbp->open[k].valid_upper : upper;
    if (hbp->lower > upper)
        upper = hbp->lower;
    gm_run_raise(&hbp->run, upper > hbp->lower ? -upper - hbp->margin : -upper);
}

static int search_node(hbp_state *hbp)
{
    int32_t best = 0;
    for (int32_t k = 1; k < hbp->n_open; k++)
        if (hbp->open[k].upper > hbp->open[best].upper)
            best = k;
    open_node node = hbp->open[best];
    memmove(&hbp->open[best], &hbp->open[best + 1], sizeof node * (size_t)(hbp->n_open - best - 1));
    hbp->n_open--;
    if (node.upper <= hbp->lower) {
        hbp->run.finished = GM_CONVERGED;
        release(&node);
        return GM_OK;
    }

    double dual, valid, open_upper;
    int status = GM_OK;
    load(hbp, &node);
    propagate(hbp, &dual, &valid);
    if (hbp->options.exact) { /* a child cannot be worse than its parent, and search trusts true maxima only */
        valid = valid < node.valid_upper ? valid : node.valid_upper;
        dual = valid;
    }
    open_upper = dual;
    for (int32_t k = 0; k < hbp->n_open; k++)
        open_upper = hbp->open[k].upper > open_upper ? hbp->open[k].upper : open_upper;
    hbp->upper = open_upper < hbp->upper ? open_upper : hbp->upper;
    const double value = decoded_value(hbp);
    if (value >= hbp->lower) {
        hbp->lower = value;
        offer(hbp, value);
    }
    if (dual > hbp->lower)
        status = branch(hbp, &node, dual, valid);
    raise_bound(hbp, valid);
    release(&node);

    if (hbp->options.exact) {
        if (hbp->n_open == 0 || hbp->upper - hbp->lower <= GAP * fabs(hbp->lower))
            hbp->run.finished = GM_CONVERGED;
    } else if (hbp->n_open == 0 || fabs(hbp->upper - hbp->lower) / hbp->lower * 100.0 < GAP_PERCENT) {
        hbp->run.finished = GM_CONVERGED;
    }
    return status;
}

int gm_hbp_step(gm_run *run, int64_t max_iterations, double seconds)
{
    hbp_state *hbp = (hbp_state *)run;
    const double end = gm_clock() + seconds;
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        const int status = search_node(hbp);
        if (status != GM_OK)
            return status;
        run->iteration++;
        if (isfinite(run->value) && run->value - run->bound <= GAP * fabs(run->value))
            run->finished = GM_OPTIMAL;
        if (gm_clock() >= end)
            break;
    }
    return GM_OK;
}
