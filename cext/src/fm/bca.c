#include "fm/bca.h"
#include "base/magnitude.h"
#include "base/rounding.h"
#include "base/watch.h"
#include "fm/policy.h"

#include "fm/bca_table.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The operations of a sweep on the cost of a label: at a link of its node it is taken (a product
 * and a difference), reduced by the table's minimum twice (four sums), and given back (two sums);
 * at the end it goes through the assignment and the middle of its duals. */
static const double ROUNDINGS_PER_LINK = 8.0, ROUNDINGS_PER_NODE = 8.0;

struct gm_bca {
    const gm_index *index;
    gm_pool pool;
    gm_lap *lap;
    bca_tables tables;
    double *unary, *dummy; /* per slot, per node: reparametrised costs */
    double *moved;         /* per slot: the cost that it has moved to its label's factor */
    double *joint;         /* per slot: unary + moved */
    double *message;       /* see gm_reparametrisation */
    int64_t *message_start;
    double magnitude;   /* of all costs, see base/rounding.h */
    double beyond;      /* above any matching's cost: stands for infinity, keeps sums finite */
    double roundings;   /* per sweep, in the cost of a label at its node */
    double work;        /* see gm_bca_work */
    double label_bound; /* sum of the label factors' minima */
    double *source, *source_dummy; /* diffusion: the unaries at the start of the sweep */
    double *even_share;            /* per node: 1 / number of links */
    int32_t *order;                /* links in the order of a forward sweep */
    int64_t n_sweeps, n_restarts;
};

/* See bca.h; their fixed points differ. */
enum schedule { PLAIN, DIFFUSE_AND_AVERAGE, DIFFUSE_AND_ASSIGN, N_SCHEDULES };

/* ---- one link */

/* x = A or B of bca.h, the cost that the link takes from the node: the whole unary, or an even
 * share when diffusing, plus the message that the link had given to the node. */
static void take_unary(const gm_bca *bca, int32_t node, int diffuse, const double *message,
                       double *x)
{
    const int32_t first = bca->index->node_start[node];
    const int32_t n = gm_index_n_labels(bca->index, node);
    const double *source = (diffuse ? bca->source : bca->unary) + first;
    const double share = diffuse ? bca->even_share[node] : 1.0;
    for (int32_t s = 0; s < n; s++)
        x[s] = share * source[s] - message[s];
    x[n] = share * (diffuse ? bca->source_dummy : bca->dummy)[node] - message[n];
}

/* The node gets back the cost x that the link had taken, and the link's new message. */
static void give_unary(const gm_bca *bca, int32_t node, int diffuse, const double *message,
                       const double *x)
{
    const int32_t first = bca->index->node_start[node];
    const int32_t n = gm_index_n_labels(bca->index, node);
    double *unary = bca->unary + first;
    if (diffuse) {
        for (int32_t s = 0; s < n; s++)
            unary[s] += x[s] + message[s];
        bca->dummy[node] += x[n] + message[n];
    } else {
        for (int32_t s = 0; s < n; s++)
            unary[s] = x[s] + message[s];
        bca->dummy[node] = x[n] + message[n];
    }
}

/* The MPLP++ exchange of link e with its two nodes. */
static void exchange(gm_bca *bca, int32_t e, int diffuse)
{
    const bca_tables *tables = &bca->tables;
    const int32_t u = bca->index->link_u[e], v = bca->index->link_v[e];
    double *to_u = bca->message + bca->message_start[2 * e];
    double *to_v = bca->message + bca->message_start[2 * e + 1];
    take_unary(bca, u, diffuse, to_u, tables->a);
    take_unary(bca, v, diffuse, to_v, tables->b);
    bca_tables_exchange(tables, e, to_u, to_v);
    give_unary(bca, u, diffuse, to_u, tables->a);
    give_unary(bca, v, diffuse, to_v, tables->b);
}

/* ---- unaries and label factors */

/* Moves `amount` from a label's factor back to the unary of each of its slots. */
static void move_back(gm_bca *bca, int32_t label, double amount)
{
    const gm_index *index = bca->index;
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
        bca->moved[index->label_slot[k]] -= amount;
        bca->unary[index->label_slot[k]] += amount;
    }
    bca->label_bound -= amount;
}

/* The exact optimum over everything that unaries and label factors can exchange. */
static int assign(gm_bca *bca)
{
    const gm_index *index = bca->index;
    for (int32_t i = 0; i < index->n1; i++) {
        /* gm_lap lets a node stay unmatched for 0: costs are relative to the dummy's */
        const double dummy = index->complete ? 0.0 : bca->dummy[i];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            bca->joint[p] = bca->unary[p] + bca->moved[p] - dummy;
    }
    const int status = gm_lap_solve(bca->lap, bca->joint, index->complete, 1);
    if (status != GM_OK)
        return status;
    const double *v = gm_lap_v(bca->lap);
    bca->label_bound = 0.0;
    for (int32_t s = 0; s < index->n2; s++)
        bca->label_bound += v[s];
    for (int32_t p = 0; p < index->n_slots; p++) {
        const double dual = v[index->slot_label[p]];
        bca->unary[p] += bca->moved[p] - dual;
        bca->moved[p] = dual;
    }
    return GM_OK;
}

/* The unary of the label that node j is matched with, or of its dummy. */
static double matched_unary(const gm_bca *bca, const int64_t *matched, int32_t j)
{
    return matched[j] < 0 ? bca->dummy[j] : bca->unary[matched[j]];
}

/* Assignment duals are far from unique, and the solver's are extreme. A matched pair of node and
 * label may move cost from one dual to the other: up to `up` before another label of the node
 * becomes cheaper, down to `down` before another node prefers the label. Take the middle. The bound
 * stays, and links have more to pass on. (mp/dual.c does the same to prices of its own, with other
 * roundings.) */
static void centre(gm_bca *bca)
{
    const gm_index *index = bca->index;
    const int64_t *matched = gm_lap_entry(bca->lap);
    for (int32_t i = 0; i < index->n1; i++) {
        if (matched[i] < 0)
            continue;
        const int32_t own = (int32_t)matched[i], label = index->slot_label[own];
        double up = bca->dummy[i] - bca->unary[own], down = -bca->moved[own];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            if (p != own)
                up = fmin(up, bca->unary[p] - bca->unary[own]);
        for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
            const int32_t p = index->label_slot[k], j = index->slot_node[p];
            if (j != i)
                down = fmin(down, bca->unary[p] - matched_unary(bca, matched, j));
        }
        move_back(bca, label, 0.5 * (fmax(up, 0.0) - fmax(down, 0.0)));
    }
}

/* The middle between the two smallest of `other` and n values (those of `slot`, or the first n);
 * INFINITY if n is 0. */
static double middle(const double *value, const int32_t *slot, int32_t n, double other)
{
    double least = other, second = INFINITY;
    for (int32_t k = 0; k < n; k++) {
        const double x = value[slot ? slot[k] : k];
        if (x < least) {
            second = least;
            least = x;
        } else if (x < second) {
            second = x;
        }
    }
    return 0.5 * (least + second);
}

/* libmpopt's step: a node sets all its labels to the middle of its two smallest costs and moves the
 * difference to the label factors, which then do the same in the other direction. */
static void average(gm_bca *bca)
{
    const gm_index *index = bca->index;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t first = index->node_start[i], n = gm_index_n_labels(index, i);
        const double level = middle(bca->unary + first, NULL, n, bca->dummy[i]);
        for (int32_t p = first; p < first + n && level < INFINITY; p++) {
            bca->moved[p] += bca->unary[p] - level;
            bca->unary[p] = level;
        }
    }
    bca->label_bound = 0.0;
    for (int32_t s = 0; s < index->n2; s++) {
        const int32_t *slot = index->label_slot + index->label_start[s];
        const int32_t n = index->label_start[s + 1] - index->label_start[s];
        const double level = middle(bca->moved, slot, n, 0.0);
        for (int32_t k = 0; k < n; k++) {
            bca->unary[slot[k]] += bca->moved[slot[k]] - level;
            bca->moved[slot[k]] = level;
        }
        if (n > 0)
            bca->label_bound += fmin(level, 0.0);
    }
}

/* ---- sweeps */

/* Puts the unaries of all nodes aside in `source`, for their links to take even shares of. */
static void prepare_diffusion(gm_bca *bca)
{
    const gm_index *index = bca->index;
    for (int32_t i = 0; i < index->n1; i++) {
        if (index->node_link_start[i] == index->node_link_start[i + 1])
            continue; /* no link would give its unary back */
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
            bca->source[p] = bca->unary[p];
            bca->unary[p] = 0.0;
        }
        bca->source_dummy[i] = bca->dummy[i];
        bca->dummy[i] = 0.0;
    }
}

/* GM_OK or GM_ECUT. */
static int sweep(gm_bca *bca, int diffuse)
{
    const gm_index *index = bca->index;
    const int32_t n = index->n_links;
    const int backward = bca->n_sweeps++ & 1;
    if (diffuse)
        prepare_diffusion(bca);
    for (int32_t k = 0; k < n; k++) {
        if (k + 1 < n)
            bca_tables_fetch(&bca->tables, bca->order[backward ? n - 2 - k : k + 1]);
        const int32_t e = bca->order[backward ? n - 1 - k : k];
        if (gm_watch_spend(index->watch, index->link_start[e + 1] - index->link_start[e] + 64))
            return GM_ECUT;
        exchange(bca, e, diffuse);
    }
    return GM_OK;
}

int gm_bca_iterate(gm_bca *bca)
{
    const enum schedule schedule = (enum schedule)(bca->n_restarts % N_SCHEDULES);
    const int diffuse =
        schedule != PLAIN || bca->n_sweeps % FM_DIFFUSION_PERIOD == FM_FIRST_DIFFUSION;
    int status = sweep(bca, diffuse);
    if (status != GM_OK)
        return status;
    if (diffuse && schedule != DIFFUSE_AND_ASSIGN) {
        average(bca);
        return GM_OK;
    }
    status = assign(bca);
    if (status == GM_OK)
        centre(bca);
    return status;
}

void gm_bca_restart(gm_bca *bca, gm_random *random)
{
    const gm_index *index = bca->index;
    bca->n_sweeps = 0;
    bca->label_bound = 0.0;
    memcpy(bca->unary, index->slot_cost, (size_t)index->n_slots * sizeof *bca->unary);
    memset(bca->moved, 0, (size_t)index->n_slots * sizeof *bca->moved);
    memset(bca->message, 0, (size_t)bca->message_start[2 * index->n_links] * sizeof *bca->message);
    for (int32_t i = 0; i < index->n1; i++)
        bca->dummy[i] = index->complete ? bca->beyond : 0.0;
    if (++bca->n_restarts >= N_SCHEDULES) /* every schedule had its turn: another order */
        gm_random_shuffle(random, index->n_links, bca->order);
}

double gm_bca_work(const gm_bca *bca)
{
    return bca->work;
}

/* The least unary of a node, that of its dummy among them. */
static double least_unary(const gm_bca *bca, int32_t node)
{
    double least = bca->dummy[node];
    for (int32_t p = bca->index->node_start[node]; p < bca->index->node_start[node + 1]; p++)
        least = bca->unary[p] < least ? bca->unary[p] : least;
    return least;
}

double gm_bca_bound_of_others(const gm_bca *bca, const int32_t *labels)
{
    const gm_index *index = bca->index;
    double increase = INFINITY;
    for (int32_t i = 0; i < index->n1; i++) {
        const double least = least_unary(bca, i);
        if (labels[i] >= 0 && !index->complete)
            increase = fmin(increase, bca->dummy[i] - least);
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            /* the factor of a label has the minimum min(moved, 0), the same for all its slots */
            if (index->slot_label[p] != labels[i])
                increase = fmin(increase, bca->unary[p] - least + fmax(bca->moved[p], 0.0));
    }
    return gm_bca_bound(bca) + increase;
}

double gm_bca_bound(const gm_bca *bca)
{
    const gm_index *index = bca->index;
    double bound = bca->label_bound;
    for (int32_t i = 0; i < index->n1; i++)
        bound += least_unary(bca, i);
    /* the assignment, this sum, and that of gm_bca_bound_of_others */
    const double evaluated = (double)index->n1 + index->n2;
    return bound -
           gm_rounding_error(bca->roundings * (double)bca->n_sweeps + evaluated, bca->magnitude);
}

gm_reparametrisation gm_bca_costs(gm_bca *bca)
{
    for (int32_t p = 0; p < bca->index->n_slots; p++)
        bca->joint[p] = bca->unary[p] + bca->moved[p];
    return (gm_reparametrisation){bca->joint, bca->dummy, bca->message, bca->message_start};
}

/* ---- setting up */

/* Nanoseconds of a sweep: per cell of a dense table, per entry of a sparse one, and per message. */
static const double CELL_WORK = 1.0, ENTRY_WORK = 7.0, MESSAGE_WORK = 5.0;

/* Takes the messages, two for each link; the work of a sweep depends on their number. */
static void take_messages(gm_bca *bca)
{
    const gm_index *index = bca->index;
    int64_t n = 0;
    for (int32_t e = 0; e < index->n_links; e++) {
        bca->message_start[2 * e] = n;
        n += gm_index_n_labels(index, index->link_u[e]) + 1;
        bca->message_start[2 * e + 1] = n;
        n += gm_index_n_labels(index, index->link_v[e]) + 1;
    }
    bca->message_start[2 * index->n_links] = n;
    GM_TAKE(&bca->pool, n, bca->message);
    bca->work = CELL_WORK * (double)bca->tables.n_cells +
                ENTRY_WORK * (double)bca->tables.n_entries + MESSAGE_WORK * (double)n;
}

gm_bca *gm_bca_new(const gm_index *index)
{
    gm_bca *bca = calloc(1, sizeof *bca);
    if (!bca)
        return NULL;
    bca->index = index;
    bca->magnitude = GM_MOVED * gm_index_magnitude(index);
    bca->beyond = gm_beyond(gm_index_total(index));
    bca->roundings = ROUNDINGS_PER_LINK * gm_index_most_links(index) + ROUNDINGS_PER_NODE;
    gm_pool *pool = &bca->pool;
    GM_TAKE(pool, index->n_slots, bca->unary);
    GM_TAKE(pool, index->n1, bca->dummy);
    GM_TAKE(pool, index->n_slots, bca->moved);
    GM_TAKE(pool, index->n_slots, bca->source);
    GM_TAKE(pool, index->n1, bca->source_dummy);
    GM_TAKE(pool, index->n1, bca->even_share);
    GM_TAKE(pool, index->n_links, bca->order);
    GM_TAKE(pool, index->n_slots, bca->joint);
    GM_TAKE(pool, 2 * (int64_t)index->n_links + 1, bca->message_start);
    bca_tables_take(&bca->tables, pool, index, bca->beyond);
    if (!pool->failed)
        take_messages(bca);
    bca->lap = gm_index_lap(index);
    if (pool->failed || !bca->lap) {
        gm_bca_free(bca);
        return NULL;
    }
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t degree = index->node_link_start[i + 1] - index->node_link_start[i];
        bca->even_share[i] = 1.0 / fmax(1.0, degree);
    }
    for (int32_t e = 0; e < index->n_links; e++)
        bca->order[e] = e;
    bca->n_restarts = -1; /* the first start counts as number 0 */
    gm_bca_restart(bca, NULL);
    return bca;
}

void gm_bca_free(gm_bca *bca)
{
    if (bca) {
        gm_pool_free(&bca->pool);
        gm_lap_free(bca->lap);
    }
    free(bca);
}
