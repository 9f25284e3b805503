/* What a search has still to look at, as the caller of the kernel takes and gives it (gm_aj_open):
 * by nodes and labels of the model, in its costs. */
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
/* Points *list to what is open below the cutoff. The best matching may be one that the present
 * round has met and not handed over yet: the run does not learn of it, since rounds end alike
 * whoever asks. GM_OK or GM_ENOMEM. */
int aj_open_list(aj_open *open, const aj_tree *tree, const gm_run *run, double cutoff,
                 gm_aj_open *list);

#endif
