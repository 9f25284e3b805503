#include "aj/tree/dense_level.h"

#include "base/rounding.h"

#include <math.h>
#include <string.h>

static void delete_pair(aj_dense_level *level, int32_t p, int32_t q)
{
    const int64_t cells = (int64_t)level->k * level->k;
    level->pair[p * cells + q] = level->pair[q * cells + p] = INFINITY;
}

/* The costs of p's star as an assignment problem of the other rows and columns: its leader, and
 * half of the cost of each pair in the other stars, are moved to it. */
static void gather_star(aj_dense_level *level, aj_assignment *lap, int32_t p, double *magnitude)
{
    const int32_t k = level->k, i = p / k, s = p % k;
    const int64_t cells = (int64_t)k * k;
    const double share = level->leader[p] / (double)(k - 1);
    const double *own = level->pair + p * cells;
    double most = *magnitude;
    aj_assignment_begin(lap, k - 1);
    for (int32_t j = 0, row = 0; j < k; j++) {
        if (j == i)
            continue;
        double *a = lap->cost + row++ * lap->stride;
        for (int32_t t = 0; t < k; t++) {
            if (t == s)
                continue;
            const int32_t q = j * k + t;
            double x = INFINITY;
            if (own[q] < INFINITY && level->leader[q] < INFINITY) {
                double *other = &level->pair[q * cells + p];
                *other *= 0.5;
                x = own[q] + *other + share;
                most = fabs(x) > most ? fabs(x) : most;
            }
            *a++ = x;
        }
    }
    *magnitude = most;
}

/* The reduced costs become the costs of p's star. */
static void scatter_star(aj_dense_level *level, const aj_assignment *lap, int32_t p)
{
    const int32_t k = level->k, i = p / k, s = p % k;
    double *own = level->pair + p * ((int64_t)k * k);
    for (int32_t j = 0, row = 0; j < k; j++) {
        if (j == i)
            continue;
        const double *a = lap->cost + row++ * lap->stride;
        for (int32_t t = 0; t < k; t++)
            if (t != s)
                own[j * k + t] = *a++;
    }
}

/* Solves the star of p; its value becomes its leader. */
static void solve_star(aj_dense_level *level, aj_assignment *lap, int32_t p, double *magnitude)
{
    gather_star(level, lap, p, magnitude);
    level->leader[p] = aj_assignment_reduce(lap, magnitude);
    if (level->leader[p] != INFINITY)
        scatter_star(level, lap, p);
}

int aj_level_sweep(aj_dense_level *level, aj_assignment *lap, double cutoff)
{
    const int32_t k = level->k;
    const int64_t cells = (int64_t)k * k;
    double magnitude = 0.0;
    for (int32_t p = 0; p < cells; p++)
        if (level->leader[p] < INFINITY) {
            if (gm_watch_spend(lap->watch, cells * k))
                return 0;
            solve_star(level, lap, p, &magnitude);
            if (level->solved && level->leader[p] >= cutoff - level->bound + level->error)
                level->leader[p] = INFINITY;
        }
    aj_assignment_begin(lap, k);
    for (int32_t i = 0; i < k; i++)
        memcpy(lap->cost + i * lap->stride, level->leader + i * k,
               sizeof *level->leader * (size_t)k);
    for (int32_t p = 0; p < cells; p++)
        if (level->leader[p] < INFINITY)
            magnitude = fmax(magnitude, fabs(level->leader[p]));
    const double value = aj_assignment_reduce(lap, &magnitude);
    if (value == INFINITY)
        return 0;
    for (int32_t i = 0; i < k; i++)
        memcpy(level->leader + i * k, lap->cost + i * lap->stride,
               sizeof *level->leader * (size_t)k);
    level->bound += value;
    level->solved = 1;
    /* a matching meets k leaders and k^2 pairs, each rounded at most 6 times, and k + 1 sums of 2k
     * terms */
    level->error += gm_rounding_error(AJ_DENSE_ROUNDINGS * (double)k * (double)cells,
                                      magnitude + fabs(level->bound));
    return 1;
}

void aj_level_delete(aj_dense_level *level, double gap)
{
    const int32_t cells = level->k * level->k;
    for (int32_t p = 0; p < cells; p++) {
        if (level->leader[p] >= gap)
            level->leader[p] = INFINITY;
        if (level->leader[p] == INFINITY)
            continue;
        const double *own = level->pair + (int64_t)p * cells;
        for (int32_t q = p + 1; q < cells; q++)
            if (own[q] < INFINITY && level->leader[p] + level->leader[q] + own[q] +
                                             level->pair[(int64_t)q * cells + p] >=
                                         gap)
                delete_pair(level, p, q);
    }
}

double aj_level_look_ahead(const aj_dense_level *level, aj_assignment *lap, int32_t p)
{
    const int32_t k = level->k, i = p / k, s = p % k;
    const int64_t cells = (int64_t)k * k;
    double magnitude = 0.0;
    aj_assignment_begin(lap, k - 1);
    for (int32_t j = 0, row = 0; j < k; j++) {
        if (j == i)
            continue;
        double *a = lap->cost + row++ * lap->stride;
        for (int32_t t = 0; t < k; t++) {
            const int32_t q = j * k + t;
            if (t != s)
                *a++ = level->leader[q] + level->pair[p * cells + q] + level->pair[q * cells + p];
        }
    }
    const double value = k > 1 ? aj_assignment_reduce(lap, &magnitude) : 0.0;
    const double rounding = gm_rounding_error(AJ_DENSE_ROUNDINGS * (double)cells, magnitude);
    return level->leader[p] + (value < INFINITY ? fmax(value - rounding, 0.0) : INFINITY);
}
