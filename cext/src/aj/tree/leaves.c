#include "aj/tree/leaves.h"

#include "aj/tree/node_stack.h"

#include <math.h>
#include <stdlib.h>

int aj_children_take(aj_children *children, int32_t n)
{
    const size_t room = (size_t)n + 1;
    children->child = malloc(sizeof *children->child * room);
    children->lower = malloc(sizeof *children->lower * room);
    children->weight = malloc(sizeof *children->weight * room);
    children->n = children->next = 0;
    return children->child && children->lower && children->weight ? GM_OK : GM_ENOMEM;
}

void aj_children_forget(aj_children *children)
{
    free(children->child);
    free(children->lower);
    free(children->weight);
    *children = (aj_children){0};
}

int aj_children_adopt(aj_children *children, const aj_leaves *leaves, double lower)
{
    aj_children_forget(children);
    if (aj_children_take(children, leaves->n - leaves->first) != GM_OK)
        return GM_ENOMEM;
    children->leaves = leaves;
    for (int32_t k = leaves->first; k < leaves->n; k++) {
        children->child[children->n] = k;
        children->lower[children->n] = fmax(lower, leaves->lower[k]);
        children->weight[children->n++] = leaves->weight[k];
    }
    return GM_OK;
}

int32_t aj_children_drop(aj_children *children, double cutoff, int keep_one)
{
    const int32_t first = children->next;
    int32_t open = first, kept = first;
    while (open < children->n && children->lower[open] < cutoff)
        open++;
    for (int32_t k = first; k < open; k++) {
        const int drops = (k - first) % 2 == (keep_one ? 1 : 0);
        if (drops)
            continue;
        children->child[kept] = children->child[k];
        children->lower[kept] = children->lower[k];
        children->weight[kept++] = children->weight[k];
    }
    children->n = kept;
    return open - kept;
}

void aj_leaves_clear(aj_leaves *leaves)
{
    free(leaves->start);
    free(leaves->key);
    free(leaves->lower);
    free(leaves->weight);
    *leaves = (aj_leaves){0};
}

void aj_leaves_empty(aj_leaves *leaves)
{
    leaves->n = leaves->first = 0; /* start[0] is read only if there is a leaf */
    leaves->n_keys = 0;
    leaves->failed = 0;
}

/* Makes an array longer and keeps its content, even if there is no memory. */
static void *grow(void *array, size_t size, int64_t n, int *failed)
{
    void *longer = realloc(array, size * (size_t)n);
    *failed |= !longer;
    return longer ? longer : array;
}

void aj_leaves_add(aj_leaves *leaves, double lower, double weight)
{
    if (leaves->n == leaves->room) {
        const int32_t room = 2 * leaves->room + 16;
        leaves->start = grow(leaves->start, sizeof *leaves->start, room + 1, &leaves->failed);
        leaves->lower = grow(leaves->lower, sizeof *leaves->lower, room, &leaves->failed);
        leaves->weight = grow(leaves->weight, sizeof *leaves->weight, room, &leaves->failed);
        leaves->room = leaves->failed ? leaves->room : room;
    }
    if (leaves->failed)
        return;
    leaves->lower[leaves->n] = lower;
    leaves->weight[leaves->n] = weight;
    leaves->start[leaves->n++] = leaves->n_keys;
    leaves->start[leaves->n] = leaves->n_keys;
}

void aj_leaves_add_decision(aj_leaves *leaves, int32_t key)
{
    if (!leaves->failed && leaves->n_keys == leaves->key_room) {
        const int64_t room = 2 * leaves->key_room + 64;
        leaves->key = grow(leaves->key, sizeof *leaves->key, room, &leaves->failed);
        leaves->key_room = leaves->failed ? leaves->key_room : room;
    }
    if (leaves->failed)
        return;
    leaves->key[leaves->n_keys++] = key;
    leaves->start[leaves->n] = leaves->n_keys;
}

void aj_leaves_add_decisions_of(aj_leaves *leaves, const aj_leaves *from, int32_t k)
{
    for (int64_t x = from->start[k]; x < from->start[k + 1]; x++)
        aj_leaves_add_decision(leaves, from->key[x]);
}

void aj_leaves_add_open(aj_leaves *leaves, const aj_leaves *from)
{
    for (int32_t k = from->first; k < from->n; k++) {
        aj_leaves_add(leaves, from->lower[k], from->weight[k]);
        aj_leaves_add_decisions_of(leaves, from, k);
    }
}

/* Whether the subproblem still has to decide for a node of the model. */
static int is_undecided(const gm_index *index, const aj_problem *P, int32_t node)
{
    for (int32_t i = 0; i < P->n_nodes; i++)
        if (aj_model_node(index, P, P->node_start[i]) == node)
            return 1;
    return 0;
}

/* The key of the choice of a decided node. */
static int32_t chosen_key(const gm_index *index, const aj_problem *P, int32_t node)
{
    for (int32_t k = 0; k < P->n_chosen; k++)
        if (index->slot_node[P->chosen[k]] == node)
            return P->chosen[k];
    return -1 - node;
}

void aj_leaves_add_chosen(aj_leaves *leaves, const gm_index *index, const aj_problem *P)
{
    for (int32_t node = 0; node < index->n1; node++)
        if (!is_undecided(index, P, node))
            aj_leaves_add_decision(leaves, chosen_key(index, P, node));
}

int aj_leaves_decide(const aj_leaves *leaves, int32_t k, const gm_index *index, const aj_problem *P,
                     aj_scratch *scratch, int32_t *last)
{
    *last = -1;
    for (int64_t x = leaves->start[k]; x < leaves->start[k + 1]; x++) {
        const int32_t key = leaves->key[x], node = key < 0 ? -1 - key : index->slot_node[key];
        const int32_t p = aj_candidate_find(index, P, key);
        if (p >= 0 && scratch->candidates[p]) {
            aj_scratch_decide(scratch, P, p);
            *last = p;
        } else if (p >= 0 || is_undecided(index, P, node) || chosen_key(index, P, node) != key) {
            return AJ_EMPTY;
        }
    }
    return AJ_OPEN;
}

void aj_share_weight(double weight, double own, double cutoff, int32_t n, const double *lower,
                     double *share)
{
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++) {
        const double rise = (lower[k] - own) / (cutoff - own);
        share[k] = isfinite(rise) ? exp(-AJ_BRANCH_RATE * fmin(fmax(rise, 0.0), 1.0)) : 1.0;
        sum += share[k];
    }
    for (int32_t k = 0; k < n; k++)
        share[k] *= weight / sum;
}
