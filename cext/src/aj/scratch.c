#include "aj/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t larger(int32_t x, int32_t y)
{
    return x > y ? x : y;
}

void aj_scratch_clear(aj_scratch *scratch)
{
    aj_bound_free(scratch->bound);
    free(scratch->candidates);
    free(scratch->entries);
    scratch->bound = NULL;
    scratch->candidates = scratch->entries = NULL;
}

int aj_scratch_fit(aj_scratch *scratch, const aj_problem *P)
{
    aj_scratch_clear(scratch);
    scratch->n = larger(P->n, scratch->n);
    scratch->m = P->m > scratch->m ? P->m : scratch->m;
    scratch->n_mu = larger(P->n_mu, scratch->n_mu);
    scratch->n_nu = larger(P->n_nu, scratch->n_nu);
    scratch->bound = aj_bound_new(scratch->n_nodes, P->n_labels, scratch->n, scratch->m,
                                  scratch->n_mu, scratch->n_nu);
    scratch->candidates = malloc((size_t)scratch->n + 1);
    scratch->entries = malloc((size_t)scratch->m + 1);
    if (!scratch->bound || !scratch->candidates || !scratch->entries)
        return GM_ENOMEM;
    scratch->bound->watch = P->watch;
    return GM_OK;
}

void aj_scratch_keep_all(aj_scratch *scratch, const aj_problem *P)
{
    memset(scratch->candidates, 1, (size_t)P->n);
    memset(scratch->entries, 1, (size_t)P->m);
}

void aj_scratch_decide(aj_scratch *scratch, const aj_problem *P, int32_t candidate)
{
    const int32_t node = P->node[candidate];
    for (int32_t q = P->node_start[node]; q < P->node_start[node + 1]; q++)
        scratch->candidates[q] &= (uint8_t)(q == candidate);
}

int aj_scratch_propagate(aj_scratch *scratch, const aj_problem *P)
{
    return aj_propagate(P, scratch->candidates, scratch->entries);
}

double aj_scratch_kept_part(const aj_scratch *scratch, const aj_problem *P)
{
    int64_t n = 0, m = 0;
    for (int32_t p = 0; p < P->n; p++)
        n += scratch->candidates[p];
    for (int64_t e = 0; e < P->m; e++)
        m += scratch->entries[e];
    return fmin((double)n / (double)P->n, P->m > 0 ? (double)m / (double)P->m : 1.0);
}
