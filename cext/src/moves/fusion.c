/* Fusion of two matchings as a quadratic pseudo-boolean problem. */
#include "moves/fusion.h"
#include "base/magnitude.h"
#include "base/watch.h"

#include <math.h>

enum { KEPT = 1, PROPOSED = 2, AGREED = 3 }; /* of a slot: in the incumbent, the proposal, both */

void gm_fusion_take(gm_fusion *fusion, gm_pool *pool, const gm_index *index)
{
    fusion->index = index;
    GM_TAKE(pool, index->n_slots, fusion->state);
    GM_TAKE(pool, index->n2, fusion->holder);
    GM_TAKE(pool, index->n1, fusion->displaces);
    GM_TAKE(pool, index->n1, fusion->displaced);
    GM_TAKE(pool, index->n1, fusion->variable);
    GM_TAKE(pool, index->n1, fusion->member);
    GM_TAKE(pool, index->n1 + 1, fusion->member_start);
    GM_TAKE(pool, index->n1, fusion->weight);
    GM_TAKE(pool, index->n1, fusion->touched);
    GM_TAKE(pool, index->n1, fusion->seen);
    GM_TAKE(pool, index->n1, fusion->implication);
    /* terms: at most one for each link and one for each implication */
    gm_qpbo_take(&fusion->qpbo, pool, index->n1, index->n_links + index->n1);
    fusion->qpbo.flow.watch = index->watch;
    if (!pool->failed)
        for (int32_t s = 0; s < index->n2; s++)
            fusion->holder[s] = -1;
}

/* Marks the slots of both matchings, and finds for each label its two owners. */
static void find_displaced(gm_fusion *fusion, const int32_t *incumbent, const int32_t *proposal)
{
    const gm_index *index = fusion->index;
    for (int32_t i = 0; i < index->n1; i++) {
        fusion->displaces[i] = -1;
        fusion->displaced[i] = 0;
        if (incumbent[i] >= 0) {
            fusion->holder[index->slot_label[incumbent[i]]] = i;
            fusion->state[incumbent[i]] |= KEPT;
        }
        if (proposal[i] >= 0)
            fusion->state[proposal[i]] |= PROPOSED;
    }
    for (int32_t i = 0; i < index->n1; i++)
        if (proposal[i] >= 0 && proposal[i] != incumbent[i]) {
            fusion->displaces[i] = fusion->holder[index->slot_label[proposal[i]]];
            if (fusion->displaces[i] >= 0)
                fusion->displaced[fusion->displaces[i]] = 1;
        }
}

/* Numbers the variables: one for each node of a path, from its start, and one for each cycle.
 * Returns their number. */
static int32_t make_variables(gm_fusion *fusion, const int32_t *incumbent, const int32_t *proposal)
{
    const int32_t n1 = fusion->index->n1;
    int32_t n = 0, n_members = 0;
    for (int32_t i = 0; i < n1; i++)
        fusion->variable[i] = -1;
    for (int32_t i = 0; i < n1; i++)
        if (incumbent[i] != proposal[i] && !fusion->displaced[i])
            for (int32_t u = i; u >= 0; u = fusion->displaces[u]) {
                fusion->member_start[n] = n_members;
                fusion->member[n_members++] = u;
                fusion->variable[u] = n++;
            }
    for (int32_t i = 0; i < n1; i++)
        if (incumbent[i] != proposal[i] && fusion->variable[i] < 0) {
            fusion->member_start[n] = n_members;
            for (int32_t u = i; fusion->variable[u] < 0; u = fusion->displaces[u]) {
                fusion->member[n_members++] = u;
                fusion->variable[u] = n;
            }
            n++;
        }
    fusion->member_start[n] = n_members;
    return n;
}

/* Notes that the variable has a term with the one at hand. Returns the new number of such. */
static int32_t touch(gm_fusion *fusion, int32_t variable, int32_t n_touched)
{
    if (!fusion->seen[variable]) {
        fusion->seen[variable] = 1;
        fusion->touched[n_touched++] = variable;
    }
    return n_touched;
}

/* Expands the costs of one slot of variable i, active when z_i = `when`, into linear terms and
 * the weights of z_i z_j, j > i. Returns the number of variables touched so far. */
static int32_t expand(gm_fusion *fusion, int32_t i, int32_t slot, int when, int32_t n_touched)
{
    const gm_index *index = fusion->index;
    double *linear = fusion->qpbo.linear, own = index->slot_cost[slot];
    if (gm_watch_spend(index->watch, index->adjacent_start[slot + 1] - index->adjacent_start[slot]))
        return n_touched;
    for (int64_t k = index->adjacent_start[slot]; k < index->adjacent_start[slot + 1]; k++) {
        const int32_t other = index->adjacent_slot[k];
        const int state = fusion->state[other];
        if (state == 0)
            continue;
        const double cost = index->adjacent_cost[k];
        if (state == AGREED) {
            own += cost;
            continue;
        }
        const int32_t j = fusion->variable[index->slot_node[other]];
        const int other_when = state == PROPOSED;
        if (j == i) {
            if (when == other_when && other > slot) /* inside a cycle, each pair once */
                own += cost;
        } else if (j > i) {
            /* cost z_i^when z_j^other, where z^0 = 1 - z */
            if (!other_when)
                own += cost;
            if (!when)
                linear[j] += other_when ? cost : -cost;
            n_touched = touch(fusion, j, n_touched);
            fusion->weight[j] += when == other_when ? cost : -cost;
        }
    }
    linear[i] += when ? own : -own;
    return n_touched;
}

/* The binary problem without the weights of implications, for which it makes room: a term of z_i
 * and the variable that it implies. */
static void build_problem(gm_fusion *fusion, int32_t n, const int32_t *incumbent,
                          const int32_t *proposal)
{
    gm_qpbo_problem *qpbo = &fusion->qpbo;
    qpbo->n = n;
    qpbo->n_terms = 0;
    for (int32_t i = 0; i < n; i++)
        qpbo->linear[i] = 0.0;
    for (int32_t i = 0; i < n; i++) {
        int32_t n_touched = 0;
        for (int32_t k = fusion->member_start[i]; k < fusion->member_start[i + 1]; k++) {
            const int32_t u = fusion->member[k];
            if (incumbent[u] >= 0)
                n_touched = expand(fusion, i, incumbent[u], 0, n_touched);
            if (proposal[u] >= 0)
                n_touched = expand(fusion, i, proposal[u], 1, n_touched);
        }
        const int32_t next = fusion->displaces[fusion->member[fusion->member_start[i]]];
        const int32_t implied = next >= 0 ? fusion->variable[next] : i; /* i itself on a cycle */
        if (implied != i)
            n_touched = touch(fusion, implied, n_touched);
        fusion->implication[i] = -1;
        for (int32_t k = 0; k < n_touched; k++) {
            const int32_t j = fusion->touched[k];
            if (j == implied)
                fusion->implication[i] = qpbo->n_terms;
            qpbo->u[qpbo->n_terms] = i;
            qpbo->v[qpbo->n_terms] = j;
            qpbo->quadratic[qpbo->n_terms++] = fusion->weight[j];
            fusion->weight[j] = 0.0;
            fusion->seen[j] = 0;
        }
    }
}

/* z_i <= z_j: adds M z_i (1 - z_j) with M above all other costs together. */
static void add_implications(gm_fusion *fusion)
{
    gm_qpbo_problem *qpbo = &fusion->qpbo;
    double total = gm_add_magnitudes(0.0, qpbo->n, qpbo->linear);
    total = gm_add_magnitudes(total, qpbo->n_terms, qpbo->quadratic);
    const double beyond = gm_beyond(total);
    for (int32_t i = 0; i < qpbo->n; i++)
        if (fusion->implication[i] >= 0) {
            qpbo->linear[i] += beyond;
            qpbo->quadratic[fusion->implication[i]] -= beyond;
        }
}

/* Forgets both matchings. */
static void unmark(gm_fusion *fusion, const int32_t *incumbent, const int32_t *proposal)
{
    const gm_index *index = fusion->index;
    for (int32_t i = 0; i < index->n1; i++) {
        if (incumbent[i] >= 0) {
            fusion->holder[index->slot_label[incumbent[i]]] = -1;
            fusion->state[incumbent[i]] = 0;
        }
        if (proposal[i] >= 0)
            fusion->state[proposal[i]] = 0;
    }
}

double gm_fusion_fuse(gm_fusion *fusion, int32_t *incumbent, const int32_t *proposal,
                      gm_random *random, int32_t patience)
{
    double change = 0.0;
    find_displaced(fusion, incumbent, proposal);
    const int32_t n = make_variables(fusion, incumbent, proposal);
    if (n > 0) {
        build_problem(fusion, n, incumbent, proposal);
        add_implications(fusion);
        gm_qpbo_persist(&fusion->qpbo);
        change = gm_qpbo_improve(&fusion->qpbo, random, patience);
    }
    unmark(fusion, incumbent, proposal);
    if (!(change < 0.0))
        return 0.0;
    for (int32_t i = 0; i < fusion->index->n1; i++)
        if (fusion->variable[i] >= 0 && fusion->qpbo.label[fusion->variable[i]])
            incumbent[i] = proposal[i];
    return change;
}
