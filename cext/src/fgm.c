/* One step of the path of factorized graph matching: modified Frank-Wolfe on the doubly stochastic matrices.
 *
 *   maximise J(X) = sum(KP X) + x'Wx + c tr(A X X'),   c = alpha - 1/2
 *
 * All matrices are n x n, column-major. The images W X and A X are kept beside X and move with it, so an
 * iteration costs O(n^2) and one assignment instead of a product with W and one with A: a vertex Y is a
 * permutation, W Y sums n rows of W and A Y permutes the columns of A. */
#include "gm.h"
#include "munkres.h"

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
    const int32_t *place;     /* n^2: candidate at (i, s), or -1 */
    const int32_t *position;  /* candidates: i + n s */
    const int64_t *start;     /* rows of W over the candidates */
    const int32_t *neighbour;
    const double *weight, *KP, *A;
    point current, target, history[HISTORY];
    double *gradient, *scratch;
    int32_t *match;
    void *munkres;
    double *memory;
};

static void fill_images(const gm_fgm *f, const point *p)
{
    const int32_t n = f->n;
    const size_t size = (size_t)n * (size_t)n;
    memset(p->WX, 0, sizeof *p->WX * size);
    memset(p->AX, 0, sizeof *p->AX * size);
    for (int32_t s = 0; s < n; s++)
        for (int32_t j = 0; j < n; j++) {
            const double x = p->X[j + (size_t)s * (size_t)n];
            if (x == 0.0)
                continue;
            for (int32_t i = 0; i < n; i++)
                p->AX[i + (size_t)s * (size_t)n] += f->A[i + (size_t)j * (size_t)n] * x;
            const int32_t k = f->place[j + (size_t)s * (size_t)n];
            if (k >= 0)
                for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
                    p->WX[f->position[f->neighbour[e]]] += f->weight[e] * x;
        }
}

/* The permutation f->match as a point. */
static void fill_vertex(const gm_fgm *f, const point *p)
{
    const size_t n = (size_t)f->n;
    memset(p->X, 0, sizeof *p->X * n * n);
    memset(p->WX, 0, sizeof *p->WX * n * n);
    for (size_t i = 0; i < n; i++) {
        const size_t s = (size_t)f->match[i];
        p->X[i + s * n] = 1.0;
        memcpy(p->AX + s * n, f->A + i * n, sizeof *p->AX * n);
        const int32_t k = f->place[i + s * n];
        if (k >= 0)
            for (int64_t e = f->start[k]; e < f->start[k + 1]; e++)
                p->WX[f->position[f->neighbour[e]]] += f->weight[e];
    }
}

/* The mean of the last HISTORY vertices. */
static void fill_mean(const gm_fgm *f, const point *mean)
{
    const size_t size = (size_t)f->n * (size_t)f->n;
    memset(mean->X, 0, sizeof(double) * size);
    memset(mean->WX, 0, sizeof(double) * size);
    memset(mean->AX, 0, sizeof(double) * size);
    for (int h = 0; h < HISTORY; h++) {
        const point *p = &f->history[h];
        for (size_t k = 0; k < size; k++) {
            mean->X[k] += p->X[k] / HISTORY;
            mean->WX[k] += p->WX[k] / HISTORY;
            mean->AX[k] += p->AX[k] / HISTORY;
        }
    }
}

/* Slope of the objective from X towards T, a unit of length. */
static double steepness(const gm_fgm *f, const double *T)
{
    const size_t size = (size_t)f->n * (size_t)f->n;
    double slope = 0.0, length = 0.0;
    for (size_t k = 0; k < size; k++) {
        const double d = T[k] - f->current.X[k];
        slope += f->gradient[k] * d;
        length += d * d;
    }
    return slope / sqrt(length);
}

static double exact_step(double a, double b)
{
    if (fabs(a) < DBL_EPSILON)
        return b > 0.0 ? 1.0 : 0.0;
    const double t = -b / (2.0 * a);
    if (a > 0.0) /* convex: the end that is farther from the minimum */
        return t <= 0.5 ? 1.0 : 0.0;
    return t <= 0.0 ? 0.0 : t <= 1.0 ? t : 1.0;
}

int64_t gm_fgm_climb(gm_fgm *f, double alpha, int64_t max_iterations, double seconds)
{
    const size_t size = (size_t)f->n * (size_t)f->n;
    const double c = alpha - 0.5, deadline = gm_clock() + seconds;
    point *x = &f->current;
    int64_t it = 0;
    fill_images(f, x);
    while (it < max_iterations && gm_clock() < deadline) {
        it++;
        double largest = -INFINITY;
        for (size_t k = 0; k < size; k++) {
            f->gradient[k] = f->KP[k] + 2.0 * x->WX[k] + 2.0 * c * x->AX[k];
            if (f->gradient[k] > largest)
                largest = f->gradient[k];
        }
        for (size_t k = 0; k < size; k++)
            f->scratch[k] = largest - f->gradient[k];
        gm_munkres_with(f->n, f->n, f->scratch, f->match, f->munkres);

        point *y = &f->history[(it - 1) % HISTORY], *to = y;
        fill_vertex(f, y);
        if (it >= HISTORY) {
            fill_mean(f, &f->target);
            if (steepness(f, f->target.X) > steepness(f, y->X))
                to = &f->target;
        }
        double a = 0.0, b = 0.0, length = 0.0;
        for (size_t k = 0; k < size; k++) {
            const double d = to->X[k] - x->X[k];
            a += d * (to->WX[k] - x->WX[k] + c * (to->AX[k] - x->AX[k]));
            b += d * f->gradient[k];
            length += d * d;
        }
        const double t = exact_step(a, b);
        for (size_t k = 0; k < size; k++) {
            x->X[k] += t * (to->X[k] - x->X[k]);
            x->WX[k] += t * (to->WX[k] - x->WX[k]);
            x->AX[k] += t * (to->AX[k] - x->AX[k]);
        }
        if (t < DBL_EPSILON || t * sqrt(length) < DBL_EPSILON)
            break;
    }
    return it;
}

gm_fgm *gm_fgm_new(int32_t n, const int32_t *place, const int32_t *position, const int64_t *start, const int32_t *neighbour,
                   const double *weight, const double *KP, const double *A, const double *X)
{
    const size_t size = (size_t)n * (size_t)n, points = HISTORY + 2;
    gm_fgm *f = calloc(1, sizeof *f);
    double *memory = malloc(sizeof *memory * size * (3 * points + 2));
    int32_t *match = malloc(sizeof *match * (size_t)n);
    void *munkres = malloc(gm_munkres_bytes(n, n));
    if (!f || !memory || !match || !munkres) {
        free(f);
        free(memory);
        free(match);
        free(munkres);
        return NULL;
    }
    *f = (gm_fgm){.n = n, .place = place, .position = position, .start = start, .neighbour = neighbour, .weight = weight, .KP = KP, .A = A};
    f->memory = memory;
    f->match = match;
    f->munkres = munkres;
    for (size_t k = 0; k < points; k++) {
        point *p = k == 0 ? &f->current : k == 1 ? &f->target : &f->history[k - 2];
        *p = (point){memory, memory + size, memory + 2 * size};
        memory += 3 * size;
    }
    f->gradient = memory;
    f->scratch = memory + size;
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

const double *gm_fgm_X(const gm_fgm *f) { return f->current.X; }
const int32_t *gm_fgm_vertex(const gm_fgm *f) { return f->match; }
