#include "mp/smooth.h"
#include "mp/policy.h"

#include "base/exp_log.h"

#include <math.h>

int mp_smooth_init(mp_smooth *smooth, mp_dual *dual)
{
    const gm_index *index = dual->index;
    int64_t most_states = 1, most_entries = 1;
    *smooth = (mp_smooth){.dual = dual, .must_take = index->complete && index->n1 == index->n2};
    for (int32_t u = 0; u < dual->n_nodes; u++)
        most_states = mp_states(dual, u) > most_states ? mp_states(dual, u) : most_states;
    for (int32_t e = 0; e < index->n_links; e++) {
        const int64_t stored = index->link_start[e + 1] - index->link_start[e];
        most_entries = stored > most_entries ? stored : most_entries;
    }
    if (most_states > most_entries)
        most_entries = most_states;
    GM_TAKE(&smooth->pool, index->n_slots, smooth->y);
    GM_TAKE(&smooth->pool, index->n_slots, smooth->weight);
    GM_TAKE(&smooth->pool, index->n2, smooth->reference);
    GM_TAKE(&smooth->pool, index->n2, smooth->total);
    GM_TAKE(&smooth->pool, most_states, smooth->target);
    GM_TAKE(&smooth->pool, most_states, smooth->belief);
    GM_TAKE(&smooth->pool, most_states, smooth->label_side);
    GM_TAKE(&smooth->pool, most_entries, smooth->term);
    return smooth->pool.failed ? GM_ENOMEM : GM_OK;
}

void mp_smooth_clear(mp_smooth *smooth)
{
    gm_pool_free(&smooth->pool);
}

/* ---- label factors */

/* -epsilon log (nobody + sum exp(-y / epsilon)) over the label's slots without `left_out`. */
static double label_rest(const mp_smooth *smooth, int32_t label, int32_t left_out)
{
    const gm_index *index = smooth->dual->index;
    double least = smooth->must_take ? INFINITY : 0.0, sum = 0.0;
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
        if (index->label_slot[k] != left_out && smooth->y[index->label_slot[k]] < least)
            least = smooth->y[index->label_slot[k]];
    if (!isfinite(least))
        return smooth->dual->prohibitive; /* nobody else could take a label that must be taken */
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
        if (index->label_slot[k] != left_out)
            sum += gm_exp((least - smooth->y[index->label_slot[k]]) / smooth->epsilon);
    if (!smooth->must_take)
        sum += gm_exp(least / smooth->epsilon);
    return least - smooth->epsilon * gm_log(sum);
}

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

/* What the label costs everybody but slot p, from the running sum where that does not cancel. */
static double others_of_label(const mp_smooth *smooth, int32_t p)
{
    const int32_t label = smooth->dual->index->slot_label[p];
    const double rest = smooth->total[label] - smooth->weight[p];
    if (rest > 1e-6 * smooth->total[label] && rest > 1e-6)
        return smooth->reference[label] - smooth->epsilon * gm_log(rest);
    return label_rest(smooth, label, p);
}

static void set_label_message(mp_smooth *smooth, int32_t p, double y)
{
    const int32_t label = smooth->dual->index->slot_label[p];
    smooth->y[p] = y;
    if (y < smooth->reference[label] - 10.0 * smooth->epsilon ||
        smooth->weight[p] > 0.5 * smooth->total[label]) {
        weigh_label(smooth, label);
        return;
    }
    const double weight = gm_exp((smooth->reference[label] - y) / smooth->epsilon);
    smooth->total[label] += weight - smooth->weight[p];
    smooth->weight[p] = weight;
}

/* ---- links */

/* into[side] softened: exact minimum first, then the sum of what lies near it. A cell that costs
 * less than the background counts twice (once as background), which smooths no differently. */
static void soft_collect(mp_smooth *smooth, mp_link *link, int side)
{
    mp_dual *dual = smooth->dual;
    const gm_index *index = dual->index;
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    const int32_t n = side ? rows : cols, n_out = side ? cols : rows;
    const double rate = 1.0 / smooth->epsilon;
    const double *phi = link->phi[1 - side];
    double *hard = link->into[side], *sum = smooth->target, *term = smooth->term;
    mp_link_collect(dual, link, side, hard);
    if (link->table) {
        for (int32_t a = 0; a < rows; a++) {
            const double *row = link->table + (int64_t)a * cols;
            if (side) {
                for (int32_t b = 0; b < cols; b++)
                    term[b] = (hard[b] - row[b] + phi[a]) * rate;
                gm_exp_all(term, cols);
                for (int32_t b = 0; b < cols; b++)
                    sum[b] = a ? sum[b] + term[b] : term[b];
            } else {
                for (int32_t b = 0; b < cols; b++)
                    term[b] = (hard[a] - row[b] + phi[b]) * rate;
                gm_exp_all(term, cols);
                double total = 0.0;
                for (int32_t b = 0; b < cols; b++)
                    total += term[b];
                sum[a] = total;
            }
        }
    } else {
        const int32_t first_u = index->node_start[link->node[0]],
                      first_v = index->node_start[link->node[1]];
        const int64_t begin = index->link_start[link->entries],
                      stored = index->link_start[link->entries + 1] - begin;
        const int32_t *to = side ? index->second + begin : index->first + begin,
                      first_to = side ? first_v : first_u;
        const int32_t *from = side ? index->first + begin : index->second + begin,
                      first_from = side ? first_u : first_v;
        const double *cost = index->entry_cost + begin;
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
            /* blocked from the largest: too little is left to tell from rounding, the hard minimum
             * stands for it */
            sum[b] = seen < 0.5 ? 0.0 : seen * gm_exp((hard[b] + most) * rate);
        }
        for (int64_t e = 0; e < stored; e++)
            term[e] = (hard[to[e] - first_to] - cost[e] + phi[from[e] - first_from]) * rate;
        gm_exp_all(term, stored);
        for (int64_t e = 0; e < stored; e++)
            sum[to[e] - first_to] += term[e];
    }
    for (int32_t b = 0; b < n_out; b++)
        hard[b] -= smooth->epsilon * gm_log(sum[b] > 1.0 ? sum[b] : 1.0);
}

/* ---- nodes */

/* The belief b about the node's state on which node, links and labels agree:
 * everything known T(a) = (degree + 2) lambda(a) + epsilon log(1 - b(a)) + constant for candidates
 * and (degree + 1) lambda for the dummy, where lambda = -epsilon log b. */
static void visit(mp_smooth *smooth, int32_t u, int forward)
{
    mp_dual *dual = smooth->dual;
    const gm_index *index = dual->index;
    const int32_t n = mp_states(dual, u), slots = index->node_start[u + 1] - index->node_start[u],
                  start = dual->state_start[u];
    const int32_t first_link = dual->node_link_start[u], end_link = dual->node_link_start[u + 1];
    const double epsilon = smooth->epsilon, degree = (double)(end_link - first_link);
    double *known = dual->marginal + start, *belief = smooth->belief, *others = smooth->label_side,
           *lambda = dual->theta + start;
    if (n == 0)
        return;
    for (int32_t a = 0; a < n; a++)
        known[a] = dual->cost[start + a];
    for (int32_t k = first_link; k < end_link; k++) {
        mp_link *link = &dual->link[dual->node_link[k]];
        const int side = link->node[1] == u, is_behind = side == forward;
        if (is_behind ||
            smooth->is_stale) /* the nodes ahead have not changed since u collected from them */
            soft_collect(smooth, link, side);
        for (int32_t a = 0; a < n; a++)
            known[a] += link->into[side][a];
    }
    for (int32_t a = 0; a < slots; a++) {
        others[a] = others_of_label(smooth, index->node_start[u] + a);
        known[a] -= others[a];
    }
    double constant = 0.0;
    for (int32_t a = 0; a < n; a++)
        belief[a] = 0.0;
    for (int round = 0; round < MP_BELIEF_ROUNDS; round++) {
        double least = INFINITY, sum = 0.0;
        for (int32_t a = 0; a < n; a++) {
            const double rest = 1.0 - belief[a];
            lambda[a] = a < slots
                            ? (known[a] + constant - epsilon * gm_log(rest > 1e-9 ? rest : 1e-9)) /
                                  (degree + 2.0)
                            : (known[a] + constant) / (degree + 1.0);
            least = lambda[a] < least ? lambda[a] : least;
        }
        for (int32_t a = 0; a < n; a++) {
            belief[a] = gm_exp((least - lambda[a]) / epsilon);
            sum += belief[a];
        }
        for (int32_t a = 0; a < n; a++)
            belief[a] /= sum;
        constant -= (degree + 2.0) *
                    (least - epsilon * gm_log(sum)); /* makes exp(-lambda / epsilon) sum to 1 */
    }
    for (int32_t k = first_link; k < end_link; k++) {
        mp_link *link = &dual->link[dual->node_link[k]];
        const int side = link->node[1] == u;
        for (int32_t a = 0; a < n; a++)
            link->phi[side][a] = link->into[side][a] - lambda[a];
    }
    for (int32_t a = 0; a < slots; a++) {
        const double rest = 1.0 - belief[a];
        set_label_message(smooth, index->node_start[u] + a,
                          others[a] + lambda[a] + epsilon * gm_log(rest > 1e-9 ? rest : 1e-9));
    }
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
