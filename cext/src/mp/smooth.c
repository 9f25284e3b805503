#include "mp/smooth.h"
#include "base/watch.h"
#include "mp/policy.h"

#include "base/exp_log.h"

#include <math.h>

enum { EXP_WORK = 8 }; /* of an exponential, next to that of an addition */

int mp_smooth_init(mp_smooth *smooth, mp_dual *dual)
{
    const gm_index *index = dual->index;
    int64_t most_terms = dual->most_states;
    *smooth = (mp_smooth){.dual = dual, .must_take = index->complete && index->n1 == index->n2};
    for (int32_t e = 0; e < index->n_links; e++) {
        const int64_t n_entries = index->link_start[e + 1] - index->link_start[e];
        most_terms = n_entries > most_terms ? n_entries : most_terms;
    }
    GM_TAKE(&smooth->pool, index->n_slots, smooth->y);
    GM_TAKE(&smooth->pool, index->n_slots, smooth->weight);
    GM_TAKE(&smooth->pool, index->n2, smooth->reference);
    GM_TAKE(&smooth->pool, index->n2, smooth->total);
    GM_TAKE(&smooth->pool, dual->most_states, smooth->sum);
    GM_TAKE(&smooth->pool, dual->most_states, smooth->belief);
    GM_TAKE(&smooth->pool, dual->most_states, smooth->others);
    GM_TAKE(&smooth->pool, most_terms, smooth->term);
    return smooth->pool.failed ? GM_ENOMEM : GM_OK;
}

void mp_smooth_clear(mp_smooth *smooth)
{
    gm_pool_free(&smooth->pool);
}

/* ---- label factors */

/* -epsilon log (free + sum exp(-y / epsilon)) over the label's slots except `omitted`, where
 * free is 1 if the label may stay free and else 0. */
static double sum_others(const mp_smooth *smooth, int32_t label, int32_t omitted)
{
    const gm_index *index = smooth->dual->index;
    double least = smooth->must_take ? INFINITY : 0.0, sum = 0.0;
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
        if (index->label_slot[k] != omitted && smooth->y[index->label_slot[k]] < least)
            least = smooth->y[index->label_slot[k]];
    if (!isfinite(least))
        return smooth->dual->prohibitive; /* no other node could take a label that must be taken */
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
        if (index->label_slot[k] != omitted)
            sum += gm_exp((least - smooth->y[index->label_slot[k]]) / smooth->epsilon);
    if (!smooth->must_take)
        sum += gm_exp(least / smooth->epsilon);
    return least - smooth->epsilon * gm_log(sum);
}

/* Computes weights, reference and total of a label again from its messages y. */
static void weigh_label(mp_smooth *smooth, int32_t label)
{
    const gm_index *index = smooth->dual->index;
    double least = smooth->must_take ? INFINITY : 0.0, total = 0.0;
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
        least = fmin(least, smooth->y[index->label_slot[k]]);
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
        const int32_t p = index->label_slot[k];
        smooth->weight[p] = gm_exp((least - smooth->y[p]) / smooth->epsilon);
        total += smooth->weight[p];
    }
    smooth->reference[label] = least;
    smooth->total[label] = total + (smooth->must_take ? 0.0 : gm_exp(least / smooth->epsilon));
}

/* Of a label's total, and absolutely: a smaller difference has lost too many digits. */
static const double LEAST_REST = 1e-6;

/* sum_others of the label of slot p without p, from the running total if little cancels. */
static double others_of_label(const mp_smooth *smooth, int32_t p)
{
    const int32_t label = smooth->dual->index->slot_label[p];
    const double rest = smooth->total[label] - smooth->weight[p];
    if (rest > LEAST_REST * smooth->total[label] && rest > LEAST_REST)
        return smooth->reference[label] - smooth->epsilon * gm_log(rest);
    return sum_others(smooth, label, p);
}

/* Times epsilon below the reference: weights grow past e^10. */
static const double LOWEST_MESSAGE = 10.0;

/* A new message y of slot p; the running total follows. */
static void set_label_message(mp_smooth *smooth, int32_t p, double y)
{
    const int32_t label = smooth->dual->index->slot_label[p];
    smooth->y[p] = y;
    if (y < smooth->reference[label] - LOWEST_MESSAGE * smooth->epsilon ||
        smooth->weight[p] > MP_LARGEST_WEIGHT * smooth->total[label]) {
        weigh_label(smooth, label);
        return;
    }
    const double weight = gm_exp((smooth->reference[label] - y) / smooth->epsilon);
    smooth->total[label] += weight - smooth->weight[p];
    smooth->weight[p] = weight;
}

/* ---- links */

/* sum(a) = sum_b exp((hard(a) - C(a, b) + phi(b)) / epsilon) for rows a of a dense table */
static void sum_rows(mp_smooth *smooth, const mp_link *link, const double *hard)
{
    const int32_t rows = mp_states(smooth->dual, link->node[0]);
    const int32_t cols = mp_states(smooth->dual, link->node[1]);
    const double rate = 1.0 / smooth->epsilon, *phi = link->phi[1];
    double *term = smooth->term;
    for (int32_t a = 0; a < rows; a++) {
        const double *row = link->table + (int64_t)a * cols;
        for (int32_t b = 0; b < cols; b++)
            term[b] = (hard[a] - row[b] + phi[b]) * rate;
        gm_exp_all(term, cols);
        double total = 0.0;
        for (int32_t b = 0; b < cols; b++)
            total += term[b];
        smooth->sum[a] = total;
    }
}

/* The same for columns: sum(b) = sum_a exp((hard(b) - C(a, b) + phi(a)) / epsilon) */
static void sum_columns(mp_smooth *smooth, const mp_link *link, const double *hard)
{
    const int32_t rows = mp_states(smooth->dual, link->node[0]);
    const int32_t cols = mp_states(smooth->dual, link->node[1]);
    const double rate = 1.0 / smooth->epsilon, *phi = link->phi[0];
    double *term = smooth->term, *sum = smooth->sum;
    for (int32_t a = 0; a < rows; a++) {
        const double *row = link->table + (int64_t)a * cols;
        for (int32_t b = 0; b < cols; b++)
            term[b] = (hard[b] - row[b] + phi[a]) * rate;
        gm_exp_all(term, cols);
        for (int32_t b = 0; b < cols; b++)
            sum[b] = a ? sum[b] + term[b] : term[b];
    }
}

/* sum(b) over the background cells of state b of the side: the sum over all states of the other
 * side, less those that have no background cell with b. */
static void sum_background(mp_smooth *smooth, const mp_link *link, int side, const double *hard)
{
    const int32_t n = mp_states(smooth->dual, link->node[1 - side]);
    const int32_t n_out = mp_states(smooth->dual, link->node[side]);
    const double rate = 1.0 / smooth->epsilon, *phi = link->phi[1 - side];
    double *term = smooth->term;
    double most = -INFINITY, all = 0.0;
    for (int32_t a = 0; a < n; a++)
        most = phi[a] > most ? phi[a] : most;
    for (int32_t a = 0; a < n; a++)
        term[a] = (phi[a] - most) * rate;
    gm_exp_all(term, n);
    for (int32_t a = 0; a < n; a++)
        all += term[a];
    for (int32_t b = 0; b < n_out; b++) {
        double seen = all;
        for (int64_t k = link->hidden_start[side][b]; k < link->hidden_start[side][b + 1]; k++)
            seen -= term[link->hidden[side][k]];
        /* the largest term is hidden from b: the rest may be rounding only, and the hard
         * minimum stands for it */
        smooth->sum[b] = seen < MP_LEAST_SEEN ? 0.0 : seen * gm_exp((hard[b] + most) * rate);
    }
}

/* Adds the entries of a sparse table to sum. An entry that costs less than the background does not
 * hide it and counts as both, which changes the smoothing but not its limit. */
static void add_entries(mp_smooth *smooth, const mp_link *link, int side, const double *hard)
{
    const gm_index *index = smooth->dual->index;
    const int64_t begin = index->link_start[link->entries];
    const int64_t n_entries = index->link_start[link->entries + 1] - begin;
    const int32_t *to = (side ? index->second : index->first) + begin;
    const int32_t *from = (side ? index->first : index->second) + begin;
    const int32_t first_to = index->node_start[link->node[side]];
    const int32_t first_from = index->node_start[link->node[1 - side]];
    const double *cost = index->entry_cost + begin, *phi = link->phi[1 - side];
    const double rate = 1.0 / smooth->epsilon;
    double *term = smooth->term;
    for (int64_t e = 0; e < n_entries; e++)
        term[e] = (hard[to[e] - first_to] - cost[e] + phi[from[e] - first_from]) * rate;
    gm_exp_all(term, n_entries);
    for (int64_t e = 0; e < n_entries; e++)
        smooth->sum[to[e] - first_to] += term[e];
}

/* into[side] = smoothed min-marginals of the link: the exact minimum first, then -epsilon log of
 * the sum over all cells relative to it. */
static void soft_collect(mp_smooth *smooth, mp_link *link, int side)
{
    const int32_t n_out = mp_states(smooth->dual, link->node[side]);
    double *hard = link->into[side];
    if (gm_watch_spend(smooth->dual->index->watch, EXP_WORK * mp_link_work(smooth->dual, link)))
        return;
    mp_link_collect(smooth->dual, link, side, hard);
    if (link->table && side) {
        sum_columns(smooth, link, hard);
    } else if (link->table) {
        sum_rows(smooth, link, hard);
    } else {
        sum_background(smooth, link, side, hard);
        add_entries(smooth, link, side, hard);
    }
    for (int32_t b = 0; b < n_out; b++)
        hard[b] -= smooth->epsilon * gm_log(smooth->sum[b] > 1.0 ? smooth->sum[b] : 1.0);
}

/* ---- nodes */

/* known = the costs of node u's states, with the messages of all its links and labels; others =
 * those of the labels. */
static void collect(mp_smooth *smooth, int32_t u, int forward, double *known)
{
    mp_dual *dual = smooth->dual;
    const gm_index *index = dual->index;
    const int32_t n = mp_states(dual, u), start = dual->state_start[u];
    for (int32_t a = 0; a < n; a++)
        known[a] = dual->cost[start + a];
    for (int32_t k = dual->node_link_start[u]; k < dual->node_link_start[u + 1]; k++) {
        mp_link *link = &dual->link[dual->node_link[k]];
        const int side = link->node[1] == u, is_behind = side == forward;
        /* the nodes ahead have not changed since u collected from them */
        if (is_behind || smooth->is_stale)
            soft_collect(smooth, link, side);
        for (int32_t a = 0; a < n; a++)
            known[a] += link->into[side][a];
    }
    for (int32_t a = 0; a < gm_index_n_labels(index, u); a++) {
        smooth->others[a] = others_of_label(smooth, index->node_start[u] + a);
        known[a] -= smooth->others[a];
    }
}

/* log(1 - belief), the belief kept away from 1 */
static double log_doubt(double belief)
{
    const double doubt = 1.0 - belief;
    return gm_log(doubt > MP_LEAST_DOUBT ? doubt : MP_LEAST_DOUBT);
}

/* Finds the belief b about u's state on which node, links and labels agree, and lambda = -epsilon
 * log b, by a fixed point of
 *
 *     known(a) = (degree + 2) lambda(a) + epsilon log(1 - b(a)) - constant    for candidates,
 *     known(a) = (degree + 1) lambda(a) - constant                            for the dummy. */
static void agree(mp_smooth *smooth, int32_t u, const double *known, double *lambda)
{
    const mp_dual *dual = smooth->dual;
    const int32_t n = mp_states(dual, u), n_candidates = gm_index_n_labels(dual->index, u);
    const double degree = (double)(dual->node_link_start[u + 1] - dual->node_link_start[u]);
    const double epsilon = smooth->epsilon;
    double *belief = smooth->belief, constant = 0.0;
    for (int32_t a = 0; a < n; a++)
        belief[a] = 0.0;
    for (int round = 0; round < MP_BELIEF_ROUNDS; round++) {
        double least = INFINITY, sum = 0.0;
        for (int32_t a = 0; a < n; a++) {
            if (a < n_candidates)
                lambda[a] = (known[a] + constant - epsilon * log_doubt(belief[a])) / (degree + 2.0);
            else
                lambda[a] = (known[a] + constant) / (degree + 1.0);
            least = lambda[a] < least ? lambda[a] : least;
        }
        for (int32_t a = 0; a < n; a++) {
            belief[a] = gm_exp((least - lambda[a]) / epsilon);
            sum += belief[a];
        }
        for (int32_t a = 0; a < n; a++)
            belief[a] /= sum;
        /* makes exp(-lambda / epsilon) sum to 1 */
        constant -= (degree + 2.0) * (least - epsilon * gm_log(sum));
    }
}

/* Block-coordinate ascent at node u: its links and labels get the messages that make all beliefs
 * about u equal. */
static void visit(mp_smooth *smooth, int32_t u, int forward)
{
    mp_dual *dual = smooth->dual;
    const int32_t n = mp_states(dual, u), start = dual->state_start[u];
    const int32_t first_slot = dual->index->node_start[u];
    double *lambda = dual->theta + start;
    if (n == 0)
        return;
    collect(smooth, u, forward, dual->marginal + start);
    agree(smooth, u, dual->marginal + start, lambda);
    for (int32_t k = dual->node_link_start[u]; k < dual->node_link_start[u + 1]; k++) {
        mp_link *link = &dual->link[dual->node_link[k]];
        const int side = link->node[1] == u;
        for (int32_t a = 0; a < n; a++)
            link->phi[side][a] = link->into[side][a] - lambda[a];
    }
    for (int32_t a = 0; a < gm_index_n_labels(dual->index, u); a++)
        set_label_message(smooth, first_slot + a,
                          smooth->others[a] + lambda[a] +
                              smooth->epsilon * log_doubt(smooth->belief[a]));
}

void mp_smooth_begin(mp_smooth *smooth, double epsilon)
{
    const mp_dual *dual = smooth->dual;
    for (int32_t p = 0; p < dual->index->n_slots; p++) {
        const int32_t u = dual->index->slot_node[p];
        smooth->y[p] = dual->price[dual->state_start[u] + p - dual->index->node_start[u]];
    }
    mp_smooth_cool(smooth, epsilon);
}

void mp_smooth_cool(mp_smooth *smooth, double epsilon)
{
    smooth->epsilon = epsilon;
    smooth->is_stale = 1;
    for (int32_t l = 0; l < smooth->dual->index->n2; l++)
        weigh_label(smooth, l);
}

void mp_smooth_sweep(mp_smooth *smooth, int forward)
{
    const int32_t n = smooth->dual->n_nodes;
    for (int32_t k = 0; k < n; k++)
        visit(smooth, forward ? k : n - 1 - k, forward);
    smooth->is_stale = 0;
}
