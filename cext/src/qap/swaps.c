#include "qap/swaps.h"

#include "base/lanes.h"

#include <math.h>
#include <string.h>

static int is_symmetric(int32_t n, const double *M)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            if (M[(int64_t)i * n + j] != M[(int64_t)j * n + i])
                return 0;
    return 1;
}

void gm_swaps_take(gm_swaps *swaps, gm_pool *pool, const gm_qap *qap)
{
    const int32_t n = qap->n;
    const int64_t cells = (int64_t)n * n;
    swaps->n = n;
    swaps->C = qap->C;
    swaps->symmetric = is_symmetric(n, qap->A) || is_symmetric(n, qap->B);
    GM_TAKE(pool, cells, swaps->A);
    GM_TAKE(pool, swaps->symmetric ? 1 : cells, swaps->At);
    GM_TAKE(pool, cells, swaps->B);
    GM_TAKE(pool, cells, swaps->P);
    GM_TAKE(pool, cells, swaps->G);
    GM_TAKE(pool, cells, swaps->change);
    GM_TAKE(pool, n, swaps->least);
    GM_TAKE(pool, n, swaps->x);
    GM_TAKE(pool, n, swaps->y);
    GM_TAKE(pool, n, swaps->x2);
    GM_TAKE(pool, n, swaps->y2);
    GM_TAKE(pool, n, swaps->of_r);
    GM_TAKE(pool, n, swaps->of_s);
    GM_TAKE(pool, n, swaps->at);
    if (pool->failed)
        return;
    /* If one matrix is symmetric, only the symmetric part of the other counts; A + A' and half of
     * B + B' then give the sum over both directions in one term. */
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            const int64_t ij = (int64_t)i * n + j, ji = (int64_t)j * n + i;
            if (swaps->symmetric) {
                swaps->A[ij] = qap->A[ij] + qap->A[ji];
                swaps->B[ij] = 0.5 * (qap->B[ij] + qap->B[ji]);
            } else {
                swaps->A[ij] = qap->A[ij];
                swaps->At[ij] = qap->A[ji];
                swaps->B[ij] = qap->B[ij];
            }
        }
}

/* changes[v] = cost of swapping r and v, for every v; that of r with itself is +inf. */
static void price_all(const gm_swaps *swaps, int32_t r, double *changes)
{
    const int32_t n = swaps->n;
    const int64_t row = (int64_t)r * n;
    const double *G = swaps->G, *A = swaps->A, *P = swaps->P;
    const double own = G[row + r];
    if (swaps->symmetric) /* G_vr is read down a column, the rest along rows */
        for (int32_t v = 0; v < n; v++)
            changes[v] = G[row + v] + G[(int64_t)v * n + r] - own - G[(int64_t)v * n + v] +
                         2.0 * A[row + v] * P[row + v];
    else
        for (int32_t v = 0; v < n; v++) {
            const int64_t vr = (int64_t)v * n + r;
            changes[v] = G[row + v] + G[vr] - own - G[(int64_t)v * n + v] +
                         (A[row + v] + A[vr]) * (P[row + v] + P[vr]);
        }
    if (swaps->C) {
        const double *C = swaps->C, paid = C[row + swaps->at[r]];
        for (int32_t v = 0; v < n; v++) {
            const int64_t other = (int64_t)v * n;
            changes[v] +=
                C[row + swaps->at[v]] + C[other + swaps->at[r]] - paid - C[other + swaps->at[v]];
        }
    }
    changes[r] = INFINITY;
}

/* Row u of the table, and its minimum. */
static void price_row(gm_swaps *swaps, int32_t u, const double *changes)
{
    const int32_t n = swaps->n;
    double *row = swaps->change + (int64_t)u * n, least = INFINITY;
    for (int32_t v = u + 1; v < n; v++) {
        row[v] = changes[v];
        least = changes[v] < least ? changes[v] : least;
    }
    swaps->least[u] = least;
}

/* Row i of G, which holds zeros: G_ij = sum_k A_ik P_jk + A_ki P_kj. */
static void sum_row(gm_swaps *swaps, int32_t i)
{
    const int32_t n = swaps->n;
    double *G = swaps->G + (int64_t)i * n;
    for (int32_t k = 0; k < n && !gm_watch_spend(swaps->watch, n); k++) {
        const double *P = swaps->P + (int64_t)k * n;
        const double out = swaps->A[(int64_t)i * n + k];
        if (swaps->symmetric) { /* A holds both directions, and row k of P is its column k */
            for (int32_t j = 0; out != 0.0 && j < n; j++)
                G[j] += out * P[j];
        } else {
            const double in = swaps->At[(int64_t)i * n + k];
            for (int32_t j = 0; out != 0.0 && j < n; j++)
                G[j] += out * swaps->P[(int64_t)j * n + k];
            for (int32_t j = 0; in != 0.0 && j < n; j++)
                G[j] += in * P[j];
        }
    }
}

void gm_swaps_load(gm_swaps *swaps, const int32_t *at)
{
    const int32_t n = swaps->n;
    if (at != swaps->at)
        memcpy(swaps->at, at, sizeof *at * (size_t)n);
    for (int32_t j = 0; j < n && !gm_watch_spend(swaps->watch, n); j++)
        for (int32_t k = 0; k < n; k++)
            swaps->P[(int64_t)j * n + k] = swaps->B[(int64_t)swaps->at[j] * n + swaps->at[k]];
    memset(swaps->G, 0, sizeof *swaps->G * (size_t)n * (size_t)n);
    double twice = 0.0; /* every pair is paid at both of its nodes */
    for (int32_t i = 0; i < n; i++) {
        sum_row(swaps, i);
        twice += swaps->G[(int64_t)i * n + i];
    }
    swaps->cost = 0.5 * twice;
    for (int32_t i = 0; swaps->C && i < n; i++)
        swaps->cost += swaps->C[(int64_t)i * n + swaps->at[i]];
    for (int32_t u = 0; u < n && !gm_watch_spend(swaps->watch, n); u++) {
        price_all(swaps, u, swaps->of_r);
        price_row(swaps, u, swaps->of_r);
    }
}

void gm_swaps_state_take(gm_swaps_state *state, gm_pool *pool, int32_t n)
{
    const int64_t cells = (int64_t)n * n;
    GM_TAKE(pool, cells, state->P);
    GM_TAKE(pool, cells, state->G);
    GM_TAKE(pool, cells, state->change);
    GM_TAKE(pool, n, state->least);
    GM_TAKE(pool, n, state->at);
}

void gm_swaps_save(const gm_swaps *swaps, gm_swaps_state *state)
{
    const size_t n = (size_t)swaps->n, cells = n * n;
    memcpy(state->P, swaps->P, sizeof *state->P * cells);
    memcpy(state->G, swaps->G, sizeof *state->G * cells);
    memcpy(state->change, swaps->change, sizeof *state->change * cells);
    memcpy(state->least, swaps->least, sizeof *state->least * n);
    memcpy(state->at, swaps->at, sizeof *state->at * n);
    state->cost = swaps->cost;
}

void gm_swaps_restore(gm_swaps *swaps, const gm_swaps_state *state)
{
    const size_t n = (size_t)swaps->n, cells = n * n;
    memcpy(swaps->P, state->P, sizeof *state->P * cells);
    memcpy(swaps->G, state->G, sizeof *state->G * cells);
    memcpy(swaps->change, state->change, sizeof *state->change * cells);
    memcpy(swaps->least, state->least, sizeof *state->least * n);
    memcpy(swaps->at, state->at, sizeof *state->at * n);
    swaps->cost = state->cost;
}

/* G += x y' (+ x2 y2') */
GM_WIDE static void add_products(int32_t n, double *G, const double *x, const double *y,
                                 const double *x2, const double *y2)
{
    for (int32_t i = 0; i < n; i++) {
        double *row = G + (int64_t)i * n;
        const double a = x[i], b = x2 ? x2[i] : 0.0;
        if (a != 0.0)
            for (int32_t j = 0; j < n; j++)
                row[j] += a * y[j];
        if (b != 0.0)
            for (int32_t j = 0; j < n; j++)
                row[j] += b * y2[j];
    }
}

/* change_uv -= (x_u - x_v)(y_u - y_v) in the upper triangle; least gets the minimum of each row. */
GM_WIDE static void correct(int32_t n, double *change, double *least, const double *x,
                            const double *y)
{
    for (int32_t u = 0; u < n; u++) {
        double *row = change + (int64_t)u * n;
        const double xu = x[u], yu = y[u];
        const gm_lanes xs = GM_LANES_ALL(xu), ys = GM_LANES_ALL(yu);
        gm_lanes low = GM_LANES_ALL(INFINITY);
        int32_t v = u + 1;
        for (; v + GM_LANES <= n; v += GM_LANES) {
            const gm_lanes now =
                GM_LANES_AT(row + v) - (xs - GM_LANES_AT(x + v)) * (ys - GM_LANES_AT(y + v));
            GM_LANES_PUT(row + v, now);
            low = GM_LANES_CHOOSE(now < low, now, low);
        }
        double smallest = INFINITY;
        for (int lane = 0; lane < GM_LANES; lane++)
            smallest = low[lane] < smallest ? low[lane] : smallest;
        for (; v < n; v++) {
            row[v] -= (xu - x[v]) * (yu - y[v]);
            smallest = row[v] < smallest ? row[v] : smallest;
        }
        least[u] = smallest;
    }
}

/* Exchanges two rows (stride 1) or two columns (stride n) of a matrix. */
static void exchange(double *one, double *other, int64_t stride, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        const double kept = one[k * stride];
        one[k * stride] = other[k * stride];
        other[k * stride] = kept;
    }
}

/* The rank-one correction does not hold for swaps of a moved node r; they are computed again. Until
 * then they are +inf, which keeps them out of the minima. */
static void hide(gm_swaps *swaps, int32_t r)
{
    const int32_t n = swaps->n;
    for (int32_t u = 0; u < r; u++)
        swaps->change[(int64_t)u * n + r] = INFINITY;
}

/* Writes column r of the table, above the diagonal, after hide. */
static void show(gm_swaps *swaps, int32_t r, const double *changes)
{
    const int32_t n = swaps->n;
    for (int32_t u = 0; u < r; u++) {
        swaps->change[(int64_t)u * n + r] = changes[u];
        swaps->least[u] = changes[u] < swaps->least[u] ? changes[u] : swaps->least[u];
    }
}

void gm_swaps_make(gm_swaps *swaps, int32_t r, int32_t s)
{
    const int32_t n = swaps->n;
    const double *A = swaps->A, *P = swaps->P;
    swaps->cost += gm_swaps_change(swaps, r, s);
    const int32_t label = swaps->at[r];
    swaps->at[r] = swaps->at[s];
    swaps->at[s] = label;
    exchange(swaps->P + (int64_t)r * n, swaps->P + (int64_t)s * n, 1, n);
    exchange(swaps->P + r, swaps->P + s, n, n);
    exchange(swaps->G + r, swaps->G + s, n, n);
    const double *Ar = A + (int64_t)r * n, *As = A + (int64_t)s * n;
    const double *Pr = P + (int64_t)r * n, *Ps = P + (int64_t)s * n;
    hide(swaps, r);
    hide(swaps, s);
    /* x2 and y2 are differences of rows of A and P, x and y of columns; symmetric: the same */
    for (int32_t k = 0; k < n; k++) {
        swaps->x2[k] = Ar[k] - As[k];
        swaps->y2[k] = Pr[k] - Ps[k];
    }
    if (swaps->symmetric) {
        add_products(n, swaps->G, swaps->x2, swaps->y2, NULL, NULL);
        correct(n, swaps->change, swaps->least, swaps->x2, swaps->y2);
    } else {
        const double *in_r = swaps->At + (int64_t)r * n, *in_s = swaps->At + (int64_t)s * n;
        for (int32_t k = 0; k < n; k++) {
            swaps->x[k] = in_r[k] - in_s[k];
            swaps->y[k] = P[(int64_t)k * n + r] - P[(int64_t)k * n + s];
        }
        add_products(n, swaps->G, swaps->x, swaps->y, swaps->x2, swaps->y2);
        correct(n, swaps->change, swaps->least, swaps->x, swaps->y);
        correct(n, swaps->change, swaps->least, swaps->x2, swaps->y2);
    }
    price_all(swaps, r, swaps->of_r);
    price_all(swaps, s, swaps->of_s);
    price_row(swaps, r, swaps->of_r);
    price_row(swaps, s, swaps->of_s);
    show(swaps, r, swaps->of_r);
    show(swaps, s, swaps->of_s);
}
