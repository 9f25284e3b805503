#include "mp/triplet.h"
#include "base/watch.h"
#include "mp/policy.h"

#include "base/lanes.h"
#include "mp/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes the arrays per link as long as there are links. GM_OK or GM_ENOMEM. */
static int make_room(mp_tightening *tightening)
{
    const int32_t n = tightening->dual->n_links, before = tightening->n_links;
    uint8_t *has_triplet = realloc(tightening->has_triplet, (size_t)n + 1);
    if (has_triplet)
        tightening->has_triplet = has_triplet;
    double *best_value = realloc(tightening->best_value, sizeof *best_value * ((size_t)n + 1));
    if (best_value)
        tightening->best_value = best_value;
    int32_t *best_cell = realloc(tightening->best_cell, sizeof *best_cell * ((size_t)n + 1));
    if (best_cell)
        tightening->best_cell = best_cell;
    if (!has_triplet || !best_value || !best_cell)
        return GM_ENOMEM;
    memset(has_triplet + before, 0, (size_t)(n - before));
    tightening->n_links = n;
    return GM_OK;
}

int mp_tightening_init(mp_tightening *tightening, mp_dual *dual)
{
    const int64_t most_cells = (int64_t)dual->most_states * dual->most_states;
    *tightening = (mp_tightening){.dual = dual};
    tightening->quota = MP_FEWEST_TRIPLETS + dual->n_links / MP_LINKS_PER_TRIPLET;
    for (int k = 0; k < 3; k++)
        GM_TAKE(&tightening->pool, most_cells, tightening->table[k]);
    GM_TAKE(&tightening->pool, most_cells, tightening->product);
    GM_TAKE(&tightening->pool, most_cells, tightening->transposed);
    GM_TAKE(&tightening->pool, tightening->quota, tightening->best);
    return tightening->pool.failed ? GM_ENOMEM : make_room(tightening);
}

void mp_tightening_clear(mp_tightening *tightening)
{
    free(tightening->triplet);
    free(tightening->has_triplet);
    free(tightening->best_value);
    free(tightening->best_cell);
    gm_pool_free(&tightening->pool);
}

/* ---- min-plus products */

/* out(a, c) = min_b A(a, b) + B(b, c) */
GM_WIDE static void min_plus(const double *restrict A, const double *restrict B,
                             double *restrict out, int32_t n_rows, int32_t n_inner,
                             int32_t n_columns)
{
    for (int32_t a = 0; a < n_rows; a++) {
        double *row = out + (int64_t)a * n_columns;
        for (int32_t c = 0; c < n_columns; c++)
            row[c] = INFINITY;
        for (int32_t b = 0; b < n_inner; b++) {
            const double k = A[(int64_t)a * n_inner + b], *other = B + (int64_t)b * n_columns;
            for (int32_t c = 0; c < n_columns; c++)
                row[c] = other[c] + k < row[c] ? other[c] + k : row[c];
        }
    }
}

/* out(b, c) = min_a A(a, b) + B(a, c) */
GM_WIDE static void min_plus_transposed(const double *restrict A, const double *restrict B,
                                        double *restrict out, int32_t nu, int32_t nv, int32_t nw)
{
    for (int64_t k = 0; k < (int64_t)nv * nw; k++)
        out[k] = INFINITY;
    for (int32_t a = 0; a < nu; a++)
        for (int32_t b = 0; b < nv; b++) {
            const double k = A[(int64_t)a * nv + b], *other = B + (int64_t)a * nw;
            double *row = out + (int64_t)b * nw;
            for (int32_t c = 0; c < nw; c++)
                row[c] = other[c] + k < row[c] ? other[c] + k : row[c];
        }
}

static void transpose(const double *from, double *to, int32_t rows, int32_t cols)
{
    for (int32_t a = 0; a < rows; a++)
        for (int32_t b = 0; b < cols; b++)
            to[(int64_t)b * rows + a] = from[(int64_t)a * cols + b];
}

/* ---- the best candidates */

/* Puts a candidate into the heap; if that is full the one with the smallest gain goes. */
static void keep_candidate(mp_tightening *tightening, mp_candidate candidate)
{
    mp_candidate *heap = tightening->best;
    int32_t k;
    if (tightening->n_best < tightening->quota) {
        k = tightening->n_best++;
        for (; k > 0 && heap[(k - 1) / 2].gain > candidate.gain; k = (k - 1) / 2)
            heap[k] = heap[(k - 1) / 2];
    } else {
        k = 0;
        for (int32_t child = 1; child < tightening->n_best; child = 2 * k + 1) {
            if (child + 1 < tightening->n_best && heap[child + 1].gain < heap[child].gain)
                child++;
            if (heap[child].gain >= candidate.gain)
                break;
            heap[k] = heap[child];
            k = child;
        }
    }
    heap[k] = candidate;
}

/* Reparametrised table of link e, or of the link that would join u and v. */
static void table_of(const mp_tightening *tightening, int32_t e, int32_t u, int32_t v, double *out)
{
    const mp_link missing = {.node = {u, v}, .entries = -1};
    mp_link_table(tightening->dual, e >= 0 ? &tightening->dual->link[e] : &missing, out);
}

/* min_k x(k) + y(k) of n numbers each, a step apart. */
static double least_sum(const double *x, int64_t x_step, const double *y, int64_t y_step, int32_t n)
{
    double least = INFINITY;
    for (int64_t k = 0; k < n; k++)
        least = gm_smaller(x[k * x_step] + y[k * y_step], least);
    return least;
}

/* The least value of an accepted candidate: the sum of its links' minima, and the required gain. */
typedef struct gain_goal {
    const mp_tightening *tightening;
    double base, wanted;
} gain_goal;

/* Whether the candidate gains too little for certain. Some choice of three states costs the best
 * cell of one link and `rest`, the cheapest way through the third node; the triplet's minimum is at
 * most that. */
static int is_too_little(const gain_goal *goal, int32_t link, double rest)
{
    return goal->tightening->best_value[link] + rest - goal->base <= goal->wanted;
}

/* Keeps a candidate whose gain is worth it: the minimum of the triplet less the sum of its links'
 * minima. Mostly an upper bound through the best cell of a link rejects it before the full search
 * over all three states. */
static void consider(mp_tightening *tightening, const mp_candidate *candidate, double least)
{
    const mp_dual *dual = tightening->dual;
    const int32_t *link = candidate->link, *best_cell = tightening->best_cell;
    const int32_t u = candidate->node[0], v = candidate->node[1], w = candidate->node[2];
    const int32_t nu = mp_states(dual, u), nv = mp_states(dual, v), nw = mp_states(dual, w);
    double *A = tightening->table[0], *B = tightening->table[1], *C = tightening->table[2];
    if (gm_watch_spend(dual->index->watch, (int64_t)nw * (nu + nv)))
        return;
    gain_goal goal = {.tightening = tightening, .wanted = least};
    if (tightening->n_best == tightening->quota && tightening->best[0].gain > goal.wanted)
        goal.wanted = tightening->best[0].gain;
    for (int k = 0; k < 3; k++)
        goal.base += link[k] >= 0 ? tightening->best_value[link[k]] : 0.0;
    table_of(tightening, link[1], u, w, B);
    table_of(tightening, link[2], v, w, C);
    if (link[0] >= 0) {
        const int64_t a = best_cell[link[0]] / nv, b = best_cell[link[0]] % nv;
        if (is_too_little(&goal, link[0], least_sum(B + a * nw, 1, C + b * nw, 1, nw)))
            return;
    }
    table_of(tightening, link[0], u, v, A);
    if (link[1] >= 0) {
        const int64_t a = best_cell[link[1]] / nw, c = best_cell[link[1]] % nw;
        if (is_too_little(&goal, link[1], least_sum(A + a * nv, 1, C + c, nw, nv)))
            return;
    }
    if (link[2] >= 0) {
        const int64_t b = best_cell[link[2]] / nw, c = best_cell[link[2]] % nw;
        if (is_too_little(&goal, link[2], least_sum(A + b, nv, B + c, nw, nu)))
            return;
    }
    if (gm_watch_spend(dual->index->watch, (int64_t)nu * nv * nw))
        return;
    min_plus(A, C, tightening->product, nu, nv, nw);
    double total = INFINITY;
    for (int64_t k = 0; k < (int64_t)nu * nw; k++)
        total = gm_smaller(tightening->product[k] + B[k], total);
    if (total - goal.base > goal.wanted) {
        mp_candidate kept = *candidate;
        kept.gain = total - goal.base;
        keep_candidate(tightening, kept);
    }
}

/* Whether the triplet with these links has been added. */
static int is_active(const mp_tightening *tightening, const int32_t link[3])
{
    for (int k = 0; k < 3; k++)
        if (link[k] < 0 || !tightening->has_triplet[link[k]])
            return 0;
    for (int32_t t = 0; t < tightening->n_triplets; t++)
        if (!memcmp(tightening->triplet[t].link, link, sizeof tightening->triplet[t].link))
            return 1;
    return 0;
}

/* Adds a link, unless an earlier candidate of the same round has added it. -1 without memory. */
static int32_t add_missing_link(mp_dual *dual, int32_t u, int32_t v, int32_t first_added)
{
    for (int32_t e = first_added; e < dual->n_links; e++)
        if (dual->link[e].node[0] == u && dual->link[e].node[1] == v)
            return e;
    return mp_dual_add_link(dual, u, v);
}

/* Adds a triplet and the links that it lacks. 0 when out of memory. */
static int add_triplet(mp_tightening *tightening, const mp_candidate *candidate,
                       int32_t first_added)
{
    mp_dual *dual = tightening->dual;
    mp_triplet added = {.link = {candidate->link[0], candidate->link[1], candidate->link[2]}};
    static const int ends[3][2] = {{0, 1}, {0, 2}, {1, 2}}; /* nodes of each link */
    if (tightening->n_triplets == tightening->capacity) {
        const int32_t capacity = 2 * tightening->capacity + 64;
        mp_triplet *larger = realloc(tightening->triplet, sizeof *larger * (size_t)capacity);
        if (!larger)
            return 0;
        tightening->triplet = larger;
        tightening->capacity = capacity;
    }
    for (int k = 0; k < 3; k++) {
        if (added.link[k] < 0)
            added.link[k] = add_missing_link(dual, candidate->node[ends[k][0]],
                                             candidate->node[ends[k][1]], first_added);
        if (added.link[k] < 0)
            return 0;
        mp_link *of = &dual->link[added.link[k]];
        mp_link_make_dense(dual, of);
        GM_TAKE(&tightening->pool,
                (int64_t)mp_states(dual, of->node[0]) * mp_states(dual, of->node[1]),
                added.message[k]);
    }
    if (dual->pool.failed || tightening->pool.failed) {
        dual->pool.failed = tightening->pool.failed = 0; /* go on with the triplets so far */
        return 0;
    }
    tightening->triplet[tightening->n_triplets++] = added;
    return 1;
}

static int by_gain(const void *x, const void *y)
{
    const mp_candidate *p = x, *q = y;
    if (p->gain != q->gain)
        return p->gain > q->gain ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (p->node[k] != q->node[k])
            return p->node[k] < q->node[k] ? -1 : 1;
    return 0;
}

/* The minimum of every link's reparametrised table, and its position. */
static void find_best_cells(mp_tightening *tightening)
{
    const mp_dual *dual = tightening->dual;
    for (int32_t e = 0; e < dual->n_links; e++) {
        const int64_t cells = (int64_t)mp_states(dual, dual->link[e].node[0]) *
                              mp_states(dual, dual->link[e].node[1]);
        if (gm_watch_spend(dual->index->watch, 2 * cells))
            return;
        mp_link_table(dual, &dual->link[e], tightening->product);
        int64_t best = 0;
        for (int64_t k = 1; k < cells; k++)
            if (tightening->product[k] < tightening->product[best])
                best = k;
        tightening->best_value[e] = tightening->product[best];
        tightening->best_cell[e] = (int32_t)best;
    }
}

static int32_t other_end(const mp_link *link, int32_t node)
{
    return link->node[link->node[0] == node];
}

/* The candidate with nodes x < y and `middle`, sorted, with the links between them. */
static mp_candidate triple(int32_t x, int32_t middle, int32_t y, int32_t x_middle, int32_t middle_y,
                           int32_t x_y)
{
    if (middle < x)
        return (mp_candidate){.node = {middle, x, y}, .link = {x_middle, middle_y, x_y}};
    if (middle < y)
        return (mp_candidate){.node = {x, middle, y}, .link = {x_middle, x_y, middle_y}};
    return (mp_candidate){.node = {x, y, middle}, .link = {x_y, x_middle, middle_y}};
}

/* Considers every path x - middle - y with x < y; a triangle, which is three such paths, once.
 * link_to is scratch of n_nodes zeros and stays so: the link from x to each node, plus 1. */
static void score_triples(mp_tightening *tightening, double least, int32_t *link_to)
{
    const mp_dual *dual = tightening->dual;
    for (int32_t x = 0; x < dual->n_nodes; x++) {
        const int32_t begin = dual->node_link_start[x], end = dual->node_link_start[x + 1];
        for (int32_t k = begin; k < end; k++)
            link_to[other_end(&dual->link[dual->node_link[k]], x)] = dual->node_link[k] + 1;
        for (int32_t k = begin; k < end; k++) {
            const int32_t first = dual->node_link[k], middle = other_end(&dual->link[first], x);
            for (int32_t m = dual->node_link_start[middle]; m < dual->node_link_start[middle + 1];
                 m++) {
                const int32_t second = dual->node_link[m];
                const int32_t y = other_end(&dual->link[second], middle);
                if (y <= x || (link_to[y] && middle > x) ||
                    gm_watch_spend(dual->index->watch, tightening->n_triplets))
                    continue;
                const mp_candidate candidate = triple(x, middle, y, first, second, link_to[y] - 1);
                if (!is_active(tightening, candidate.link))
                    consider(tightening, &candidate, least);
            }
        }
        for (int32_t k = begin; k < end; k++)
            link_to[other_end(&dual->link[dual->node_link[k]], x)] = 0;
    }
}

/* The link between two nodes, -1 if there is none. */
static int32_t find_link(const mp_dual *dual, int32_t u, int32_t v)
{
    for (int32_t k = dual->node_link_start[u]; k < dual->node_link_start[u + 1]; k++)
        if (other_end(&dual->link[dual->node_link[k]], u) == v)
            return dual->node_link[k];
    return -1;
}

static void sort_three(int32_t *node)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (node[j] > node[j + 1]) {
                const int32_t swap = node[j];
                node[j] = node[j + 1];
                node[j + 1] = swap;
            }
}

static int is_kept(const mp_tightening *tightening, const int32_t *node)
{
    for (int32_t t = 0; t < tightening->n_best; t++)
        if (!memcmp(tightening->best[t].node, node, sizeof tightening->best[t].node))
            return 1;
    return 0;
}

/* Keeps the triplets that triangulate a cycle, as a fan around its first node. */
static void triangulate(mp_tightening *tightening, const mp_cycle *cycle)
{
    const mp_dual *dual = tightening->dual;
    for (int32_t k = 1; k + 1 < cycle->length; k++) {
        int32_t node[3] = {cycle->node[0], cycle->node[k], cycle->node[k + 1]};
        sort_three(node);
        const mp_candidate candidate = {
            .gain = cycle->gain,
            .node = {node[0], node[1], node[2]},
            .link = {find_link(dual, node[0], node[1]), find_link(dual, node[0], node[2]),
                     find_link(dual, node[1], node[2])},
        };
        if (tightening->n_best < tightening->quota && !is_kept(tightening, node) &&
            !is_active(tightening, candidate.link))
            tightening->best[tightening->n_best++] = candidate;
    }
}

int32_t mp_tightening_extend(mp_tightening *tightening, double least)
{
    mp_dual *dual = tightening->dual;
    const int32_t first_added = dual->n_links, before = tightening->n_triplets;
    int32_t *link_to = calloc((size_t)dual->n_nodes + 1, sizeof *link_to);
    if (!link_to)
        return 0;
    tightening->n_best = 0;
    find_best_cells(tightening);
    score_triples(tightening, least, link_to);
    free(link_to);
    if (gm_watch_is_over(dual->index->watch))
        return 0;
    if (tightening->n_best < tightening->quota / MP_SCARCE) {
        mp_cycle cycles[MP_CYCLES_PER_ROUND];
        const int32_t n =
            mp_odd_cycles(dual, least, tightening->product, cycles, MP_CYCLES_PER_ROUND);
        for (int32_t k = 0; k < n; k++)
            triangulate(tightening, &cycles[k]);
    }
    qsort(tightening->best, (size_t)tightening->n_best, sizeof *tightening->best, by_gain);
    for (int32_t k = 0; k < tightening->n_best; k++)
        if (!add_triplet(tightening, &tightening->best[k], first_added))
            break;
    if (make_room(tightening) != GM_OK || mp_dual_relink(dual) != GM_OK) {
        /* out of memory: gives up the new links and the triplets on them */
        dual->n_links = tightening->n_links = first_added;
        tightening->n_triplets = before;
        return 0;
    }
    for (int32_t t = before; t < tightening->n_triplets; t++)
        for (int k = 0; k < 3; k++)
            tightening->has_triplet[tightening->triplet[t].link[k]] = 1;
    return tightening->n_triplets - before;
}

/* ---- updates */

/* Moves all of a link's reparametrised table into the triplet's message: the rest of the table
 * is phi, so that the reparametrised table is 0. */
static void take_table(const mp_dual *dual, const mp_link *link, double *message)
{
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    for (int32_t a = 0; a < rows; a++)
        for (int32_t b = 0; b < cols; b++) {
            const int64_t k = (int64_t)a * cols + b;
            const double kept = link->phi[0][a] + link->phi[1][b];
            message[k] += link->table[k] - kept;
            link->table[k] = kept;
        }
}

/* Moves a share of the triplet's min-marginals over one link (product + message) back into the
 * link's table. */
static void hand_back(double *table, double *message, const double *product, int64_t n,
                      double share)
{
    for (int64_t k = 0; k < n; k++) {
        const double given = share * (product[k] + message[k]);
        message[k] -= given;
        table[k] += given;
    }
}

/* The MPLP++ exchange of a triplet with its three links. */
static void update(mp_tightening *tightening, mp_triplet *triplet)
{
    mp_dual *dual = tightening->dual;
    mp_link *uv = &dual->link[triplet->link[0]];
    mp_link *uw = &dual->link[triplet->link[1]];
    mp_link *vw = &dual->link[triplet->link[2]];
    const int32_t nu = mp_states(dual, uv->node[0]);
    const int32_t nv = mp_states(dual, uv->node[1]);
    const int32_t nw = mp_states(dual, uw->node[1]);
    if (gm_watch_spend(dual->index->watch, 5 * (int64_t)nu * nv * nw))
        return;
    double *A = triplet->message[0];
    double *B = triplet->message[1];
    double *C = triplet->message[2];
    double *product = tightening->product;
    take_table(dual, uv, A);
    take_table(dual, uw, B);
    take_table(dual, vw, C);
    /* shares 1/3, 1/2, 1 give each link the same if all min-marginals are equal; then the first two
     * take the rest */
    static const double share[5] = {1.0 / 3.0, 0.5, 1.0, 1.0, 1.0};
    static const int turn[5] = {0, 1, 2, 1, 0};
    for (int k = 0; k < 5; k++) {
        if (turn[k] == 0) {
            transpose(C, tightening->transposed, nv, nw);
            min_plus(B, tightening->transposed, product, nu, nw, nv);
            hand_back(uv->table, A, product, (int64_t)nu * nv, share[k]);
        } else if (turn[k] == 1) {
            min_plus(A, C, product, nu, nv, nw);
            hand_back(uw->table, B, product, (int64_t)nu * nw, share[k]);
        } else {
            min_plus_transposed(A, B, product, nu, nv, nw);
            hand_back(vw->table, C, product, (int64_t)nv * nw, share[k]);
        }
    }
}

void mp_tightening_update(mp_tightening *tightening)
{
    for (int32_t t = 0; t < tightening->n_triplets; t++)
        update(tightening, &tightening->triplet[t]);
    for (int32_t e = 0; e < tightening->dual->n_links; e++)
        if (tightening->has_triplet[e])
            for (int side = 0; side < 2; side++)
                mp_link_collect(tightening->dual, &tightening->dual->link[e], side,
                                tightening->dual->link[e].into[side]);
}
