/* Frank-Wolfe descents on the matching polytope. */
#include "moves/frank_wolfe.h"
#include "base/watch.h"
#include "moves/policy.h"

#include <math.h>
#include <string.h>

int gm_descent_init(gm_descent *descent, const gm_index *index)
{
    const int64_t n = index->n_slots;
    *descent = (gm_descent){.index = index};
    GM_TAKE(&descent->pool, n, descent->x);
    GM_TAKE(&descent->pool, n, descent->gradient);
    GM_TAKE(&descent->pool, n, descent->vertex_gradient);
    GM_TAKE(&descent->pool, n, descent->rounding_cost);
    GM_TAKE(&descent->pool, index->n1, descent->vertex);
    GM_TAKE(&descent->pool, n, descent->mark);
    if (descent->pool.failed)
        return GM_ENOMEM;
    descent->vertex_lap = gm_index_lap(index);
    descent->rounding_lap = gm_index_lap(index);
    return descent->vertex_lap && descent->rounding_lap ? GM_OK : GM_ENOMEM;
}

void gm_descent_clear(gm_descent *descent)
{
    gm_lap_free(descent->vertex_lap);
    gm_lap_free(descent->rounding_lap);
    gm_pool_free(&descent->pool);
}

/* gradient += factor * 2 Q e_p */
static void add_column(const gm_index *index, double *gradient, int32_t p, double factor)
{
    for (int64_t k = index->adjacent_start[p]; k < index->adjacent_start[p + 1]; k++)
        gradient[index->adjacent_slot[k]] += factor * index->adjacent_cost[k];
}

void gm_descent_start(gm_descent *descent)
{
    const gm_index *index = descent->index;
    memcpy(descent->gradient, index->slot_cost, sizeof *index->slot_cost * (size_t)index->n_slots);
    for (int32_t p = 0; p < index->n_slots; p++)
        if (descent->x[p] != 0.0) {
            const int64_t work = index->adjacent_start[p + 1] - index->adjacent_start[p];
            if (gm_watch_spend(index->watch, work))
                break;
            add_column(index, descent->gradient, p, descent->x[p]);
        }
}

void gm_descent_place(gm_descent *descent, const int32_t *labels)
{
    memset(descent->x, 0, sizeof *descent->x * (size_t)descent->index->n_slots);
    for (int32_t i = 0; i < descent->index->n1; i++)
        if (labels[i] >= 0)
            descent->x[gm_index_slot(descent->index, i, labels[i])] = 1.0;
}

/* Offers the matching in `vertex`, its cost added up again as for every matching of every kernel.
 */
static void offer(gm_descent *descent, gm_run *run)
{
    gm_offer_slots(run, descent->index, descent->vertex,
                   gm_index_cost(descent->index, descent->vertex, descent->mark));
}

/* Along d = s - x: f(x + t d) = f(x) + t slope + t^2 curvature. */
typedef struct segment {
    double slope, curvature;
    double value;        /* f(x) = (c + g)'x / 2, g the gradient at x */
    double vertex_value; /* f(s) = (c + h)'s / 2, h the gradient at s */
} segment;

/* The gradient at the vertex s, and the sums over its slots. */
static segment visit_vertex(gm_descent *descent)
{
    const gm_index *index = descent->index;
    const double *c = index->slot_cost, *g = descent->gradient;
    double *h = descent->vertex_gradient;
    segment along = {0.0, 0.0, 0.0, 0.0};
    memcpy(h, c, sizeof *h * (size_t)index->n_slots);
    for (int32_t i = 0; i < index->n1; i++)
        if (descent->vertex[i] >= 0)
            add_column(index, h, descent->vertex[i], 1.0);
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t p = descent->vertex[i];
        if (p < 0)
            continue;
        along.vertex_value += 0.5 * (c[p] + h[p]);
        along.slope += g[p];
        along.curvature += h[p] - g[p];
    }
    return along;
}

/* Completes the sums by those over x. */
static void visit_iterate(const gm_descent *descent, segment *along)
{
    const double *c = descent->index->slot_cost;
    const double *x = descent->x, *g = descent->gradient, *h = descent->vertex_gradient;
    double slope = along->slope, curvature = along->curvature, value = 0.0;
    for (int32_t p = 0; p < descent->index->n_slots; p++) {
        slope -= g[p] * x[p];
        curvature -= (h[p] - g[p]) * x[p];
        value += 0.5 * (c[p] + g[p]) * x[p];
    }
    along->slope = slope;
    along->curvature = 0.5 * curvature;
    along->value = value;
}

/* x and its gradient, moved to x + step (s - x). */
static void move_iterate(gm_descent *descent, double step)
{
    double *x = descent->x, *g = descent->gradient;
    const double *h = descent->vertex_gradient;
    for (int32_t p = 0; p < descent->index->n_slots; p++) {
        x[p] *= 1.0 - step;
        g[p] += step * (h[p] - g[p]);
    }
    for (int32_t i = 0; i < descent->index->n1; i++)
        if (descent->vertex[i] >= 0)
            x[descent->vertex[i]] += step;
}

/* The matching with the largest sum of x. */
static int round_iterate(gm_descent *descent, gm_run *run)
{
    const gm_index *index = descent->index;
    for (int32_t p = 0; p < index->n_slots; p++)
        descent->rounding_cost[p] = -descent->x[p];
    const int status =
        gm_lap_solve(descent->rounding_lap, descent->rounding_cost, index->complete, 1);
    if (status == GM_OK) {
        gm_lap_to_slots(index, descent->rounding_lap, descent->vertex);
        offer(descent, run);
    }
    return status;
}

static const double SMALLEST_STEP = 1e-3; /* as in the reference: rounding sees no smaller change */

int gm_descent_step(gm_descent *descent, gm_run *run, double tol, int *converged)
{
    const gm_index *index = descent->index;
    const int status = gm_lap_solve(descent->vertex_lap, descent->gradient, index->complete, 1);
    if (status != GM_OK)
        return status;
    gm_lap_to_slots(index, descent->vertex_lap, descent->vertex);
    segment along = visit_vertex(descent);
    if (along.vertex_value < run->value)
        offer(descent, run);
    visit_iterate(descent, &along);

    const double gap = -along.slope;
    const double step = along.curvature > 0.0 ? fmin(1.0, gap / (2.0 * along.curvature)) : 1.0;
    const double size = fmax(fabs(along.value), fabs(along.vertex_value));
    *converged = gap <= tol * size || step < SMALLEST_STEP;
    if (*converged)
        return GM_OK;
    move_iterate(descent, step);
    if (step == 1.0)
        return GM_OK; /* x is the vertex, which was offered */
    return round_iterate(descent, run);
}

/* x = the same weight on every slot, with no sum of a node or label above 1. */
static void place_uniform(gm_descent *descent)
{
    const gm_index *index = descent->index;
    const int32_t most = index->n1 > index->n2 ? index->n1 : index->n2;
    for (int32_t p = 0; p < index->n_slots; p++)
        descent->x[p] = 1.0 / (double)most;
}

/* x = (1 - weight) x + weight * (a random matching), the one that maximises random weights. */
static int blend_random_matching(gm_descent *descent, gm_random *random, double weight)
{
    for (int32_t p = 0; p < descent->index->n_slots; p++) {
        descent->rounding_cost[p] = -gm_random_unit(random);
        descent->x[p] *= 1.0 - weight;
    }
    const int status =
        gm_lap_solve(descent->rounding_lap, descent->rounding_cost, descent->index->complete, 0);
    if (status != GM_OK)
        return status;
    gm_lap_to_slots(descent->index, descent->rounding_lap, descent->vertex);
    for (int32_t i = 0; i < descent->index->n1; i++)
        if (descent->vertex[i] >= 0)
            descent->x[descent->vertex[i]] += weight;
    return GM_OK;
}

int gm_descent_begin(gm_descent *descent, gm_random *random, int64_t k, const int32_t *best)
{
    int status = GM_OK;
    if (k == 1) {
        place_uniform(descent);
    } else if (k > 1 && k % 2 == 0) {
        place_uniform(descent);
        status = blend_random_matching(descent, random, GM_FW_HALF);
    } else if (k > 1) {
        gm_descent_place(descent, best);
        status = blend_random_matching(descent, random,
                                       GM_FW_LEAST + GM_FW_RANGE * gm_random_unit(random));
    }
    gm_descent_start(descent);
    return status;
}

/* Nanoseconds of a step: per entry that a matching touches, per slot and per node. */
static const double ENTRY_WORK = 4.0, SLOT_WORK = 15.0, NODE_WORK = 100.0;

double gm_descent_work(const gm_index *index)
{
    return ENTRY_WORK * gm_index_matched_degree(index) + SLOT_WORK * index->n_slots +
           NODE_WORK * index->n1;
}
