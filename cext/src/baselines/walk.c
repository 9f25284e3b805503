/* The two walks on the association graph: the power iteration of spectral matching [1], and
 * reweighted random walks [2].
 *
 * [1] Leordeanu and Hebert, ICCV 2005, with the bistochastic normalisation of the study's program
 * [2] Cho, Lee and Lee, ECCV 2010, Algorithm 1 */
#include "base/watch.h"
#include "gm.h"

#include <math.h>
#include <string.h>

static double norm(const double *v, int32_t n)
{
    double total = 0.0;
    for (int32_t k = 0; k < n; k++)
        total += v[k] * v[k];
    return sqrt(total);
}

int64_t gm_power(const gm_affinity *W, double *v, double *scratch, int64_t max_iterations,
                 double seconds)
{
    const double deadline = gm_clock() + seconds;
    int64_t it = 0;
    for (; it < max_iterations && !gm_is_late(deadline); it++) {
        gm_multiply(W, v, scratch);
        const double length = norm(scratch, W->n);
        if (!(length > 0.0) || !isfinite(length))
            return -1 - it;
        for (int32_t k = 0; k < W->n; k++)
            v[k] = scratch[k] / length;
    }
    return it;
}

/* to[k] = from[k] / (the sum of from over k's line + eps), a line being a node or a label */
static void normalise(const int32_t *line, int32_t n_lines, const double *from, double *to,
                      int32_t n, double *sums)
{
    static const double EPS = 2.220446049250313e-16;
    memset(sums, 0, sizeof *sums * (size_t)n_lines);
    for (int32_t k = 0; k < n; k++)
        sums[line[k]] += from[k];
    for (int32_t k = 0; k < n; k++)
        to[k] = from[k] / (sums[line[k]] + EPS);
}

void gm_bistochastic(int32_t n1, int32_t n2, int32_t n, const int32_t *left, const int32_t *right,
                     double *v, int64_t sweeps, double *scratch)
{
    double *by_node = scratch;
    double *sums = scratch + n;
    if (sweeps < 1)
        return;
    for (int64_t sweep = 0; sweep < sweeps; sweep++) {
        normalise(left, n1, v, by_node, n, sums);
        normalise(right, n2, by_node, v, n, sums);
    }
    for (int32_t k = 0; k < n; k++)
        v[k] = (v[k] + by_node[k]) / 2;
}

/* [2] Affinity-preserving random walk: q = M (c s + (1 - c) a) with the jump a, divided by its sum.
 * Returns 0 if that sum is not positive: the walk has died out. */
static int walk(gm_rrwm *w)
{
    const int32_t n = w->M.n;
    for (int32_t k = 0; k < n; k++)
        w->mixed[k] = w->c * w->s[k] + (1.0 - w->c) * w->jump.x[k];
    gm_multiply(&w->M, w->mixed, w->q);
    double total = 0.0;
    for (int32_t k = 0; k < n; k++)
        total += w->q[k];
    if (!(total > 0.0) || !isfinite(total))
        return 0;
    for (int32_t k = 0; k < n; k++)
        w->q[k] /= total;
    return 1;
}

/* [2] The jump a, which prefers one-to-one states: reweighting by inflation, exp(amp_max q / max
 * q), then bistochastic normalisation by Sinkhorn scaling, then division by the sum of all.
 * Implicit dummies, whose q is 0, enter as exp(0) = 1. */
static void jump(gm_rrwm *w)
{
    const gm_parts *p = &w->jump;
    const int32_t n = w->M.n, m1 = p->n1 - p->row, m2 = p->n2 - p->col;
    double largest = 0.0;
    for (int32_t k = 0; k < n; k++)
        if (w->q[k] > largest)
            largest = w->q[k];
    for (int32_t k = 0; k < n; k++)
        p->x[k] = exp(w->amp_max / largest * w->q[k]);
    for (int32_t i = 0; i < m1; i++)
        p->rho[i] = 1.0;
    for (int32_t s = 0; s < m2; s++)
        p->gamma[s] = 1.0;
    gm_sinkhorn(p, w->tol_sinkhorn, w->sweeps, w->scratch);
    double total = 0.0, rows = 0.0, cols = 0.0;
    for (int32_t i = 0; i < m1; i++)
        rows += p->rho[i];
    for (int32_t s = 0; s < m2; s++)
        cols += p->gamma[s];
    for (int32_t k = 0; k < n; k++)
        total += p->x[k];
    total += rows * cols;
    for (int32_t k = 0; k < n; k++)
        p->x[k] /= total;
}

/* Squared distance of q, which is 0 on implicit dummies, to a state that is `implicit` on each of
 * them. */
static double squared_change(const gm_rrwm *w, const double *state, double implicit)
{
    const gm_parts *p = &w->jump;
    double total = (double)(p->n1 - p->row) * (double)(p->n2 - p->col) * implicit * implicit;
    for (int32_t k = 0; k < w->M.n; k++)
        total += (w->q[k] - state[k]) * (w->q[k] - state[k]);
    return total;
}

int gm_rrwm_step(gm_rrwm *w, int64_t max_iterations, double seconds)
{
    const double deadline = gm_clock() + seconds;
    for (int64_t done = 0; done < max_iterations && !gm_is_late(deadline); done++) {
        if (!walk(w))
            return GM_WALK_DEAD;
        jump(w);
        /* the change over one and over two steps: the walk can oscillate with period 2 */
        const double once = squared_change(w, w->s, w->implicit);
        const double twice = squared_change(w, w->older, w->older_implicit);
        double *spare = w->older;
        w->older = w->s;
        w->s = w->q;
        w->q = spare;
        w->older_implicit = w->implicit;
        w->implicit = 0.0;
        w->iteration++;
        if ((once < twice ? once : twice) < w->tol)
            return GM_WALK_CONVERGED;
    }
    return GM_WALK_ON;
}
