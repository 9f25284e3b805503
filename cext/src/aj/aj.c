/* The kernel of the exact method `aj`. */
#include "aj/search.h"
#include "base/rounding.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_GRAINS = 0x1p40;  /* in all costs together, where they are integers */
static const double FINEST_GRAIN = 1000.0; /* in the largest cost, where they are not */
static const double GRAIN_NOISE = 1e-10;   /* of the largest cost: a rest below it is rounding */
static const double GRAIN_ERROR = 1e-13;   /* of the largest cost: far below any gap that counts */

static int work(aj_search *S)
{
    if (S->opened && S->depth == 0) { /* nothing is left to search */
        if (S->run.value == INFINITY && S->ceiling == INFINITY)
            return GM_EINFEASIBLE;
        aj_search_raise(S);
        S->run.finished = 1;
        return GM_OK;
    }
    if (aj_matchings_turn(S))
        return aj_matchings_work(S);
    return aj_search_work(S);
}

/* Cost k of the index: unary costs first, then pair costs. */
static double cost_at(const gm_index *index, int64_t k)
{
    return k < index->n_slots ? index->slot_cost[k] : index->entry_cost[k - index->n_slots];
}

/* The greatest number that divides all costs, or 0 where they are no integers (or sums might not be
 * exact). */
static double integer_grain(const gm_index *index)
{
    int64_t grain = 0;
    double total = 0.0;
    for (int64_t k = 0; k < index->n_slots + index->n_entries; k++) {
        const double cost = cost_at(index, k);
        total += fabs(cost);
        if (cost != floor(cost) || total > MOST_GRAINS)
            return 0.0;
        int64_t x = (int64_t)fabs(cost), y = grain;
        while (y) {
            const int64_t rest = x % y;
            x = y;
            y = rest;
        }
        grain = x;
    }
    return (double)grain;
}

/* The same for costs like 2.75 and 0.825, multiples of 0.275 but for rounding: Euclid's algorithm
 * until a rest is noise. 0 where there is no such number, or only one far below the largest cost.
 * *error: by how much the cost of a matching can miss a multiple. It has at most one cost of each
 * node and one of each link. */
static double rational_grain(const gm_index *index, double *error)
{
    const int64_t n = index->n_slots + index->n_entries;
    double largest = 0.0, grain = 0.0, missed = 0.0;
    for (int64_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(cost_at(index, k)));
    for (int64_t k = 0; k < n; k++) {
        double x = fabs(cost_at(index, k)), y = grain;
        while (y > GRAIN_NOISE * largest) {
            const double rest = fabs(x - y * round(x / y));
            x = y;
            y = rest;
        }
        if (x > GRAIN_NOISE * largest)
            grain = x;
        if (grain > 0.0 && grain * FINEST_GRAIN < largest)
            return 0.0;
    }
    if (!(grain > 0.0))
        return 0.0;
    grain = largest / round(largest / grain);
    for (int64_t k = 0; k < n; k++) {
        const double cost = cost_at(index, k);
        missed = fmax(missed, fabs(cost - grain * round(cost / grain)));
    }
    *error = (missed + GM_ROUNDING * largest) * ((double)index->n1 + (double)index->n_links);
    return *error <= GRAIN_ERROR * largest ? grain : 0.0;
}

/* A power of two that brings the largest pair cost (or cost) to about 1. */
static double scale_of(const gm_index *index)
{
    double largest = 0.0;
    for (int64_t k = 0; k < index->n_entries; k++)
        largest = fmax(largest, fabs(index->entry_cost[k]));
    for (int32_t p = 0; p < index->n_slots && index->n_entries == 0; p++)
        largest = fmax(largest, fabs(index->slot_cost[p]));
    int exponent = 0;
    if (largest > 0.0)
        frexp(largest, &exponent);
    return ldexp(1.0, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
}

gm_run *gm_aj_new(const gm_model *model, const gm_aj_options *options)
{
    aj_search *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    S->branch = options->branch;
    S->fix = options->fix;
    S->certify = options->certify;
    S->plain = options->plain;
    S->lapack = options->lapack;
    S->sdp_mode = options->sdp;
    S->deadline = gm_clock() + options->seconds;
    S->lift_limit = options->lift_limit;
    S->memory = 1e6 * (double)options->memory;
    S->index = gm_index_new(model);
    if (!S->index || gm_run_init(&S->run, model) != GM_OK ||
        aj_matchings_new(S, (uint64_t)options->seed) != GM_OK || aj_search_new(S) != GM_OK) {
        gm_aj_free(&S->run);
        return NULL;
    }
    S->scale = scale_of(S->index);
    S->grain = integer_grain(S->index);
    if (S->grain == 0.0)
        S->grain = rational_grain(S->index, &S->grain_error);
    S->grain_error *= S->grain > 0.0;
    if (options->cutoff)
        aj_matchings_limit(S, *options->cutoff);
    if (options->init) {
        gm_labels_to_slots(S->index, options->init, S->slots);
        aj_polish(S);
    }
    return &S->run;
}

int gm_aj_step(gm_run *run, int64_t max_iterations, double seconds)
{
    aj_search *S = (aj_search *)run;
    const int64_t last =
        run->iteration > INT64_MAX - max_iterations ? INT64_MAX : run->iteration + max_iterations;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    do {
        status = work(S);
        if (!S->certify) /* a certificate must prove the bound without the search's other means */
            gm_run_stop_when_closed(run);
    } while (status == GM_OK && !run->finished && run->iteration < last &&
             !(S->lapack && S->lapack->wanted) && gm_clock() < deadline);
    return status;
}

void gm_aj_free(gm_run *run)
{
    aj_search *S = (aj_search *)run;
    if (!S)
        return;
    aj_search_clear(S);
    gm_descent_clear(&S->descent);
    gm_index_free(S->index);
    gm_pool_free(&S->pool);
    gm_run_clear(run);
    free(S);
}

void gm_aj_certificate(const gm_run *run, gm_aj_proof *proof)
{
    const aj_search *S = (const aj_search *)run;
    const aj_certificate *C = S->certificate;
    memset(proof, 0, sizeof *proof);
    if (!C)
        return;
    proof->n_pairs = C->n_pairs;
    proof->a = C->a;
    proof->b = C->b;
    proof->split = C->split;
    proof->n_stars = C->n_stars;
    proof->star = C->star;
    proof->star_label = C->star_label;
    proof->star_dual = C->star_dual;
    proof->n_labels = S->index->n2;
    proof->label_dual = C->label_dual;
    proof->n_variables = C->n_variables;
    proof->n_slacks = C->n_slacks;
    proof->variable = C->variable;
    proof->Z = C->Z;
    proof->slack_dual = C->slack_dual;
}
