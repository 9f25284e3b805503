#include "aj/search/proposals.h"

void aj_proposals_take(aj_proposals *proposals, gm_pool *pool, const gm_index *index)
{
    proposals->index = index;
    for (int k = 0; k < AJ_MOST_PROPOSALS; k++)
        GM_TAKE(pool, index->n1, proposals->slots[k]);
}

void aj_propose(aj_proposals *proposals, const aj_problem *P, const int32_t *pick, double lower)
{
    const gm_index *index = proposals->index;
    int32_t *slots = proposals->slots[proposals->n];
    proposals->lower[proposals->n++] = lower;
    for (int32_t i = 0; i < index->n1; i++)
        slots[i] = -1;
    for (int32_t k = 0; k < P->n_chosen; k++)
        slots[index->slot_node[P->chosen[k]]] = P->chosen[k];
    for (int32_t i = 0; i < P->n_nodes; i++) {
        const int32_t slot = P->origin[pick[i]];
        if (slot >= 0)
            slots[index->slot_node[slot]] = slot;
    }
}
