#include "bca.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The dense loops are nothing but sums and minima, so wider vectors give the same numbers. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

enum {
    LANES = 4,           /* dense rows are padded to a multiple */
    SPARSE_FACTOR = 4,   /* a table is kept sparse when it has more cells than this times its entries */
    N_SMALLEST = 8       /* opposite messages looked at for the background of a row */
};

struct gm_bca {
    const gm_index *index;
    gm_pool pool;
    gm_lap *lap;
    double *unary, *dummy;  /* per slot, per node: reparametrised */
    double *share;          /* per slot: moved to its label's factor */
    double *joint;          /* per slot: unary + share */
    double *message;        /* see gm_reparametrisation */
    int64_t *message_start;
    int64_t *lap_start;     /* per node + 1 */
    int64_t *table_start;   /* per link: its first cell (dense) or first row (sparse) */
    uint8_t *is_dense;      /* per link */
    double *cell;           /* dense tables, rows padded */
    int64_t *row_start;     /* sparse rows: n_rows + 1 */
    int32_t *column;        /* sparse entries, forbidden cells included */
    double *entry;
    double beyond;          /* above any matching's cost: stands for infinity, keeps sums finite */
    double work;            /* see gm_bca_work */
    double assigned;        /* sum of the label factors' minima */
    double *source, *source_dummy; /* diffusion: the unaries at the start of the sweep */
    double *even;           /* per node: 1 / number of links */
    int32_t *order;         /* links in the order of a forward sweep */
    double *a, *b, *w, *low, *negative; /* of the link at hand, unmatched last */
    uint32_t *rank_bit;     /* per column: 1 << rank among the smallest, else 0 */
    uint8_t *excluded;      /* per column: scratch */
    int32_t *pending;
    int64_t n_sweeps, n_restarts;
};

static int32_t n_labels(const gm_index *index, int32_t node)
{
    return index->node_start[node + 1] - index->node_start[node];
}

static int64_t padded(int32_t n)
{
    return ((int64_t)n + LANES - 1) / LANES * LANES;
}

/* ---- the handshake on a dense table */

/* min_t (row(t) + b(t)) and `ground`, four lanes at a time: a compiler may not reorder a plain loop
 * of minima, since NaN and -0 would tell. A macro, so that it becomes part of each WIDE function. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));
typedef int64_t masks __attribute__((vector_size(LANES * sizeof(int64_t))));

#define ROW_MINIMUM(row, b, width, ground, result)                       \
    do {                                                                 \
        lanes least_ = {ground, ground, ground, ground};                 \
        for (int64_t t_ = 0; t_ < (width); t_ += LANES) {                \
            const lanes x_ = *(const lanes *)((row) + t_) + *(const lanes *)((b) + t_); \
            const masks less_ = x_ < least_;                             \
            least_ = (lanes)(((masks)x_ & less_) | ((masks)least_ & ~less_)); \
        }                                                                \
        const double low_ = least_[0] < least_[1] ? least_[0] : least_[1]; \
        const double high_ = least_[2] < least_[3] ? least_[2] : least_[3]; \
        (result) = low_ < high_ ? low_ : high_;                          \
    } while (0)

/* low[t] = min_s (row_s(t) + w(s)) where w(s) = (a(s) - min_t (row_s(t) + b(t))) / 2; `ground` is
 * the cost of the opposite node staying unmatched. */
WIDE static void dense_down(const double *restrict cell, int32_t n_rows, int64_t width, const double *restrict a,
                            const double *restrict b, double ground, double *restrict w, double *restrict low)
{
    for (int32_t s = 0; s < n_rows; s++, cell += width) {
        double least;
        ROW_MINIMUM(cell, b, width, ground, least);
        const double rest = 0.5 * (a[s] - least);
        w[s] = rest;
        for (int64_t t = 0; t < width; t++) {
            const double x = cell[t] + rest;
            low[t] = x < low[t] ? x : low[t];
        }
    }
}

/* out(s) = min_t (row_s(t) + b(t)) */
WIDE static void dense_up(const double *restrict cell, int32_t n_rows, int64_t width, const double *restrict b,
                          double ground, double *restrict out)
{
    for (int32_t s = 0; s < n_rows; s++, cell += width)
        ROW_MINIMUM(cell, b, width, ground, out[s]);
}

/* ---- the handshake on a sparse table */

/* The smallest of b[0..n-1], ascending, with a bit for each in rank_bit. Returns how many. */
static int32_t rank_smallest(const double *b, int32_t n, double *value, int32_t *place, uint32_t *rank_bit)
{
    int32_t found = 0;
    for (int32_t t = 0; t < n; t++) {
        if (found == N_SMALLEST && !(b[t] < value[found - 1]))
            continue;
        int32_t k = found < N_SMALLEST ? found++ : N_SMALLEST - 1;
        for (; k > 0 && b[t] < value[k - 1]; k--) {
            value[k] = value[k - 1];
            place[k] = place[k - 1];
        }
        value[k] = b[t];
        place[k] = t;
    }
    for (int32_t k = 0; k < found; k++)
        rank_bit[place[k]] = UINT32_C(1) << k;
    return found;
}

/* Minimum of b over the columns that a row leaves to the background, when the few smallest do not tell. */
static double background_by_scan(const gm_bca *bca, int64_t row, const double *b, int32_t n)
{
    uint8_t *excluded = bca->excluded;
    double least = INFINITY;
    for (int64_t k = bca->row_start[row]; k < bca->row_start[row + 1]; k++)
        excluded[bca->column[k]] = bca->entry[k] > 0.0;
    for (int32_t t = 0; t < n; t++)
        if (!excluded[t] && b[t] < least)
            least = b[t];
    for (int64_t k = bca->row_start[row]; k < bca->row_start[row + 1]; k++)
        excluded[bca->column[k]] = 0;
    return least;
}

/* out(s) = min_t (theta(s,t) + b(t)) over n columns, "unmatched" included. Only a cell above 0
 * hides its column from the background: one at or below 0 is no dearer than the background. */
static void sparse_up(const gm_bca *bca, int64_t row, int32_t n_rows, const double *b, int32_t n, double *out)
{
    double value[N_SMALLEST];
    int32_t place[N_SMALLEST];
    uint32_t *rank_bit = bca->rank_bit;
    const int32_t found = rank_smallest(b, n, value, place, rank_bit);
    for (int32_t s = 0; s < n_rows; s++, row++) {
        uint32_t hidden = 0;
        double least = INFINITY;
        for (int64_t k = bca->row_start[row]; k < bca->row_start[row + 1]; k++) {
            const int32_t t = bca->column[k];
            const double cost = bca->entry[k], x = cost + b[t];
            least = x < least ? x : least;
            hidden |= cost > 0.0 ? rank_bit[t] : 0;
        }
        int32_t first = 0;
        while (first < found && (hidden >> first & 1))
            first++;
        const double ground = first < found ? value[first] : background_by_scan(bca, row, b, n);
        out[s] = ground < least ? ground : least;
    }
    for (int32_t k = 0; k < found; k++)
        rank_bit[place[k]] = 0;
}

/* low[t] = min_s (theta(s,t) + w(s)) over n_rows rows and "unmatched" (w[n_rows]). The cheapest row
 * is the background of every column that it does not hide; the next cheapest of those it does. */
static void sparse_down(const gm_bca *bca, int64_t row, int32_t n_rows, const double *w, int32_t n, double *low)
{
    int32_t n_pending = n, last = -1;
    for (int32_t t = 0; t < n; t++)
        bca->pending[t] = t;
    while (n_pending > 0) {
        int32_t next = n_rows; /* the row after `last` in order of (w, row); unmatched ends the search */
        for (int32_t s = 0; s < n_rows; s++)
            if ((last < 0 || w[s] > w[last] || (w[s] == w[last] && s > last)) && (w[s] < w[next] || (w[s] == w[next] && s < next)))
                next = s;
        const int64_t first = next < n_rows ? bca->row_start[row + next] : 0, end = next < n_rows ? bca->row_start[row + next + 1] : 0;
        for (int64_t k = first; k < end; k++)
            bca->excluded[bca->column[k]] = bca->entry[k] > 0.0;
        int32_t kept = 0;
        for (int32_t k = 0; k < n_pending; k++) {
            const int32_t t = bca->pending[k];
            if (bca->excluded[t])
                bca->pending[kept++] = t;
            else
                low[t] = w[next];
        }
        for (int64_t k = first; k < end; k++)
            bca->excluded[bca->column[k]] = 0;
        n_pending = kept;
        last = next;
    }
    for (int32_t s = 0; s < n_rows; s++)
        for (int64_t k = bca->row_start[row + s]; k < bca->row_start[row + s + 1]; k++) {
            const int32_t t = bca->column[k];
            const double x = bca->entry[k] + w[s];
            low[t] = x < low[t] ? x : low[t];
        }
}

/* ---- one link */

static double smallest(const double *x, int32_t n)
{
    double least = x[0];
    for (int32_t k = 1; k < n; k++)
        least = x[k] < least ? x[k] : least;
    return least;
}

/* What the link takes: the node's whole unary, or its even share when diffusing, and what the link
 * gave it before. */
static void take_unary(const gm_bca *bca, int32_t node, int diffuse, const double *message, double *x)
{
    const int32_t first = bca->index->node_start[node], n = n_labels(bca->index, node);
    const double *source = (diffuse ? bca->source : bca->unary) + first;
    const double part = diffuse ? bca->even[node] : 1.0;
    for (int32_t s = 0; s < n; s++)
        x[s] = part * source[s] - message[s];
    x[n] = part * (diffuse ? bca->source_dummy : bca->dummy)[node] - message[n];
}

static void give_unary(const gm_bca *bca, int32_t node, int diffuse, const double *message, const double *x)
{
    const int32_t first = bca->index->node_start[node], n = n_labels(bca->index, node);
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

static void handshake(gm_bca *bca, int32_t e, int diffuse)
{
    const gm_index *index = bca->index;
    const int32_t u = index->link_u[e], v = index->link_v[e], n_u = n_labels(index, u), n_v = n_labels(index, v);
    double *to_u = bca->message + bca->message_start[2 * e], *to_v = bca->message + bca->message_start[2 * e + 1];
    double *a = bca->a, *b = bca->b, *w = bca->w, *low = bca->low, *negative = bca->negative;
    take_unary(bca, u, diffuse, to_u, a);
    take_unary(bca, v, diffuse, to_v, b);
    /* the row of "unmatched" is all background */
    w[n_u] = 0.5 * (a[n_u] - smallest(b, n_v + 1));
    if (bca->is_dense[e]) {
        const double *cell = bca->cell + bca->table_start[e];
        const int64_t width = padded(n_v);
        const double ground = b[n_v];
        for (int64_t t = n_v; t < width; t++)
            b[t] = 0.0; /* next to padding cells, which lie beyond any cost */
        for (int64_t t = 0; t < width; t++)
            low[t] = w[n_u];
        dense_down(cell, n_u, width, a, b, ground, w, low);
        b[n_v] = ground;
        low[n_v] = smallest(w, n_u + 1);
        for (int64_t t = 0; t < width; t++)
            negative[t] = -low[t];
        for (int64_t t = n_v; t < width; t++)
            negative[t] = 0.0;
        dense_up(cell, n_u, width, negative, -low[n_v], to_u);
    } else {
        const int64_t row = bca->table_start[e];
        sparse_up(bca, row, n_u, b, n_v + 1, w);
        for (int32_t s = 0; s < n_u; s++)
            w[s] = 0.5 * (a[s] - w[s]);
        sparse_down(bca, row, n_u, w, n_v, low);
        low[n_v] = smallest(w, n_u + 1);
        for (int32_t t = 0; t <= n_v; t++)
            negative[t] = -low[t];
        sparse_up(bca, row, n_u, negative, n_v + 1, to_u);
    }
    double highest = low[0];
    for (int32_t t = 1; t <= n_v; t++)
        highest = low[t] > highest ? low[t] : highest;
    to_u[n_u] = -highest;
    memcpy(to_v, low, (size_t)(n_v + 1) * sizeof *to_v);
    give_unary(bca, u, diffuse, to_u, a);
    give_unary(bca, v, diffuse, to_v, b);
}

/* ---- unaries and label factors */

/* Shares of a label's slots change by -change, their unaries by +change. */
static void move_share(gm_bca *bca, int32_t label, double change)
{
    const gm_index *index = bca->index;
    for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
        bca->share[index->label_slot[k]] -= change;
        bca->unary[index->label_slot[k]] += change;
    }
    bca->assigned -= change;
}

/* The exact optimum over everything that unaries and label factors can exchange. */
static int assign(gm_bca *bca)
{
    const gm_index *index = bca->index;
    for (int32_t i = 0; i < index->n1; i++) {
        const double unmatched = index->complete ? 0.0 : bca->dummy[i]; /* the assignment counts from there */
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            bca->joint[p] = bca->unary[p] + bca->share[p] - unmatched;
    }
    const int status = gm_lap_solve(bca->lap, bca->joint, index->complete, 1);
    if (status != GM_OK)
        return status;
    const double *v = gm_lap_v(bca->lap);
    bca->assigned = 0.0;
    for (int32_t s = 0; s < index->n2; s++)
        bca->assigned += v[s];
    for (int32_t p = 0; p < index->n_slots; p++) {
        const double dual = v[index->slot_label[p]];
        bca->unary[p] += bca->share[p] - dual;
        bca->share[p] = dual;
    }
    return GM_OK;
}

/* Assignment duals are far from unique, and the solver's are extreme. Each matched pair of node and
 * label may move cost between its two duals while both other sides of it stay above their minima:
 * take the middle. Costs the bound nothing, and leaves the links more to work with. */
static void centre(gm_bca *bca)
{
    const gm_index *index = bca->index;
    const int64_t *matched = gm_lap_entry(bca->lap);
    for (int32_t i = 0; i < index->n1; i++) {
        if (matched[i] < 0)
            continue;
        const int32_t own = (int32_t)matched[i], label = index->slot_label[own];
        double up = bca->dummy[i] - bca->unary[own], down = -bca->share[own];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            if (p != own)
                up = fmin(up, bca->unary[p] - bca->unary[own]);
        for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
            const int32_t p = index->label_slot[k], j = index->slot_node[p];
            if (j != i)
                down = fmin(down, bca->unary[p] - (matched[j] < 0 ? bca->dummy[j] : bca->unary[matched[j]]));
        }
        move_share(bca, label, 0.5 * (fmax(up, 0.0) - fmax(down, 0.0)));
    }
}

/* The middle between the two smallest of n values and `other`; INFINITY if there is just one. */
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

/* Nodes level all their labels at the middle of their two smallest costs and leave the rest to the
 * label factors, which then do the same: one step towards the assignment, by all at once. */
static void average(gm_bca *bca)
{
    const gm_index *index = bca->index;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t first = index->node_start[i], n = n_labels(index, i);
        const double level = middle(bca->unary + first, NULL, n, bca->dummy[i]);
        for (int32_t p = first; p < first + n && level < INFINITY; p++) {
            bca->share[p] += bca->unary[p] - level;
            bca->unary[p] = level;
        }
    }
    bca->assigned = 0.0;
    for (int32_t s = 0; s < index->n2; s++) {
        const int32_t *slot = index->label_slot + index->label_start[s];
        const int32_t n = index->label_start[s + 1] - index->label_start[s];
        const double level = middle(bca->share, slot, n, 0.0);
        for (int32_t k = 0; k < n; k++) {
            bca->unary[slot[k]] += bca->share[slot[k]] - level;
            bca->share[slot[k]] = level;
        }
        if (n > 0)
            bca->assigned += fmin(level, 0.0);
    }
}

/* ---- sweeps */

/* Asks for the table of a link ahead of its use: a sweep streams through all of them. */
static void fetch_ahead(const gm_bca *bca, int32_t e)
{
    enum { LINE = 64 / sizeof(double), MOST = 1024 };
    const gm_index *index = bca->index;
    if (!bca->is_dense[e])
        return;
    const double *cell = bca->cell + bca->table_start[e];
    const int64_t size = n_labels(index, index->link_u[e]) * padded(n_labels(index, index->link_v[e]));
    for (int64_t k = 0; k < size && k < MOST; k += LINE)
        __builtin_prefetch(cell + k);
}

static void sweep(gm_bca *bca, int diffuse)
{
    const gm_index *index = bca->index;
    const int32_t n = index->n_links;
    const int backward = bca->n_sweeps++ & 1;
    if (diffuse)
        for (int32_t i = 0; i < index->n1; i++) {
            if (index->node_link_start[i] == index->node_link_start[i + 1])
                continue; /* nobody would give it back */
            for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
                bca->source[p] = bca->unary[p];
                bca->unary[p] = 0.0;
            }
            bca->source_dummy[i] = bca->dummy[i];
            bca->dummy[i] = 0.0;
        }
    for (int32_t k = 0; k < n; k++) {
        if (k + 1 < n)
            fetch_ahead(bca, bca->order[backward ? n - 2 - k : k + 1]);
        handshake(bca, bca->order[backward ? n - 1 - k : k], diffuse);
    }
}

int gm_bca_iterate(gm_bca *bca)
{
    /* which of the two sweeps: the schedules end in different fixed points (see bca.h) */
    const int schedule = (int)(bca->n_restarts % 3);
    const int diffuse = schedule == 0 ? bca->n_sweeps % 3 == 1 : 1;
    sweep(bca, diffuse);
    if (schedule == 1 || (schedule == 0 && diffuse)) {
        average(bca);
        return GM_OK;
    }
    const int status = assign(bca);
    if (status == GM_OK)
        centre(bca);
    return status;
}

void gm_bca_restart(gm_bca *bca, gm_random *random)
{
    const gm_index *index = bca->index;
    bca->n_sweeps = 0;
    bca->assigned = 0.0;
    memcpy(bca->unary, index->slot_cost, (size_t)index->n_slots * sizeof *bca->unary);
    memset(bca->share, 0, (size_t)index->n_slots * sizeof *bca->share);
    memset(bca->message, 0, (size_t)bca->message_start[2 * index->n_links] * sizeof *bca->message);
    for (int32_t i = 0; i < index->n1; i++)
        bca->dummy[i] = index->complete ? bca->beyond : 0.0;
    if (++bca->n_restarts >= 3) /* every schedule had its turn: another order */
        for (int32_t k = index->n_links - 1; k > 0; k--) {
            const int32_t other = gm_random_below(random, k + 1), link = bca->order[k];
            bca->order[k] = bca->order[other];
            bca->order[other] = link;
        }
}

double gm_bca_work(const gm_bca *bca)
{
    return bca->work;
}

double gm_bca_bound(const gm_bca *bca)
{
    const gm_index *index = bca->index;
    double bound = bca->assigned;
    for (int32_t i = 0; i < index->n1; i++) {
        double least = bca->dummy[i];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            least = bca->unary[p] < least ? bca->unary[p] : least;
        bound += least;
    }
    return bound - 1e-15 * bca->beyond;
}

gm_reparametrisation gm_bca_costs(gm_bca *bca)
{
    for (int32_t p = 0; p < bca->index->n_slots; p++)
        bca->joint[p] = bca->unary[p] + bca->share[p];
    return (gm_reparametrisation){bca->joint, bca->dummy, bca->message, bca->message_start};
}

/* ---- setting up */

/* Cells of the same label, by merging the two sorted label lists; calls for each pair. */
static int32_t same_label(const gm_index *index, int32_t slot, int32_t node)
{
    const int32_t other = gm_index_slot(index, node, index->slot_label[slot]);
    return other < 0 ? -1 : other - index->node_start[node];
}

static void fill_dense(gm_bca *bca, int32_t e, double *cell)
{
    const gm_index *index = bca->index;
    const int32_t u = index->link_u[e], v = index->link_v[e], n_v = n_labels(index, v);
    const int64_t width = padded(n_v);
    for (int32_t s = 0; s < n_labels(index, u); s++) {
        const int32_t same = same_label(index, index->node_start[u] + s, v);
        if (same >= 0)
            cell[s * width + same] = bca->beyond;
        for (int64_t t = n_v; t < width; t++)
            cell[s * width + t] = INFINITY;
    }
    for (int64_t k = index->link_start[e]; k < index->link_start[e + 1]; k++)
        cell[(index->first[k] - index->node_start[u]) * width + index->second[k] - index->node_start[v]] = index->entry_cost[k];
}

/* Rows of a sparse table from `row` on; returns the end of its entries. */
static int64_t fill_sparse(gm_bca *bca, int32_t e, int64_t row, int64_t at)
{
    const gm_index *index = bca->index;
    const int32_t u = index->link_u[e], v = index->link_v[e];
    int64_t k = index->link_start[e];
    for (int32_t p = index->node_start[u]; p < index->node_start[u + 1]; p++) {
        bca->row_start[row++] = at;
        for (; k < index->link_start[e + 1] && index->first[k] == p; k++) {
            bca->column[at] = index->second[k] - index->node_start[v];
            bca->entry[at++] = index->entry_cost[k];
        }
        const int32_t same = same_label(index, p, v);
        if (same >= 0) {
            bca->column[at] = same;
            bca->entry[at++] = bca->beyond;
        }
    }
    bca->row_start[row] = at;
    return at;
}

static void lay_out(gm_bca *bca)
{
    const gm_index *index = bca->index;
    int64_t n_cells = 0, n_rows = 0, n_entries = 0, n_messages = 0;
    for (int32_t e = 0; e < index->n_links; e++) {
        const int32_t n_u = n_labels(index, index->link_u[e]), n_v = n_labels(index, index->link_v[e]);
        const int64_t entries = index->link_start[e + 1] - index->link_start[e];
        bca->message_start[2 * e] = n_messages;
        bca->message_start[2 * e + 1] = n_messages + n_u + 1;
        n_messages += n_u + n_v + 2;
        bca->is_dense[e] = (int64_t)n_u * n_v <= SPARSE_FACTOR * entries;
        bca->table_start[e] = bca->is_dense[e] ? n_cells : n_rows;
        if (bca->is_dense[e]) {
            n_cells += n_u * padded(n_v);
        } else {
            n_rows += n_u;
            n_entries += entries + n_u;
        }
    }
    bca->message_start[2 * index->n_links] = n_messages;
    bca->work = 1.0 * (double)n_cells + 7.0 * (double)n_entries + 5.0 * (double)n_messages;
    GM_TAKE(&bca->pool, n_messages, bca->message);
    GM_TAKE(&bca->pool, n_cells, bca->cell);
    GM_TAKE(&bca->pool, n_rows + 1, bca->row_start);
    GM_TAKE(&bca->pool, n_entries, bca->column);
    GM_TAKE(&bca->pool, n_entries, bca->entry);
    if (bca->pool.failed)
        return;
    int64_t at = 0;
    for (int32_t e = 0; e < index->n_links; e++)
        if (bca->is_dense[e])
            fill_dense(bca, e, bca->cell + bca->table_start[e]);
        else
            at = fill_sparse(bca, e, bca->table_start[e], at);
}

static double beyond_any_cost(const gm_index *index)
{
    double sum = 1.0;
    for (int32_t p = 0; p < index->n_slots; p++)
        sum += fabs(index->slot_cost[p]);
    for (int64_t k = 0; k < index->n_entries; k++)
        sum += fabs(index->entry_cost[k]);
    return sum;
}

gm_bca *gm_bca_new(const gm_index *index)
{
    gm_bca *bca = calloc(1, sizeof *bca);
    if (!bca)
        return NULL;
    bca->index = index;
    bca->beyond = beyond_any_cost(index);
    int32_t most = 0;
    for (int32_t i = 0; i < index->n1; i++)
        most = n_labels(index, i) > most ? n_labels(index, i) : most;
    const int64_t n = padded(most + 1);
    gm_pool *pool = &bca->pool;
    GM_TAKE(pool, index->n_slots, bca->unary);
    GM_TAKE(pool, index->n1, bca->dummy);
    GM_TAKE(pool, index->n_slots, bca->share);
    GM_TAKE(pool, index->n_slots, bca->source);
    GM_TAKE(pool, index->n1, bca->source_dummy);
    GM_TAKE(pool, index->n1, bca->even);
    GM_TAKE(pool, index->n_links, bca->order);
    GM_TAKE(pool, index->n_slots, bca->joint);
    GM_TAKE(pool, 2 * (int64_t)index->n_links + 1, bca->message_start);
    GM_TAKE(pool, index->n1 + 1, bca->lap_start);
    GM_TAKE(pool, index->n_links, bca->table_start);
    GM_TAKE(pool, index->n_links, bca->is_dense);
    GM_TAKE(pool, n, bca->a);
    GM_TAKE(pool, n, bca->b);
    GM_TAKE(pool, n, bca->w);
    GM_TAKE(pool, n, bca->low);
    GM_TAKE(pool, n, bca->negative);
    GM_TAKE(pool, n, bca->rank_bit);
    GM_TAKE(pool, n, bca->excluded);
    GM_TAKE(pool, n, bca->pending);
    if (!pool->failed)
        lay_out(bca);
    if (!pool->failed) {
        for (int32_t i = 0; i <= index->n1; i++)
            bca->lap_start[i] = index->node_start[i];
        bca->lap = gm_lap_new(index->n1, index->n2, bca->lap_start, index->slot_label);
    }
    if (pool->failed || !bca->lap) {
        gm_bca_free(bca);
        return NULL;
    }
    for (int32_t i = 0; i < index->n1; i++)
        bca->even[i] = 1.0 / fmax(1.0, index->node_link_start[i + 1] - index->node_link_start[i]);
    for (int32_t e = 0; e < index->n_links; e++)
        bca->order[e] = e;
    bca->n_restarts = -1;
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
