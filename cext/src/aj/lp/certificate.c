#include "aj/lp/certificate.h"

#include <stdlib.h>
#include <string.h>

void aj_certificate_free(aj_certificate *certificate)
{
    if (certificate)
        gm_pool_free(&certificate->pool);
    free(certificate);
}

int32_t *aj_certified_candidates(const gm_index *index, const aj_problem *P)
{
    int32_t *of_slot = malloc(sizeof *of_slot * ((size_t)index->n_slots + 1));
    int32_t *candidate = malloc(sizeof *candidate * ((size_t)P->n + 1));
    if (of_slot && candidate) {
        gm_index_candidates(index, of_slot);
        for (int32_t p = 0; p < P->n; p++)
            candidate[p] = P->origin[p] >= 0 ? of_slot[P->origin[p]]
                                             : index->n_slots + aj_model_node(index, P, p);
    } else {
        free(candidate);
        candidate = NULL;
    }
    free(of_slot);
    return candidate;
}

/* The column duals below 0 of all stars. `candidate` as of aj_certified_candidates. */
static void copy_star_duals(aj_certificate *C, const gm_index *index, const aj_problem *P,
                            const aj_bound *B, const int32_t *candidate, double scale)
{
    for (int64_t e = 0; e < P->m; e++) { /* written again by the column's other entries */
        const int32_t p = P->a[e], q = P->b[e], column_a = P->nu_a[e], column_b = P->nu_b[e];
        C->star[column_a] = candidate[p];
        C->star_label[column_a] = P->label[q];
        C->star_dual[column_a] = B->star_v[column_a] / scale;
        C->star[column_b] = candidate[q];
        C->star_label[column_b] = P->label[p];
        C->star_dual[column_b] = B->star_v[column_b] / scale;
    }
    for (int32_t c = 0; c < P->n_nu; c++) /* most are 0; only the others are kept */
        if (C->star_dual[c] < 0.0 && C->star_label[c] < index->n2) {
            C->star[C->n_stars] = C->star[c];
            C->star_label[C->n_stars] = C->star_label[c];
            C->star_dual[C->n_stars++] = C->star_dual[c];
        }
}

/* The certificate of a star bound; w = NULL: pairs are not split. NULL when out of memory. */
static aj_certificate *of_stars(const gm_index *index, const aj_problem *P, const aj_bound *B,
                                const double *w, double scale)
{
    aj_certificate *C = calloc(1, sizeof *C);
    int32_t *candidate = aj_certified_candidates(index, P);
    if (C) {
        GM_TAKE(&C->pool, P->m, C->a);
        GM_TAKE(&C->pool, P->m, C->b);
        GM_TAKE(&C->pool, P->m, C->split);
        GM_TAKE(&C->pool, P->n_nu, C->star);
        GM_TAKE(&C->pool, P->n_nu, C->star_label);
        GM_TAKE(&C->pool, P->n_nu, C->star_dual);
        GM_TAKE(&C->pool, index->n2, C->label_dual);
    }
    if (!C || !candidate || C->pool.failed) {
        free(candidate);
        aj_certificate_free(C);
        return NULL;
    }
    C->value = B->value;
    C->n_pairs = P->m;
    for (int64_t e = 0; e < P->m; e++) {
        C->a[e] = candidate[P->a[e]];
        C->b[e] = candidate[P->b[e]];
        C->split[e] = w ? aj_split(P, w, e) / scale : 0.0;
    }
    copy_star_duals(C, index, P, B, candidate, scale);
    for (int32_t l = 0; l < index->n2; l++)
        C->label_dual[l] = B->v[l] / scale;
    free(candidate);
    return C;
}

/* The certificate of a semidefinite bound. NULL when out of memory. */
static aj_certificate *of_sdp(const gm_index *index, const aj_sdp *S, const aj_bound *B,
                              double scale)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    aj_certificate *C = of_stars(index, P, B, NULL, scale);
    int32_t *candidate = aj_certified_candidates(index, P);
    if (C) {
        GM_TAKE(&C->pool, N, C->variable);
        GM_TAKE(&C->pool, N * N, C->Z);
        GM_TAKE(&C->pool, (int64_t)S->span->n_slacks * index->n2, C->slack_dual);
    }
    if (!C || !candidate || C->pool.failed) {
        free(candidate);
        aj_certificate_free(C);
        return NULL;
    }
    C->n_pairs = 0;
    C->n_variables = S->N;
    C->n_slacks = S->span->n_slacks;
    C->variable[0] = -1;
    for (int32_t p = 0; p < P->n; p++)
        C->variable[1 + p] = candidate[p];
    for (int32_t k = 0; k < C->n_slacks; k++) {
        C->variable[1 + P->n + k] = -2 - S->span->slack_label[k];
        for (int32_t l = 0; l < index->n2; l++)
            C->slack_dual[(int64_t)k * index->n2 + l] =
                S->slack_dual[(int64_t)k * P->n_labels + l] / scale;
    }
    for (int64_t v = 0; v < N; v++)
        for (int64_t w = 0; w < N; w++)
            C->Z[v * N + w] = aj_sdp_multiplier(S, v, w) / scale;
    free(candidate);
    return C;
}

/* Whether a bound of the whole problem is worth a certificate. */
static int is_wanted(const aj_certified *certified, const aj_bound *B)
{
    return certified->wanted && certified->whole &&
           (!certified->best || B->value > certified->best->value);
}

/* Keeps a better certificate, which is NULL when out of memory. GM_OK or GM_ENOMEM. */
static int replace(aj_certified *certified, aj_certificate *better)
{
    aj_certificate_free(certified->best);
    certified->best = better;
    return better ? GM_OK : GM_ENOMEM;
}

int aj_certified_stars(aj_certified *certified, const aj_problem *P, const aj_bound *B,
                       const double *w)
{
    if (!is_wanted(certified, B))
        return GM_OK;
    return replace(certified, of_stars(certified->index, P, B, w, certified->scale));
}

/* The proof by deletions begins with a semidefinite bound of the whole problem, and goes on with
 * those of the remaining problem. */
static int note_stage(aj_certified *certified, const aj_sdp *sdp, const aj_bound *B)
{
    if (!certified->wanted)
        return GM_OK;
    certified->staged |= certified->whole;
    if (!certified->staged)
        return GM_OK;
    aj_certificate_free(certified->present);
    certified->present = of_sdp(certified->index, sdp, B, certified->scale);
    return certified->present ? GM_OK : GM_ENOMEM;
}

int aj_certified_sdp(aj_certified *certified, const aj_sdp *sdp, const aj_bound *B)
{
    const int status = note_stage(certified, sdp, B);
    if (status != GM_OK || !is_wanted(certified, B))
        return status;
    return replace(certified, of_sdp(certified->index, sdp, B, certified->scale));
}

void aj_certified_clear(aj_certified *certified)
{
    aj_certificate_free(certified->best);
    aj_certificate_free(certified->present);
    for (int32_t k = 0; k < certified->n_stages; k++)
        aj_certificate_free(certified->stages[k]);
    free(certified->stages);
}
