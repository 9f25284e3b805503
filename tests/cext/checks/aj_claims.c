/* What the bound and the fixing rules claim about a model, to be held against brute force. */
#include "aj_claims.h"

#include "aj/aj.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* The model's edge between two candidates, or -1. */
static int64_t find_edge(const gm_model *model, int32_t a, int32_t b)
{
    for (int64_t e = 0; e < model->n_edges; e++)
        if ((model->a[e] == a && model->b[e] == b) || (model->a[e] == b && model->b[e] == a))
            return e;
    return -1;
}

/* forced and pair of gm_aj_claims, from an evaluation with forcing. */
static void write_claims(const gm_model *model, const gm_index *index, const aj_problem *P,
                         const aj_bound *B, double *forced, double *pair)
{
    /* of each slot */
    int32_t *candidate = malloc(sizeof *candidate * ((size_t)index->n_slots + 1));
    if (!candidate)
        return;
    gm_index_candidates(index, candidate);
    for (int32_t p = 0; p < P->n; p++)
        if (P->origin[p] >= 0)
            forced[candidate[P->origin[p]]] = B->value + B->forced[p];
    for (int64_t e = 0; e < P->m; e++) {
        const int32_t p = P->origin[P->a[e]], q = P->origin[P->b[e]];
        const int64_t edge = p >= 0 && q >= 0 ? find_edge(model, candidate[p], candidate[q]) : -1;
        if (edge >= 0)
            pair[edge] = B->value + aj_bound_pair(B, P, e);
    }
    free(candidate);
}

int gm_aj_claims(const gm_model *model, int32_t tables, uint64_t seed, double *bound,
                 double *forced, double *pair)
{
    gm_index *index = gm_index_new(model, NULL);
    aj_problem *P = index ? aj_problem_new(index, 1.0) : NULL;
    if (P && tables) {
        int64_t *entry_map = NULL;
        aj_problem *lifted = aj_problem_lift(P, AJ_LINKED, &entry_map);
        free(entry_map);
        aj_problem_free(P);
        P = lifted;
    }
    aj_bound *B = P ? aj_bound_new(P->n_nodes, P->n_labels, P->n, P->m, P->n_mu, P->n_nu) : NULL;
    double *w = P ? malloc(sizeof *w * ((size_t)P->n_mu + (size_t)P->n_nu + 1)) : NULL;
    const int status = B && w ? GM_OK : GM_ENOMEM;
    if (status == GM_OK) {
        gm_random random = {seed};
        double largest = 0.0;
        for (int64_t e = 0; e < P->m; e++)
            largest = fmax(largest, fabs(P->theta[e]));
        for (int32_t r = 0; r < P->n_mu + P->n_nu; r++)
            w[r] = seed ? largest * (gm_random_unit(&random) - 0.5) : 0.0;
        for (int32_t k = 0; k < model->n_candidates; k++)
            forced[k] = -INFINITY;
        for (int64_t e = 0; e < model->n_edges; e++)
            pair[e] = -INFINITY;
        aj_bound_evaluate(B, P, w);
        *bound = B->value;
        if (isfinite(B->value)) {
            aj_bound_force(B, P, INFINITY);
            write_claims(model, index, P, B, forced, pair);
        }
    }
    free(w);
    aj_bound_free(B);
    aj_problem_free(P);
    gm_index_free(index);
    return status;
}
