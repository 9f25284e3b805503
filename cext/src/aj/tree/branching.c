#include "aj/tree/branching.h"

#include "aj/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds the twins, once. GM_OK or GM_ENOMEM. */
static int find_twins(aj_branching *branching, const gm_index *index)
{
    if (branching->twins)
        return GM_OK;
    branching->twins = aj_twins_new(index);
    if (branching->twins)
        GM_TAKE(&branching->pool, branching->twins->n_label_classes + 1, branching->class_seen);
    return branching->twins && !branching->pool.failed ? GM_OK : GM_ENOMEM;
}

void aj_branching_clear(aj_branching *branching)
{
    aj_twins_free(branching->twins);
    gm_pool_free(&branching->pool);
}

/* The class of a candidate's label, see twins.h. */
static int32_t class_of(const aj_twins *twins, const aj_problem *P, int32_t p)
{
    return P->origin[p] < 0 ? twins->n_label_classes : twins->label_class[P->label[p]];
}

/* The node of the model that a node of a subproblem is. */
static int32_t model_node(const gm_index *index, const aj_problem *P, int32_t node)
{
    return aj_model_node(index, P, P->node_start[node]);
}

/* Whether an earlier candidate of the same list has a twin of this one's label; lists are counted
 * from 1. */
static int has_twin(aj_branching *branching, const aj_problem *P, int32_t p, int32_t list)
{
    const int32_t class = class_of(branching->twins, P, p);
    const int seen = branching->class_seen[class] == list;
    branching->class_seen[class] = list;
    return seen;
}

void aj_branching_exclude(const aj_branching *branching, const gm_index *index, const aj_problem *P,
                          int32_t decided, uint8_t *candidates)
{
    const aj_twins *twins = branching->twins;
    const int32_t i = model_node(index, P, P->node[decided]), class = class_of(twins, P, decided);
    for (int32_t node = 0; node < P->n_nodes; node++) {
        const int32_t j = model_node(index, P, node);
        if (j == i || twins->node_class[j] != twins->node_class[i])
            continue;
        for (int32_t q = P->node_start[node]; q < P->node_start[node + 1]; q++) {
            const int32_t other = class_of(twins, P, q);
            if (i < j ? other < class : other > class)
                candidates[q] = 0;
        }
    }
}

static const double GUESS = 0.4; /* part of a fractional node's cost that is likely to be added */

/* The node with the least sum of exp(-rate increase / gap) over its candidates, an estimate of its
 * trees' size. The increase is the proven one of forcing plus a guess: a candidate far from x_p = 1
 * will cost a part of its node's contribution. */
static int32_t best_node(aj_branching *branching, const aj_frame *F, const aj_bound *B, double gap)
{
    const aj_problem *P = F->problem;
    double least = INFINITY;
    int32_t best = 0;
    for (int32_t i = 0; i < P->n_nodes; i++) {
        const double contribution = GUESS * fabs(B->master[B->match[i]]);
        double size = 0.0;
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (B->forced[p] < gap && !has_twin(branching, P, p, i + 1)) {
                const double guess = contribution * (1.0 - F->pdhg->xt[p]);
                size += exp(-AJ_BRANCH_RATE * (B->forced[p] + guess) / gap);
            }
        if (size < least) {
            least = size;
            best = i;
        }
    }
    return best;
}

typedef struct ranked {
    double lower;
    int32_t candidate;
} ranked;

static int by_lower(const void *x, const void *y)
{
    const ranked *p = x, *q = y;
    if (p->lower != q->lower)
        return (p->lower > q->lower) - (p->lower < q->lower);
    return (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

int aj_branching_choose(aj_branching *branching, const gm_index *index, aj_frame *F,
                        const aj_bound *B, double cutoff)
{
    const aj_problem *P = F->problem;
    if (find_twins(branching, index) != GM_OK)
        return GM_ENOMEM;
    memset(branching->class_seen, 0,
           sizeof *branching->class_seen * ((size_t)branching->twins->n_label_classes + 1));
    const int32_t node = best_node(branching, F, B, cutoff - B->value);
    const int32_t first = P->node_start[node], n = P->node_start[node + 1] - first;
    ranked *order = malloc(sizeof *order * (size_t)n);
    const int taken = aj_children_take(&F->children, n);
    const int status = order ? taken : GM_ENOMEM;
    const int32_t list = P->n_nodes + 1; /* best_node had one for each node */
    if (status == GM_OK) {
        for (int32_t k = 0; k < n; k++) {
            order[k].candidate = first + k;
            order[k].lower = fmax(F->lower, B->value + B->forced[first + k]);
        }
        qsort(order, (size_t)n, sizeof *order, by_lower);
        for (int32_t k = 0; k < n; k++)
            if (!has_twin(branching, P, order[k].candidate, list)) {
                F->children.child[F->children.n] = aj_candidate_key(index, P, order[k].candidate);
                F->children.lower[F->children.n++] = order[k].lower;
            }
        aj_share_weight(F->weight, F->lower, cutoff, F->children.n, F->children.lower,
                        F->children.weight);
    }
    free(order);
    return status;
}
