/* The star bound: one small assignment problem per candidate, one master assignment problem.
 *
 * For any numbers d per entry, C_{a->b} = (theta + d)/2 and C_{b->a} = (theta - d)/2 add up to
 * theta, so sum_p x_p (c_p + V_p), with V_p the LAP over p's entries with costs C_{p->.}, is a
 * lower bound on the cost of every matching x. d = (mu_b + nu_b) - (mu_a + nu_a) makes it as good
 * as the LP's dual.
 *
 * Floating point: a LAP only supplies column duals v <= 0. The bound is recomputed from them: the
 * row minima of C - v, rounded down, and their sum, rounded down. No error inside a LAP can make
 * the bound wrong, and if all numbers are 0 the rounding is 0, too.
 */
#include "aj/aj.h"

#include <math.h>
#include <stdlib.h>

aj_bound *aj_bound_new(int32_t n_nodes, int32_t n_labels, int32_t n, int64_t m, int32_t n_mu,
                       int32_t n_nu)
{
    aj_bound *B = calloc(1, sizeof *B);
    if (!B)
        return NULL;
    const int32_t most = n_nodes + 1 > n_nu ? n_nodes + 1 : n_nu;
    GM_TAKE(&B->pool, n, B->master);
    GM_TAKE(&B->pool, n, B->reduced);
    GM_TAKE(&B->pool, n, B->forced);
    GM_TAKE(&B->pool, 2 * m, B->half);
    GM_TAKE(&B->pool, n_nodes, B->match);
    GM_TAKE(&B->pool, n_nu, B->star_v);
    GM_TAKE(&B->pool, n_labels, B->v);
    GM_TAKE(&B->pool, n_mu, B->row_dual);
    GM_TAKE(&B->pool, n_mu, B->row_mate);
    GM_TAKE(&B->pool, most, B->distance);
    GM_TAKE(&B->pool, n_nu, B->column_mate);
    GM_TAKE(&B->pool, n_nu, B->parent);
    GM_TAKE(&B->pool, most, B->touched);
    GM_TAKE(&B->pool, n_labels, B->owner);
    GM_TAKE(&B->pool, n_nodes + 1, B->exit);
    if (B->pool.failed) {
        aj_bound_free(B);
        return NULL;
    }
    return B;
}

void aj_bound_free(aj_bound *B)
{
    if (B)
        gm_pool_free(&B->pool);
    free(B);
}

/* x - y, rounded down, if x and y carry at most one rounding each; y is finite. */
static inline double minus_down(double x, double y)
{
    return x < INFINITY ? x - y - AJ_EPS * (fabs(x) + fabs(y)) : x;
}

/* fmax(x, 0) without a library call. */
static inline double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

/* ---- shortest paths, by Dijkstra: B->touched lists the columns that have a distance, settled ones
 * first */

/* The position in B->touched of the nearest one that is not settled, or -1. */
static inline int32_t nearest(const aj_bound *B, int32_t n_settled, int32_t n_touched)
{
    int32_t best = -1;
    for (int32_t k = n_settled; k < n_touched; k++)
        if (best < 0 || B->distance[B->touched[k]] < B->distance[B->touched[best]])
            best = k;
    return best;
}

/* Moves the one at a position of B->touched behind those that are settled, and returns it. */
static inline int32_t settle(aj_bound *B, int32_t n_settled, int32_t position)
{
    const int32_t found = B->touched[position];
    B->touched[position] = B->touched[n_settled];
    B->touched[n_settled] = found;
    return found;
}

/* ---- a star: rows r (nodes), columns (labels), costs C per half; rows of a full table must be
 * matched, the others may stay free at cost 0; successive shortest paths, row by row */

/* A shortest augmenting path from a row: to a free column, or to a row that becomes free. */
typedef struct augmentation {
    double length;  /* +inf: there is none */
    int32_t column; /* the free column, or -1: */
    int32_t row;    /* this row becomes free */
    int32_t n_touched, n_settled;
} augmentation;

/* Dijkstra over columns; the path may also end by leaving one of its rows free. */
static augmentation shortest_path(aj_bound *B, const aj_problem *P, const double *C, int32_t root)
{
    const double *u = B->row_dual, *v = B->star_v;
    augmentation path = {
        .length = P->mu_equal[root] ? INFINITY : -u[root], .column = -1, .row = root};
    int32_t row = root;
    double reached = 0.0;
    for (;;) {
        const int64_t work = P->half_start[row + 1] - P->half_start[row] + path.n_touched;
        if (gm_watch_spend(B->watch, work))
            break;
        for (int64_t h = P->half_start[row]; h < P->half_start[row + 1]; h++) {
            const int32_t c = P->half_nu[h];
            const double reduced = C[h] - u[row] - v[c];
            const double distance = reduced > 0.0 ? reached + reduced : reached;
            if (distance >= path.length || distance >= B->distance[c])
                continue;
            if (B->distance[c] == INFINITY)
                B->touched[path.n_touched++] = c;
            B->distance[c] = distance;
            B->parent[c] = row;
        }
        const int32_t best = nearest(B, path.n_settled, path.n_touched);
        if (best < 0 || B->distance[B->touched[best]] >= path.length)
            break;
        const int32_t c = settle(B, path.n_settled++, best);
        reached = B->distance[c];
        if (B->column_mate[c] < 0) {
            path.column = c;
            path.length = reached;
            break;
        }
        row = B->column_mate[c];
        if (!P->mu_equal[row] && reached - u[row] < path.length) {
            path.length = reached - u[row];
            path.row = row;
        }
    }
    return path;
}

/* Keeps the reduced costs of settled columns at least 0, and 0 on the path. */
static void shift_duals(aj_bound *B, const augmentation *path, int32_t root)
{
    double *u = B->row_dual, *v = B->star_v;
    u[root] += path->length;
    for (int32_t k = 0; k < path->n_settled; k++) {
        const int32_t c = B->touched[k];
        const double shift = path->length - B->distance[c];
        if (shift <= 0.0 || B->column_mate[c] < 0)
            continue;
        u[B->column_mate[c]] += shift;
        v[c] -= shift;
    }
}

/* Matches along the path, from its end back to the root. */
static void flip(aj_bound *B, const augmentation *path, int32_t root)
{
    int32_t c = path->column;
    if (path->column < 0 && path->row != root)
        c = B->row_mate[path->row]; /* the column of the row that becomes free */
    if (path->column < 0)
        B->row_mate[path->row] = -1;
    while (c >= 0) {
        const int32_t row = B->parent[c], next = B->row_mate[row];
        B->column_mate[c] = row;
        B->row_mate[row] = c;
        c = row == root ? -1 : next;
    }
}

/* Matches row `root`, whose cheapest column is taken, or leaves it free. Returns 0 if that is
 * impossible. */
static int augment(aj_bound *B, const aj_problem *P, const double *C, int32_t root)
{
    const augmentation path = shortest_path(B, P, C, root);
    const int found = isfinite(path.length) && !gm_watch_is_over(B->watch);
    if (found) {
        shift_duals(B, &path, root);
        flip(B, &path, root);
    }
    for (int32_t k = 0; k < path.n_touched; k++)
        B->distance[B->touched[k]] = INFINITY;
    return found;
}

/* Column duals of the star of p that are optimal for the costs C but for rounding. Returns 0 if the
 * star has no solution. */
static int match_star(aj_bound *B, const aj_problem *P, const double *C, int32_t p)
{
    double *u = B->row_dual, *v = B->star_v;
    for (int32_t c = P->nu_start[p]; c < P->nu_start[p + 1]; c++) {
        v[c] = 0.0;
        B->column_mate[c] = -1;
        B->distance[c] = INFINITY;
    }
    for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++) {
        double least = P->mu_equal[r] ? INFINITY : 0.0;
        int32_t cheapest = -1;
        for (int64_t h = P->half_start[r]; h < P->half_start[r + 1]; h++) {
            const double reduced = C[h] - v[P->half_nu[h]];
            if (reduced < least) {
                least = reduced;
                cheapest = P->half_nu[h];
            }
        }
        u[r] = least;
        B->row_mate[r] = -1;
        if (least == INFINITY)
            return 0;
        if (cheapest < 0)
            continue; /* free at cost 0: a row always has an entry */
        if (B->column_mate[cheapest] < 0) {
            B->column_mate[cheapest] = r;
            B->row_mate[r] = cheapest;
        } else if (!augment(B, P, C, r)) {
            return 0;
        }
    }
    return 1;
}

/* Replaces the costs C of the star of p by reduced costs and returns its value, both rounded down,
 * as its column duals prove them. */
static double reduce_star(aj_bound *B, const aj_problem *P, double *C, int32_t p)
{
    double *u = B->row_dual, *v = B->star_v;
    double sum = 0.0, magnitude = 0.0;
    for (int32_t c = P->nu_start[p]; c < P->nu_start[p + 1]; c++) {
        if (v[c] > 0.0)
            v[c] = 0.0;
        sum += v[c];
        magnitude -= v[c];
    }
    for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++) {
        double least = P->mu_equal[r] ? INFINITY : 0.0;
        for (int64_t h = P->half_start[r]; h < P->half_start[r + 1]; h++) {
            C[h] = minus_down(C[h], v[P->half_nu[h]]);
            least = C[h] < least ? C[h] : least;
        }
        for (int64_t h = P->half_start[r]; h < P->half_start[r + 1]; h++)
            C[h] = positive(minus_down(C[h], least));
        u[r] = least;
        sum += least;
        magnitude += fabs(least);
    }
    const int32_t n_rows = P->mu_start[p + 1] - P->mu_start[p];
    const int32_t n_columns = P->nu_start[p + 1] - P->nu_start[p];
    return sum - AJ_EPS * (double)(n_rows + n_columns) * magnitude;
}

/* Solves the star of p on the costs C of its halves, and replaces these by reduced costs. */
static double solve_star(aj_bound *B, const aj_problem *P, double *C, int32_t p)
{
    return match_star(B, P, C, p) ? reduce_star(B, P, C, p) : INFINITY;
}

/* ---- the bound */

void aj_bound_evaluate(aj_bound *B, const aj_problem *P, const double *w)
{
    for (int64_t e = 0; e < P->m && !gm_watch_step(B->watch, e); e++) {
        const double d = aj_split(P, w, e);
        B->half[P->half_a[e]] = 0.5 * (P->theta[e] + d);
        B->half[P->half_b[e]] = 0.5 * (P->theta[e] - d);
    }
    aj_bound_solve(B, P);
}

/* Bound and reduced costs of the master LAP, rounded down, as its column duals prove them. */
static void reduce_master(aj_bound *B, const aj_problem *P)
{
    double sum = P->constant, magnitude = fabs(P->constant);
    for (int32_t l = 0; l < P->n_labels; l++) {
        B->v[l] = fmin(gm_lap_v(P->lap)[l], 0.0);
        B->owner[l] = -1;
        sum += B->v[l];
        magnitude -= B->v[l];
    }
    for (int32_t i = 0; i < P->n_nodes; i++) {
        double least = INFINITY;
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++) {
            B->reduced[p] = minus_down(B->master[p], B->v[P->label[p]]);
            least = B->reduced[p] < least ? B->reduced[p] : least;
        }
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            B->reduced[p] = positive(minus_down(B->reduced[p], least));
        B->match[i] = (int32_t)gm_lap_entry(P->lap)[i];
        B->owner[P->label[B->match[i]]] = i;
        sum += least;
        magnitude += fabs(least);
    }
    B->value = sum - AJ_EPS * (double)(P->n_labels + P->n_nodes + 1) * magnitude - P->error;
}

void aj_bound_solve(aj_bound *B, const aj_problem *P)
{
    for (int32_t p = 0; p < P->n; p++) {
        const int64_t halves = P->half_start[P->mu_start[p + 1]] - P->half_start[P->mu_start[p]];
        if (gm_watch_spend(B->watch, 4 * halves + 1))
            break;
        const double star = solve_star(B, P, B->half, p);
        B->master[p] = P->cost[p] + star;
        if (isfinite(B->master[p]))
            B->master[p] -= AJ_EPS * (fabs(P->cost[p]) + fabs(star));
    }
    B->value = INFINITY;
    if (!gm_watch_is_over(B->watch) && gm_lap_solve(P->lap, B->master, 1, 1) == GM_OK)
        reduce_master(B, P);
    if (gm_watch_is_over(B->watch))
        B->value = -INFINITY;
}

/* ---- forcing: the cheapest way to repair the master matching M after (i, s) is forced
 *
 * For a matching M' with p = (i, s) the master LAP pays D plus the reduced costs of M', and minus v
 * for each label that stays free in M'. The alternating path of M' through p starts at the vertex
 * from which s is taken away (from its owner, or from the free labels, which are one vertex Z) and
 * ends at i: a shortest path among the nodes and Z. This holds for any M and any feasible duals, so
 * rounding cannot make it wrong. */

/* Lowers the distance of vertex `to`, if `distance` is less; `limit` stands for 'not reached'. */
static inline void relax(aj_bound *B, int32_t to, double distance, double limit, int32_t *n_touched)
{
    if (distance < B->distance[to]) {
        if (B->distance[to] == limit)
            B->touched[(*n_touched)++] = to;
        B->distance[to] = distance;
    }
}

/* Shortest distances from `source` (a node, or n_nodes for Z) to all others, as far as limit. */
static void distances(aj_bound *B, const aj_problem *P, int32_t source, double limit)
{
    const int32_t Z = P->n_nodes;
    int32_t n_touched = 0, n_settled = 0;
    for (int32_t i = 0; i <= Z; i++)
        B->distance[i] = limit;
    B->distance[source] = 0.0;
    B->touched[n_touched++] = source;
    for (;;) {
        const int32_t best = nearest(B, n_settled, n_touched);
        if (best < 0 || gm_watch_spend(B->watch, n_touched - n_settled))
            break;
        const int32_t from = settle(B, n_settled++, best);
        const double reached = B->distance[from];
        if (from == Z) {
            for (int32_t i = 0; i < Z; i++)
                relax(B, i, reached - B->v[P->label[B->match[i]]], limit, &n_touched);
            continue;
        }
        relax(B, Z, reached + B->exit[from], limit, &n_touched);
        for (int32_t p = P->node_start[from]; p < P->node_start[from + 1]; p++) {
            const int32_t to = B->owner[P->label[p]];
            if (to >= 0)
                relax(B, to, reached + B->reduced[p], limit, &n_touched);
        }
    }
}

enum { FORCE_OPEN = 2 }; /* few: fewer than one candidate in this many is open */

void aj_bound_force(aj_bound *B, const aj_problem *P, double limit)
{
    const int32_t Z = P->n_nodes;
    for (int32_t i = 0; i < Z; i++) {
        B->exit[i] = INFINITY; /* from node i to Z: its cheapest free label */
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (B->owner[P->label[p]] < 0)
                B->exit[i] = fmin(B->exit[i], B->reduced[p]);
    }
    int32_t open = 0;
    for (int32_t p = 0; p < P->n; p++) {
        B->forced[p] = B->reduced[p];
        open += B->reduced[p] < limit;
    }
    /* far from the limit the searches reach everything and delete little: on large problems not
     * worth it yet */
    const int searching = Z <= AJ_FORCE_NODES || open < P->n / FORCE_OPEN;
    for (int32_t source = 0; searching && source <= Z; source++) {
        if (gm_watch_spend(B->watch, Z))
            break;
        distances(B, P, source, limit);
        if (source < Z) {
            const int32_t l = P->label[B->match[source]];
            for (int32_t k = P->label_start[l]; k < P->label_start[l + 1]; k++)
                B->forced[P->by_label[k]] += B->distance[P->node[P->by_label[k]]];
        } else {
            for (int32_t p = 0; p < P->n; p++)
                if (B->owner[P->label[p]] < 0)
                    B->forced[p] += B->distance[P->node[p]];
        }
    }
    for (int32_t p = 0; p < P->n; p++)
        B->forced[p] *= 1.0 - AJ_EPS * (double)(P->n_nodes + 2);
}

/* With both chosen each star pays at least the entry's reduced cost, and the master LAP at least
 * both reduced costs, or the forced cost of either candidate. */
double aj_bound_pair(const aj_bound *B, const aj_problem *P, int64_t e)
{
    const int32_t p = P->a[e], q = P->b[e];
    double master = B->reduced[p] + B->reduced[q];
    master = B->forced[p] > master ? B->forced[p] : master;
    master = B->forced[q] > master ? B->forced[q] : master;
    return (master + B->half[P->half_a[e]] + B->half[P->half_b[e]]) * (1.0 - AJ_EPS);
}

int64_t aj_bound_look_ahead(aj_bound *B, const aj_problem *P, double gap, uint8_t *candidates,
                            const uint8_t *entries, double *scratch)
{
    int64_t cleared = 0;
    for (int64_t e = 0; e < P->m && !gm_watch_step(B->watch, e); e++) {
        const double both = B->half[P->half_a[e]] + B->half[P->half_b[e]];
        const int possible = entries[e] && candidates[P->a[e]] && candidates[P->b[e]];
        scratch[P->half_a[e]] = possible ? (B->reduced[P->b[e]] + both) * (1.0 - AJ_EPS) : INFINITY;
        scratch[P->half_b[e]] = possible ? (B->reduced[P->a[e]] + both) * (1.0 - AJ_EPS) : INFINITY;
    }
    for (int32_t p = 0; p < P->n; p++) {
        const int64_t halves = P->half_start[P->mu_start[p + 1]] - P->half_start[P->mu_start[p]];
        if (gm_watch_spend(B->watch, 4 * halves + 1))
            break;
        if (!candidates[p])
            continue;
        const double increase = B->reduced[p] + solve_star(B, P, scratch, p);
        if (increase * (1.0 - AJ_EPS) >= gap) {
            candidates[p] = 0;
            cleared++;
        }
    }
    return cleared;
}
