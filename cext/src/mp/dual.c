#include "mp/dual.h"
#include "base/csr.h"
#include "base/rounding.h"
#include "base/watch.h"
#include "model/policy.h"
#include "model/prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Messages are computed again from the costs: at each link of its node the cost of a state is added
 * to the link's minimum, which was a sum with the other node's message; then it is divided among
 * the links by a product, a difference and a sum. The assignment adds a sum per node and a path
 * over nodes and labels. */
static const double ROUNDINGS_PER_LINK = 8.0;

/* ---- min-marginals of a link */

/* out(a) = min_b C(a, b) + give(b) for rows a of a dense table; four chains hide the latency. */
static void dense_rows(const double *table, int32_t rows, int32_t cols, const double *give,
                       double *out)
{
    for (int32_t a = 0; a < rows; a++) {
        const double *row = table + (int64_t)a * cols;
        double m0 = INFINITY, m1 = INFINITY, m2 = INFINITY, m3 = INFINITY;
        int32_t b = 0;
        for (; b + 4 <= cols; b += 4) {
            m0 = gm_smaller(row[b] + give[b], m0);
            m1 = gm_smaller(row[b + 1] + give[b + 1], m1);
            m2 = gm_smaller(row[b + 2] + give[b + 2], m2);
            m3 = gm_smaller(row[b + 3] + give[b + 3], m3);
        }
        for (; b < cols; b++)
            m0 = gm_smaller(row[b] + give[b], m0);
        out[a] = gm_smaller(gm_smaller(m0, m1), gm_smaller(m2, m3));
    }
}

/* out(b) = min_a C(a, b) + give(a) for columns b of a dense table. */
static void dense_cols(const double *table, int32_t rows, int32_t cols, const double *give,
                       double *out)
{
    for (int32_t b = 0; b < cols; b++)
        out[b] = INFINITY;
    for (int32_t a = 0; a < rows; a++) {
        const double *row = table + (int64_t)a * cols, g = give[a];
        for (int32_t b = 0; b < cols; b++)
            out[b] = row[b] + g < out[b] ? row[b] + g : out[b];
    }
}

/* out(b) = the least give(a) over the states a that have a background cell with b. */
static void send_background(const mp_dual *dual, const mp_link *link, int side, const double *give,
                            int32_t n, double *out, int32_t n_out)
{
    const int64_t *start = link->hidden_start[1 - side];
    const gm_hidden hidden = {start, start + 1, link->hidden[1 - side]};
    const int32_t n_pending =
        gm_background_minima(hidden, give, n, out, n_out, dual->pending, dual->mark);
    for (int32_t k = 0; k < n_pending; k++) /* no state has a background cell with it */
        out[dual->pending[k]] += dual->prohibitive;
}

int64_t mp_link_work(const mp_dual *dual, const mp_link *link)
{
    const int64_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    const int64_t *start = dual->index->link_start;
    return link->table ? rows * cols
                       : start[link->entries + 1] - start[link->entries] + rows + cols;
}

void mp_link_collect(const mp_dual *dual, const mp_link *link, int side, double *out)
{
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    const int32_t n = side ? rows : cols, n_out = side ? cols : rows;
    const double *phi = link->phi[1 - side];
    double *give = dual->give;
    if (gm_watch_spend(dual->index->watch, mp_link_work(dual, link)))
        return;
    for (int32_t a = 0; a < n; a++)
        give[a] = -phi[a];
    if (link->table) {
        (side ? dense_cols : dense_rows)(link->table, rows, cols, give, out);
        return;
    }
    const gm_index *index = dual->index;
    const int32_t first_u = index->node_start[link->node[0]];
    const int32_t first_v = index->node_start[link->node[1]];
    const int64_t begin = index->link_start[link->entries];
    const int64_t end = index->link_start[link->entries + 1];
    send_background(dual, link, side, give, n, out, n_out);
    for (int64_t e = begin; e < end; e++) {
        const int32_t a = index->first[e] - first_u, b = index->second[e] - first_v;
        const int32_t to = side ? b : a, from = side ? a : b;
        const double value = index->entry_cost[e] + give[from];
        out[to] = value < out[to] ? value : out[to];
    }
}

/* ---- the sweep */

/* One node of TRW-S / SRMP: u receives the min-marginals of all its links (behind: to nodes already
 * visited in this sweep), keeps a part of the sum and gives each link ahead an equal share. */
static void visit(mp_dual *dual, int32_t u, int forward)
{
    const int32_t n = mp_states(dual, u), start = dual->state_start[u];
    double *marginal = dual->marginal + start;
    double *price = dual->price + start;
    double *theta = dual->theta + start;
    const int32_t *links = dual->node_link + dual->node_link_start[u];
    const int32_t degree = dual->node_link_start[u + 1] - dual->node_link_start[u];
    int32_t behind = 0;
    for (int32_t a = 0; a < n; a++)
        marginal[a] = dual->cost[start + a] - price[a];
    for (int32_t k = 0; k < degree; k++) {
        const mp_link *link = &dual->link[links[k]];
        const int side = link->node[1] == u;
        behind += side == forward; /* forward, the other node is the smaller one */
        for (int32_t a = 0; a < n; a++)
            marginal[a] += link->into[side][a];
    }
    const int32_t ahead = degree - behind, most = ahead > behind ? ahead : behind;
    const double share = most > 0 ? 1.0 / ((double)most + dual->kept) : 0.0;
    const double rest = 1.0 - share * (double)ahead;
    for (int32_t k = 0; k < degree; k++) {
        mp_link *link = &dual->link[links[k]];
        const int side = link->node[1] == u, is_ahead = side != forward;
        const double given = is_ahead ? share : 0.0;
        for (int32_t a = 0; a < n; a++)
            link->phi[side][a] = link->into[side][a] - given * marginal[a];
        if (is_ahead)
            mp_link_collect(dual, link, 1 - side, link->into[1 - side]);
    }
    for (int32_t a = 0; a < n; a++)
        theta[a] = rest * marginal[a] + price[a];
}

void mp_dual_sweep(mp_dual *dual, int forward)
{
    for (int32_t k = 0; k < dual->n_nodes; k++)
        visit(dual, forward ? k : dual->n_nodes - 1 - k, forward);
}

double mp_dual_relative(const mp_dual *dual, const double *state_cost, double *slot_cost)
{
    const gm_index *index = dual->index;
    double constant = 0.0;
    for (int32_t u = 0; u < dual->n_nodes; u++) {
        const int32_t n = gm_index_n_labels(index, u);
        const double *cost = state_cost + dual->state_start[u];
        const double dummy = index->complete ? 0.0 : cost[n];
        constant += dummy;
        for (int32_t a = 0; a < n; a++)
            slot_cost[index->node_start[u] + a] = cost[a] - dummy;
    }
    return constant;
}

int mp_dual_assign(mp_dual *dual, double *bound)
{
    const gm_index *index = dual->index;
    const double constant = mp_dual_relative(dual, dual->theta, dual->lap_cost);
    const int status = gm_lap_solve(dual->lap, dual->lap_cost, index->complete, 1);
    if (status != GM_OK)
        return status;
    gm_centred_prices(index, dual->lap, dual->lap_cost, dual->node_price, dual->label_price);
    const double *v = dual->label_price;
    for (int32_t u = 0; u < dual->n_nodes; u++)
        for (int32_t p = index->node_start[u]; p < index->node_start[u + 1]; p++)
            dual->price[dual->state_start[u] + p - index->node_start[u]] = v[index->slot_label[p]];
    *bound = gm_lap_value(dual->lap) + constant;
    return GM_OK;
}

double mp_dual_least_other(const mp_dual *dual, const int32_t *labels)
{
    return gm_least_other_price(dual->index, dual->lap_cost, dual->node_price, dual->label_price,
                                labels);
}

void mp_dual_refresh(mp_dual *dual)
{
    for (int32_t e = 0; e < dual->n_links; e++)
        for (int side = 0; side < 2; side++)
            mp_link_collect(dual, &dual->link[e], side, dual->link[e].into[side]);
}

int mp_dual_evaluate(mp_dual *dual, double *bound)
{
    double links = 0.0;
    memcpy(dual->theta, dual->cost, sizeof *dual->cost * (size_t)dual->n_states);
    for (int32_t e = 0; e < dual->n_links; e++) {
        const mp_link *link = &dual->link[e];
        double least = INFINITY;
        mp_link_collect(dual, link, 0, dual->into);
        for (int32_t a = 0; a < mp_states(dual, link->node[0]); a++)
            least = gm_smaller(least, dual->into[a] - link->phi[0][a]);
        links += least;
        for (int side = 0; side < 2; side++)
            for (int32_t a = 0; a < mp_states(dual, link->node[side]); a++)
                dual->theta[dual->state_start[link->node[side]] + a] += link->phi[side][a];
    }
    const int status = mp_dual_assign(dual, bound);
    *bound += links;
    return status;
}

/* ---- setting up */

/* State a of u and state b of v have no background cell: counts the pair for both, or stores it. */
static void hide(mp_link *link, int32_t a, int32_t b, int store)
{
    if (store) {
        link->hidden[0][link->hidden_start[0][a]++] = b;
        link->hidden[1][link->hidden_start[1][b]++] = a;
    } else {
        link->hidden_start[0][a + 1]++;
        link->hidden_start[1][b + 1]++;
    }
}

/* The hidden pairs of a sparse link: equal labels, and entries that cost more than the background.
 */
static void hide_pairs(const mp_dual *dual, mp_link *link, int store)
{
    const gm_index *index = dual->index;
    const int32_t u = link->node[0];
    const int32_t v = link->node[1];
    const int32_t first_u = index->node_start[u];
    const int32_t first_v = index->node_start[v];
    for (int32_t p = first_u, q = first_v; gm_next_equal(index, u, v, &p, &q); p++, q++)
        hide(link, p - first_u, q - first_v, store);
    for (int64_t e = index->link_start[link->entries]; e < index->link_start[link->entries + 1];
         e++)
        if (index->entry_cost[e] > 0.0)
            hide(link, index->first[e] - first_u, index->second[e] - first_v, store);
}

static void list_hidden(mp_dual *dual, mp_link *link)
{
    for (int side = 0; side < 2; side++)
        GM_TAKE(&dual->pool, mp_states(dual, link->node[side]) + 1, link->hidden_start[side]);
    if (dual->pool.failed)
        return;
    hide_pairs(dual, link, 0);
    for (int side = 0; side < 2; side++) {
        const int32_t n = mp_states(dual, link->node[side]);
        gm_csr_sum64(link->hidden_start[side], n);
        GM_TAKE(&dual->pool, link->hidden_start[side][n], link->hidden[side]);
    }
    if (dual->pool.failed)
        return;
    hide_pairs(dual, link, 1);
    for (int side = 0; side < 2; side++)
        gm_csr_rewind64(link->hidden_start[side], mp_states(dual, link->node[side]));
}

static void fill_table(const mp_dual *dual, const mp_link *link, double *table)
{
    gm_fill_table(dual->index, link->node[0], link->node[1], link->entries, dual->prohibitive,
                  mp_states(dual, link->node[1]), table);
}

void mp_link_make_dense(mp_dual *dual, mp_link *link)
{
    double *table;
    if (link->table)
        return;
    GM_TAKE(&dual->pool, (int64_t)mp_states(dual, link->node[0]) * mp_states(dual, link->node[1]),
            table);
    if (dual->pool.failed)
        return;
    fill_table(dual, link, table);
    link->table = table;
}

void mp_link_table(const mp_dual *dual, const mp_link *link, double *out)
{
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    if (link->table) {
        memcpy(out, link->table, sizeof *out * (size_t)rows * (size_t)cols);
    } else {
        memset(out, 0, sizeof *out * (size_t)rows * (size_t)cols);
        fill_table(dual, link, out);
    }
    for (int32_t a = 0; a < rows && link->phi[0]; a++)
        for (int32_t b = 0; b < cols; b++)
            out[(int64_t)a * cols + b] -= link->phi[0][a] + link->phi[1][b];
}

static void take_messages(mp_dual *dual, mp_link *link)
{
    for (int side = 0; side < 2; side++) {
        GM_TAKE(&dual->pool, mp_states(dual, link->node[side]), link->phi[side]);
        GM_TAKE(&dual->pool, mp_states(dual, link->node[side]), link->into[side]);
    }
}

int32_t mp_dual_add_link(mp_dual *dual, int32_t u, int32_t v)
{
    if (dual->n_links == dual->link_capacity) {
        const int32_t capacity = 2 * dual->link_capacity + 16;
        mp_link *larger = realloc(dual->link, sizeof *larger * (size_t)capacity);
        if (!larger)
            return -1;
        dual->link = larger;
        dual->link_capacity = capacity;
    }
    mp_link added = {.node = {u, v}, .entries = -1};
    take_messages(dual, &added);
    mp_link_make_dense(dual, &added);
    if (dual->pool.failed) {
        dual->pool.failed = 0; /* the caller goes on without this link */
        return -1;
    }
    dual->link[dual->n_links] = added;
    return dual->n_links++;
}

int mp_dual_relink(mp_dual *dual)
{
    int32_t *links = realloc(dual->node_link, sizeof *links * (2 * (size_t)dual->n_links + 1));
    int32_t *start = dual->node_link_start;
    if (!links)
        return GM_ENOMEM;
    dual->node_link = links;
    memset(start, 0, sizeof *start * ((size_t)dual->n_nodes + 1));
    for (int32_t e = 0; e < dual->n_links; e++)
        for (int side = 0; side < 2; side++)
            start[dual->link[e].node[side] + 1]++;
    gm_csr_sum32(start, dual->n_nodes);
    for (int32_t e = 0; e < dual->n_links; e++)
        for (int side = 0; side < 2; side++)
            links[start[dual->link[e].node[side]]++] = e;
    gm_csr_rewind32(start, dual->n_nodes);
    return GM_OK;
}

/* Link e of the index: dense or sparse table, messages 0, their min-marginals. */
static void set_up_link(mp_dual *dual, int32_t e)
{
    const gm_index *index = dual->index;
    mp_link *link = &dual->link[e];
    link->node[0] = index->link_u[e];
    link->node[1] = index->link_v[e];
    link->entries = e;
    const int64_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    take_messages(dual, link);
    if ((double)(index->link_start[e + 1] - index->link_start[e]) >=
        GM_DENSE_ENOUGH * (double)(rows * cols)) {
        mp_link_make_dense(dual, link);
    } else {
        list_hidden(dual, link);
    }
    if (!dual->pool.failed)
        for (int side = 0; side < 2; side++)
            mp_link_collect(dual, link, side, link->into[side]);
}

/* The states of all nodes: candidates with their costs, and a dummy of cost 0 unless all nodes must
 * be matched. */
static void set_up_states(mp_dual *dual, int dummies)
{
    const gm_index *index = dual->index;
    for (int32_t u = 0; u <= index->n1; u++)
        dual->state_start[u] = index->node_start[u] + dummies * u;
    for (int32_t p = 0; p < index->n_slots; p++) {
        const int32_t u = index->slot_node[p];
        dual->cost[dual->state_start[u] + p - index->node_start[u]] = index->slot_cost[p];
    }
    dual->most_states = 1;
    for (int32_t u = 0; u < index->n1; u++)
        if (mp_states(dual, u) > dual->most_states)
            dual->most_states = mp_states(dual, u);
}

int mp_dual_init(mp_dual *dual, const gm_index *index, double kept)
{
    const int dummies = index->complete ? 0 : 1;
    *dual =
        (mp_dual){.index = index, .n_nodes = index->n1, .n_links = index->n_links, .kept = kept};
    dual->n_states = index->n_slots + dummies * index->n1;
    GM_TAKE(&dual->pool, index->n1 + 1, dual->state_start);
    GM_TAKE(&dual->pool, dual->n_states, dual->cost);
    GM_TAKE(&dual->pool, dual->n_states, dual->price);
    GM_TAKE(&dual->pool, dual->n_states, dual->theta);
    GM_TAKE(&dual->pool, dual->n_states, dual->marginal);
    GM_TAKE(&dual->pool, index->n1 + 1, dual->node_link_start);
    GM_TAKE(&dual->pool, index->n_slots, dual->lap_cost);
    GM_TAKE(&dual->pool, index->n1, dual->node_price);
    GM_TAKE(&dual->pool, index->n2, dual->label_price);
    if (dual->pool.failed)
        return GM_ENOMEM;
    dual->link = calloc((size_t)index->n_links + 1, sizeof *dual->link);
    dual->link_capacity = index->n_links;
    if (!dual->link)
        return GM_ENOMEM;
    set_up_states(dual, dummies);
    const double total = gm_index_total(index);
    /* farther away than gm_beyond: sweeps depend on the number, and were compared with this one */
    dual->prohibitive = total > 0.0 ? 2.0 * total : 1.0;
    dual->margin =
        gm_rounding_error(ROUNDINGS_PER_LINK * gm_index_most_links(index) + index->n1 + index->n2,
                          GM_MOVED * gm_index_magnitude(index));
    GM_TAKE(&dual->pool, dual->most_states, dual->give);
    GM_TAKE(&dual->pool, dual->most_states, dual->into);
    GM_TAKE(&dual->pool, dual->most_states, dual->pending);
    GM_TAKE(&dual->pool, dual->most_states, dual->mark);
    if (dual->pool.failed)
        return GM_ENOMEM;
    for (int32_t e = 0; e < index->n_links && !dual->pool.failed; e++)
        set_up_link(dual, e);
    if (mp_dual_relink(dual) != GM_OK)
        return GM_ENOMEM;
    dual->lap = gm_index_lap(index);
    return dual->lap && !dual->pool.failed ? GM_OK : GM_ENOMEM;
}

void mp_dual_clear(mp_dual *dual)
{
    gm_lap_free(dual->lap);
    free(dual->link);
    free(dual->node_link);
    gm_pool_free(&dual->pool);
}
