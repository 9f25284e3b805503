#include "aj/sdp/kept_root.h"

#include <stdlib.h>
#include <string.h>

int aj_kept_root_lend(const aj_node *node, const gm_index *index, gm_aj_root *root)
{
    const aj_sdp *S = node->sdp;
    const aj_problem *P = S->problem;
    if (!index->complete || S->span->n_slacks > 0)
        return 0;
    *root = (gm_aj_root){.n = P->n,
                         .slot = P->origin,
                         .n_chosen = P->n_chosen,
                         .chosen = P->chosen,
                         .allowed = S->allowed,
                         .Y = S->Y,
                         .Z = S->Z,
                         .Zt = S->Zt,
                         .scale = S->scale,
                         .penalty = S->penalty,
                         .steps = S->steps,
                         .lower = node->lower};
    return 1;
}

/* place[slot] = the number of the root's candidate, or one of these. */
enum { DELETED = -1, CHOSEN = -2 };

/* Notes the root's candidates by slot. Returns 0 if they are not candidates of the index. */
static int find_places(const gm_aj_root *root, const gm_index *index, int32_t *place)
{
    int valid = 1;
    for (int32_t p = 0; p < index->n_slots; p++)
        place[p] = DELETED;
    for (int64_t k = 0; k < (int64_t)root->n_chosen + root->n; k++) {
        const int open = k >= root->n_chosen;
        const int32_t slot = open ? root->slot[k - root->n_chosen] : root->chosen[k];
        if (slot < 0 || slot >= index->n_slots || place[slot] != DELETED)
            valid = 0;
        else
            place[slot] = open ? (int32_t)k - root->n_chosen : CHOSEN;
    }
    return valid;
}

/* Clears the masks of all that the root lacks. Candidates have slots: no root with
 * dummies is kept. */
static void mask(const gm_aj_root *root, const aj_problem *P, const int32_t *place,
                 aj_scratch *scratch)
{
    const int64_t N = 1 + (int64_t)root->n;
    aj_scratch_keep_all(scratch, P);
    for (int32_t p = 0; p < P->n; p++)
        scratch->candidates[p] = P->origin[p] >= 0 && place[P->origin[p]] != DELETED;
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        const int32_t a = P->origin[P->a[e]], b = P->origin[P->b[e]];
        if (a >= 0 && b >= 0 && place[a] >= 0 && place[b] >= 0)
            scratch->entries[e] = root->allowed[(1 + place[a]) * N + 1 + place[b]];
    }
}

/* The model as a problem with full tables. NULL = no memory, or no time. */
static aj_problem *make_tables(const gm_index *index, double scale)
{
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_new(index, scale);
    aj_problem *lifted = problem ? aj_problem_lift(problem, AJ_EVERY_PAIR, &entry_map) : NULL;
    free(entry_map);
    aj_problem_free(problem);
    return lifted;
}

/* Whether the problem has the candidates of the root, in its order, and as many labels as nodes. */
static int is_same(const gm_aj_root *root, const aj_problem *P)
{
    return P->n == root->n && P->n_chosen == root->n_chosen &&
           aj_problem_n_used_labels(P) == P->n_nodes &&
           memcmp(P->origin, root->slot, sizeof *P->origin * (size_t)P->n) == 0;
}

/* The problem that the root's deletions leave, in *rest. GM_OK or an error. */
static int make_problem(const gm_aj_root *root, const gm_index *index, double scale,
                        aj_scratch *scratch, aj_problem **rest)
{
    int32_t *place = malloc(sizeof *place * ((size_t)index->n_slots + 1)), *candidate_map = NULL;
    int64_t *entry_map = NULL;
    aj_problem *whole = place ? make_tables(index, scale) : NULL;
    int status = whole && aj_scratch_fit(scratch, whole) == GM_OK ? GM_OK : GM_ENOMEM;
    if (status == GM_OK && !find_places(root, index, place))
        status = GM_EARGUMENT;
    if (status == GM_OK) {
        mask(root, whole, place, scratch);
        const int left = aj_scratch_propagate(scratch, whole);
        status = left < 0 ? left : (left == AJ_OPEN ? GM_OK : GM_EARGUMENT);
    }
    if (status == GM_OK) {
        *rest = aj_problem_shrink(whole, scratch->candidates, scratch->entries, &candidate_map,
                                  &entry_map);
        status = *rest ? GM_OK : GM_ENOMEM;
    }
    if (status == GM_OK && !is_same(root, *rest)) {
        aj_problem_free(*rest);
        *rest = NULL;
        status = GM_EARGUMENT;
    }
    free(candidate_map);
    free(entry_map);
    aj_problem_free(whole);
    free(place);
    return status;
}

int aj_kept_root_make(const gm_aj_root *root, const gm_index *index, double scale,
                      const gm_lapack *lapack, aj_scratch *scratch, aj_sdp **sdp)
{
    aj_problem *problem = NULL;
    const int status = make_problem(root, index, scale, scratch, &problem);
    if (status != GM_OK)
        return status;
    *sdp = aj_sdp_remake(problem, lapack, root);
    return *sdp ? GM_OK : GM_ENOMEM;
}
