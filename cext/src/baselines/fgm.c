/* Factorized graph matching (Zhou and De la Torre, CVPR 2012; PAMI 38, 2016): one step of its path
 * following, by modified Frank-Wolfe on the doubly stochastic matrices,
 *
 *     maximise J(X) = <KP, X> + x'Wx + c tr(A X X'),   x = vec(X), c = alpha - 1/2.
 *
 * All matrices are n x n, column-major. The products W x and A X are stored with X and move with
 * it. An iteration then costs O(n^2) and one assignment, and no product of X with W or A: a vertex
 * Y is a permutation, for which W y is a sum of n rows of W and A Y permutes the columns of A. */
#include "assignment/munkres.h"
#include "base/lanes.h"
#include "base/pool.h"
#include "base/watch.h"
#include "gm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY = 10 }; /* nHst of the original */

/* A matrix and its two products, as matrices. */
typedef struct point {
    double *X, *WX, *AX;
} point;

struct gm_fgm {
    int32_t n;
    const int32_t *place;    /* n^2: candidate at (i, s), or -1 */
    const int32_t *position; /* candidates: i + n s */
    const int64_t *start;    /* rows of W over the candidates */
    const int32_t *neighbour;
    const double *weight, *KP, *A;
    point current, vertex;
    point latest; /* the sum of the last HISTORY vertices, */
    point mean;   /* and their mean */
    double *gradient, *scratch;
    int32_t *match;   /* the vertex as a permutation */
    int32_t *history; /* the last HISTORY vertices, a ring of permutations */
    char *munkres;    /* memory of gm_munkres_with */
    gm_pool pool;
};

/* n^2 */
static size_t size_of(const gm_fgm *f)
{
    return (size_t)f->n * (size_t)f->n;
}

/* p = 0 */
static void clear(const gm_fgm *f, const point *p)
{
    memset(p->X, 0, sizeof *p->X * size_of(f));
    memset(p->WX, 0, sizeof *p->WX * size_of(f));
    memset(p->AX, 0, sizeof *p->AX * size_of(f));
}

/* to += x * from */
GM_WIDE static void add_column(double *restrict to, const double *restrict from, double x,
                               int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        to[i] += x * from[i];
}

/* The products of p, after x was added to entry (i, s) of X. */
static void add_products(const gm_fgm *f, const point *p, int32_t i, int32_t s, double x)
{
    const size_t n = (size_t)f->n;
    add_column(p->AX + (size_t)s * n, f->A + (size_t)i * n, x, f->n);
    const int32_t k = f->place[(size_t)i + (size_t)s * n];
    if (k >= 0)
        for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
            p->WX[f->position[f->neighbour[e]]] += f->weight[e] * x;
}

/* p += x * the permutation. */
static void add_permutation(const gm_fgm *f, const point *p, const int32_t *match, double x)
{
    for (int32_t i = 0; i < f->n; i++) {
        p->X[(size_t)i + (size_t)match[i] * (size_t)f->n] += x;
        add_products(f, p, i, match[i], x);
    }
}

/* The products of p, from its X alone. */
static void fill_products(const gm_fgm *f, const point *p)
{
    memset(p->WX, 0, sizeof *p->WX * size_of(f));
    memset(p->AX, 0, sizeof *p->AX * size_of(f));
    for (int32_t s = 0; s < f->n; s++)
        for (int32_t i = 0; i < f->n; i++) {
            const double x = p->X[(size_t)i + (size_t)s * (size_t)f->n];
            if (x != 0.0)
                add_products(f, p, i, s, x);
        }
}

GM_WIDE static void divide_all(double *restrict to, const double *restrict from, double by,
                               size_t size)
{
    for (size_t k = 0; k < size; k++)
        to[k] = from[k] / by;
}

/* Sums over d = T - X. Each is added up in four parts, since every addition to a single one has to
 * wait for the one before. */
typedef struct sums {
    double dd; /* of d^2 */
    double du; /* of d u */
} sums;

GM_WIDE static sums along(const double *restrict T, const double *restrict X,
                          const double *restrict u, size_t size)
{
    double dd[4] = {0.0}, du[4] = {0.0};
    size_t k = 0;
    for (; k + 4 <= size; k += 4)
        for (size_t lane = 0; lane < 4; lane++) {
            const double d = T[k + lane] - X[k + lane];
            dd[lane] += d * d;
            du[lane] += d * u[k + lane];
        }
    for (; k < size; k++) {
        const double d = T[k] - X[k];
        dd[0] += d * d;
        du[0] += d * u[k];
    }
    return (sums){dd[0] + dd[1] + dd[2] + dd[3], du[0] + du[1] + du[2] + du[3]};
}

/* The step t in [0, 1] of the original's exact line search for a t^2 + b t. */
static double exact_step(double a, double b)
{
    if (fabs(a) < DBL_EPSILON)
        return b > 0.0 ? 1.0 : 0.0;
    const double t = -b / (2.0 * a);
    if (a > 0.0) /* convex: the end of [0, 1] that is farther from the minimum */
        return t <= 0.5 ? 1.0 : 0.0;
    if (t <= 0.0)
        return 0.0;
    return t <= 1.0 ? t : 1.0;
}

/* KP + 2 W x + 2 c A X, the gradient of J. */
GM_WIDE static void fill_gradient(double *restrict gradient, const double *restrict KP,
                                  const double *restrict WX, const double *restrict AX, double c,
                                  size_t size)
{
    for (size_t k = 0; k < size; k++)
        gradient[k] = KP[k] + 2.0 * WX[k] + 2.0 * c * AX[k];
}

/* match = the permutation Y with the largest <gradient, Y>. */
static void best_vertex(gm_fgm *f)
{
    const size_t size = size_of(f);
    double largest = -INFINITY;
    for (size_t k = 0; k < size; k++)
        largest = f->gradient[k] > largest ? f->gradient[k] : largest;
    for (size_t k = 0; k < size; k++)
        f->scratch[k] = largest - f->gradient[k];
    gm_munkres_with(f->n, f->n, f->scratch, f->match, f->munkres);
}

/* d = (u - v) + c (w - z) */
GM_WIDE static void difference(double *restrict d, const double *restrict u,
                               const double *restrict v, const double *restrict w,
                               const double *restrict z, double c, size_t size)
{
    for (size_t k = 0; k < size; k++)
        d[k] = u[k] - v[k] + c * (w[k] - z[k]);
}

/* x += t (to - x) */
GM_WIDE static void move(double *restrict x, const double *restrict to, double t, size_t size)
{
    for (size_t k = 0; k < size; k++)
        x[k] += t * (to[k] - x[k]);
}

/* Puts the vertex of iteration `it` in place of the oldest one. */
static void remember_vertex(gm_fgm *f, int64_t it)
{
    int32_t *oldest = f->history + ((it - 1) % HISTORY) * f->n;
    if (it > HISTORY)
        add_permutation(f, &f->latest, oldest, -1.0);
    add_permutation(f, &f->latest, f->match, 1.0);
    memcpy(oldest, f->match, sizeof *oldest * (size_t)f->n);
}

int64_t gm_fgm_climb(gm_fgm *f, double alpha, int64_t max_iterations, double seconds)
{
    const size_t size = size_of(f);
    const double c = alpha - 0.5, deadline = gm_clock() + seconds;
    const point *x = &f->current, *y = &f->vertex, *mean = &f->mean, *latest = &f->latest;
    int64_t it = 0;
    fill_products(f, x);
    clear(f, latest);
    while (it < max_iterations && !gm_is_late(deadline)) {
        it++;
        fill_gradient(f->gradient, f->KP, x->WX, x->AX, c, size);
        best_vertex(f);
        clear(f, y);
        add_permutation(f, y, f->match, 1.0);
        remember_vertex(f, it);

        /* towards the vertex, or towards the mean of the last ones if that is steeper */
        const point *to = y;
        sums s = along(y->X, x->X, f->gradient, size);
        if (it >= HISTORY) {
            divide_all(mean->X, latest->X, HISTORY, size);
            const sums m = along(mean->X, x->X, f->gradient, size);
            if (m.du / sqrt(m.dd) > s.du / sqrt(s.dd)) {
                divide_all(mean->WX, latest->WX, HISTORY, size);
                divide_all(mean->AX, latest->AX, HISTORY, size);
                to = mean;
                s = m;
            }
        }
        /* J(X + t D) = J(X) + s.du t + a t^2, D = to - X */
        difference(f->scratch, to->WX, x->WX, to->AX, x->AX, c, size);
        const double a = along(to->X, x->X, f->scratch, size).du;
        const double t = exact_step(a, s.du);
        move(x->X, to->X, t, size);
        move(x->WX, to->WX, t, size);
        move(x->AX, to->AX, t, size);
        if (t < DBL_EPSILON || t * sqrt(s.dd) < DBL_EPSILON)
            break;
    }
    return it;
}

static void take_point(gm_fgm *f, point *p)
{
    const int64_t size = (int64_t)size_of(f);
    GM_TAKE(&f->pool, size, p->X);
    GM_TAKE(&f->pool, size, p->WX);
    GM_TAKE(&f->pool, size, p->AX);
}

gm_fgm *gm_fgm_new(int32_t n, const int32_t *place, const int32_t *position, const int64_t *start,
                   const int32_t *neighbour, const double *weight, const double *KP,
                   const double *A, const double *X)
{
    gm_fgm *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->n = n;
    f->place = place;
    f->position = position;
    f->start = start;
    f->neighbour = neighbour;
    f->weight = weight;
    f->KP = KP;
    f->A = A;
    take_point(f, &f->current);
    take_point(f, &f->vertex);
    take_point(f, &f->latest);
    take_point(f, &f->mean);
    GM_TAKE(&f->pool, (int64_t)size_of(f), f->gradient);
    GM_TAKE(&f->pool, (int64_t)size_of(f), f->scratch);
    GM_TAKE(&f->pool, n, f->match);
    GM_TAKE(&f->pool, (int64_t)n * HISTORY, f->history);
    GM_TAKE(&f->pool, (int64_t)gm_munkres_bytes(n, n), f->munkres);
    if (f->pool.failed) {
        gm_fgm_free(f);
        return NULL;
    }
    memcpy(f->current.X, X, sizeof *X * size_of(f));
    return f;
}

void gm_fgm_free(gm_fgm *f)
{
    if (f)
        gm_pool_free(&f->pool);
    free(f);
}

const double *gm_fgm_X(const gm_fgm *f)
{
    return f->current.X;
}
