/* The open subproblems of a search in the form of the kernel's caller (gm_aj_open): by nodes and
 * labels of the model, in its costs. */
#ifndef GM_AJ_OPEN_H
#define GM_AJ_OPEN_H

#include "aj/tree/tree.h"

typedef struct aj_open {
    aj_leaves leaves;
    int32_t *node, *label; /* of each decision */
    int32_t *labels;       /* n1: the best matching */
} aj_open;

void aj_open_clear(aj_open *open);
/* The tree will open these subproblems instead of the root's children; the run has their bound.
 * GM_OK or GM_ENOMEM. */
int aj_open_take(aj_tree *tree, gm_run *run, const gm_aj_open *given);
/* Fills *list with the open subproblems below the cutoff. The best matching may be one that the
 * present round has found and not reported yet. It is not reported to the run here: a round must
 * not depend on whether the list was asked for. GM_OK or GM_ENOMEM. */
int aj_open_list(aj_open *open, const aj_tree *tree, const gm_run *run, double cutoff,
                 gm_aj_open *list);

#endif
