#include "aj/lp/assignment.h"

#include "base/lanes.h"

#include <math.h>

void aj_assignment_take(aj_assignment *A, gm_pool *pool, int32_t most)
{
    const int64_t stride = (most + GM_LANES - 1) / GM_LANES * GM_LANES;
    GM_TAKE(pool, most * stride, A->cost);
    GM_TAKE(pool, stride, A->u);
    GM_TAKE(pool, stride, A->v);
    GM_TAKE(pool, stride, A->distance);
    GM_TAKE(pool, stride, A->settled);
    GM_TAKE(pool, stride, A->parent);
    GM_TAKE(pool, stride, A->row_of);
    GM_TAKE(pool, stride, A->column_of);
}

void aj_assignment_begin(aj_assignment *A, int32_t n)
{
    A->n = n;
    A->stride = (n + GM_LANES - 1) / GM_LANES * GM_LANES;
    for (int32_t r = 0; r < n; r++)
        for (int32_t c = n; c < A->stride; c++)
            A->cost[r * A->stride + c] = INFINITY;
}

/* Macros, as in base/lanes.h. */
#define LESSER(x, y)    ((x) < (y) ? (x) : (y))
#define LEAST_LANE(x)   LESSER(LESSER((x)[0], (x)[1]), LESSER((x)[2], (x)[3]))
#define LANES_MIN(x, y) GM_LANES_CHOOSE((x) < (y), (x), (y))

/* Row minima into u; each row takes its cheapest column if that is free. 0 = a row has none. */
GM_WIDE static int take_cheapest(aj_assignment *A)
{
    for (int32_t c = 0; c < A->stride; c++) {
        A->v[c] = 0.0;
        A->row_of[c] = -1;
    }
    for (int32_t r = 0; r < A->n; r++) {
        const double *row = A->cost + r * A->stride;
        gm_lanes least = GM_LANES_ALL(INFINITY);
        for (int32_t c = 0; c < A->stride; c += GM_LANES)
            least = LANES_MIN(GM_LANES_AT(row + c), least);
        const double u = A->u[r] = LEAST_LANE(least);
        if (u == INFINITY)
            return 0;
        int32_t best = 0;
        while (row[best] != u)
            best++;
        A->column_of[r] = A->row_of[best] < 0 ? best : -1;
        if (A->row_of[best] < 0)
            A->row_of[best] = r;
    }
    return 1;
}

/* Lowers distances by the costs of a row at distance `base` (less its dual). Returns the nearest
 * column that is not settled, or -1 if none can be reached. */
GM_WIDE static int32_t nearest(aj_assignment *A, int32_t row, double base)
{
    const double *cost = A->cost + row * A->stride;
    gm_lanes least = GM_LANES_ALL(INFINITY);
    const gm_lanes shift = GM_LANES_ALL(base), here = GM_LANES_ALL((double)row);
    for (int32_t c = 0; c < A->stride; c += GM_LANES) {
        const gm_lanes settled = GM_LANES_AT(A->settled + c), old = GM_LANES_AT(A->distance + c);
        const gm_lanes distance = GM_LANES_AT(cost + c) - GM_LANES_AT(A->v + c) + shift + settled;
        const gm_masks nearer = distance < old;
        const gm_lanes now = GM_LANES_CHOOSE(nearer, distance, old);
        GM_LANES_PUT(A->distance + c, now);
        GM_LANES_PUT(A->parent + c, GM_LANES_CHOOSE(nearer, here, GM_LANES_AT(A->parent + c)));
        const gm_lanes open = now + settled;
        least = LANES_MIN(open, least);
    }
    const double wanted = LEAST_LANE(least);
    if (wanted == INFINITY)
        return -1;
    int32_t best = 0;
    while (A->distance[best] + A->settled[best] != wanted)
        best++;
    return best;
}

/* Gives row `root` a column by a shortest augmenting path. 0 = there is none. */
static int augment(aj_assignment *A, int32_t root)
{
    for (int32_t c = 0; c < A->stride; c++) {
        A->distance[c] = INFINITY;
        A->settled[c] = 0.0;
    }
    int32_t row = root, last = -1;
    double reached = 0.0;
    while (last < 0) {
        const int32_t best = nearest(A, row, reached - A->u[row]);
        if (best < 0)
            return 0;
        reached = A->distance[best];
        A->settled[best] = INFINITY;
        if (A->row_of[best] < 0)
            last = best;
        else
            row = A->row_of[best];
    }
    A->u[root] += reached;
    for (int32_t c = 0; c < A->n; c++)
        if (A->settled[c] > 0.0 && c != last) {
            A->u[A->row_of[c]] += reached - A->distance[c];
            A->v[c] -= reached - A->distance[c];
        }
    while (last >= 0) {
        const int32_t from = (int32_t)A->parent[last], next = A->column_of[from];
        A->row_of[last] = from;
        A->column_of[from] = last;
        last = from == root ? -1 : next;
    }
    return 1;
}

/* Takes the column duals, then the row minima out of the costs; returns the sum of the latter. */
GM_WIDE static double take_out(aj_assignment *A, double *magnitude)
{
    double total = 0.0, most = *magnitude;
    for (int32_t r = 0; r < A->n; r++) {
        double *row = A->cost + r * A->stride;
        gm_lanes least = GM_LANES_ALL(INFINITY);
        for (int32_t c = 0; c < A->stride; c += GM_LANES) {
            const gm_lanes x = GM_LANES_AT(row + c) - GM_LANES_AT(A->v + c);
            GM_LANES_PUT(row + c, x);
            least = LANES_MIN(x, least);
        }
        const double u = LEAST_LANE(least);
        for (int32_t c = 0; c < A->stride; c += GM_LANES)
            GM_LANES_PUT(row + c, GM_LANES_AT(row + c) - GM_LANES_ALL(u));
        total += u;
        most = fabs(u) > most ? fabs(u) : most;
    }
    *magnitude = most;
    return total;
}

double aj_assignment_reduce(aj_assignment *A, double *magnitude)
{
    double total = 0.0;
    if (!take_cheapest(A))
        return INFINITY;
    for (int32_t r = 0; r < A->n; r++)
        if (A->column_of[r] < 0 && !augment(A, r))
            return INFINITY;
    for (int32_t c = 0; c < A->n; c++) {
        total += A->v[c];
        *magnitude = fabs(A->v[c]) > *magnitude ? fabs(A->v[c]) : *magnitude;
    }
    return total + take_out(A, magnitude);
}
