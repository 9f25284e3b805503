/* One step of the path of factorized graph matching: modified Frank-Wolfe on the doubly stochastic
 * matrices.
 *
 *   maximise J(X) = sum(KP X) + x'Wx + c tr(A X X'),   c = alpha - 1/2
 *
 * All matrices are n x n, column-major. The images W X and A X are kept beside X and move with it,
 * so an iteration costs O(n^2) and one assignment instead of a product with W and one with A: a
 * vertex Y is a permutation, W Y sums n rows of W and A Y permutes the columns of A. */
#include "assignment/munkres.h"
#include "base/lanes.h"
#include "gm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY = 10 }; /* nHst of the original */

/* A point with its images. */
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
    point current, vertex, mean, latest; /* latest: sum of the last HISTORY vertices */
    double *gradient, *scratch, *memory;
    int32_t *match, *history; /* history: HISTORY permutations, a ring */
    void *munkres;
};

static size_t size_of(const gm_fgm *f)
{
    return (size_t)f->n * (size_t)f->n;
}

static void clear(const gm_fgm *f, const point *p)
{
    memset(p->X, 0, sizeof *p->X * size_of(f));
    memset(p->WX, 0, sizeof *p->WX * size_of(f));
    memset(p->AX, 0, sizeof *p->AX * size_of(f));
}

/* p += x e_i e_s', with its images. */
GM_WIDE static void add_column(double *restrict to, const double *restrict from, double x,
                               int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        to[i] += x * from[i];
}

static void add_images(const gm_fgm *f, const point *p, int32_t i, int32_t s, double x)
{
    const size_t n = (size_t)f->n;
    add_column(p->AX + (size_t)s * n, f->A + (size_t)i * n, x, f->n);
    const int32_t k = f->place[(size_t)i + (size_t)s * n];
    if (k >= 0)
        for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
            p->WX[f->position[f->neighbour[e]]] += f->weight[e] * x;
}

static void add_permutation(const gm_fgm *f, const point *p, const int32_t *match, double x)
{
    for (int32_t i = 0; i < f->n; i++) {
        p->X[(size_t)i + (size_t)match[i] * (size_t)f->n] += x;
        add_images(f, p, i, match[i], x);
    }
}

static void fill_images(const gm_fgm *f, const point *p)
{
    memset(p->WX, 0, sizeof *p->WX * size_of(f));
    memset(p->AX, 0, sizeof *p->AX * size_of(f));
    for (int32_t s = 0; s < f->n; s++)
        for (int32_t i = 0; i < f->n; i++) {
            const double x = p->X[(size_t)i + (size_t)s * (size_t)f->n];
            if (x != 0.0)
                add_images(f, p, i, s, x);
        }
}

GM_WIDE static void divide_all(double *restrict to, const double *restrict from, double by,
                               size_t size)
{
    for (size_t k = 0; k < size; k++)
        to[k] = from[k] / by;
}

/* Sums of d^2 and d u over d = T - X; four at a time, as one running sum waits for every addition.
 */
typedef struct sums {
    double dd, du;
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

static double exact_step(double a, double b)
{
    if (fabs(a) < DBL_EPSILON)
        return b > 0.0 ? 1.0 : 0.0;
    const double t = -b / (2.0 * a);
    if (a > 0.0) /* convex: the end that is farther from the minimum */
        return t <= 0.5 ? 1.0 : 0.0;
    if (t <= 0.0)
        return 0.0;
    return t <= 1.0 ? t : 1.0;
}

GM_WIDE static void fill_gradient(double *restrict gradient, const double *restrict KP,
                                  const double *restrict WX, const double *restrict AX, double c,
                                  size_t size)
{
    for (size_t k = 0; k < size; k++)
        gradient[k] = KP[k] + 2.0 * WX[k] + 2.0 * c * AX[k];
}

/* The vertex with the largest gradient. */
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

GM_WIDE static void difference(double *restrict d, const double *restrict u,
                               const double *restrict v, const double *restrict w,
                               const double *restrict z, double c, size_t size)
{
    for (size_t k = 0; k < size; k++)
        d[k] = u[k] - v[k] + c * (w[k] - z[k]);
}

GM_WIDE static void move(double *restrict x, const double *restrict to, double t, size_t size)
{
    for (size_t k = 0; k < size; k++)
        x[k] += t * (to[k] - x[k]);
}

int64_t gm_fgm_climb(gm_fgm *f, double alpha, int64_t max_iterations, double seconds)
{
    const size_t size = size_of(f);
    const double c = alpha - 0.5, deadline = gm_clock() + seconds;
    const point *x = &f->current, *y = &f->vertex, *mean = &f->mean, *latest = &f->latest;
    int64_t it = 0;
    fill_images(f, x);
    clear(f, latest);
    while (it < max_iterations && gm_clock() < deadline) {
        it++;
        fill_gradient(f->gradient, f->KP, x->WX, x->AX, c, size);
        best_vertex(f);
        clear(f, y);
        add_permutation(f, y, f->match, 1.0);
        int32_t *slot = f->history + ((it - 1) % HISTORY) * f->n;
        if (it > HISTORY)
            add_permutation(f, latest, slot, -1.0);
        add_permutation(f, latest, f->match, 1.0);
        memcpy(slot, f->match, sizeof *slot * (size_t)f->n);

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

gm_fgm *gm_fgm_new(int32_t n, const int32_t *place, const int32_t *position, const int64_t *start,
                   const int32_t *neighbour, const double *weight, const double *KP,
                   const double *A, const double *X)
{
    const size_t size = (size_t)n * (size_t)n;
    gm_fgm *f = calloc(1, sizeof *f);
    double *memory = malloc(sizeof *memory * size * 14);
    int32_t *match = malloc(sizeof *match * (size_t)n * (HISTORY + 1));
    void *munkres = malloc(gm_munkres_bytes(n, n));
    if (!f || !memory || !match || !munkres) {
        free(f);
        free(memory);
        free(match);
        free(munkres);
        return NULL;
    }
    *f = (gm_fgm){.n = n,
                  .place = place,
                  .position = position,
                  .start = start,
                  .neighbour = neighbour,
                  .weight = weight,
                  .KP = KP,
                  .A = A};
    f->memory = memory;
    f->match = match;
    f->history = match + n;
    f->munkres = munkres;
    f->current = (point){memory, memory + size, memory + 2 * size};
    f->vertex = (point){memory + 3 * size, memory + 4 * size, memory + 5 * size};
    f->mean = (point){memory + 6 * size, memory + 7 * size, memory + 8 * size};
    f->latest = (point){memory + 9 * size, memory + 10 * size, memory + 11 * size};
    f->gradient = memory + 12 * size;
    f->scratch = memory + 13 * size;
    memcpy(f->current.X, X, sizeof *X * size);
    return f;
}

void gm_fgm_free(gm_fgm *f)
{
    if (!f)
        return;
    free(f->memory);
    free(f->match);
    free(f->munkres);
    free(f);
}

const double *gm_fgm_X(const gm_fgm *f)
{
    return f->current.X;
}
