/* The root of the tree: the sweeps before it, its problem, and ways back to it. Parts of tree.c;
 * all units of work return an enum aj_event or an error. */
#ifndef GM_AJ_TREE_ROOT_H
#define GM_AJ_TREE_ROOT_H

#include "aj/tree/tree.h"

/* One sweep, before the root or (if it has full tables) before its first evaluation. */
int aj_root_sweep(aj_tree *tree, double cutoff);
/* Builds the root; if it has full tables sweeps come next, if there were none before. */
int aj_root_open(aj_tree *tree, double cutoff);
/* Takes a semidefinite root that was kept, which branches into the leaves of the tree; without
 * LAPACK the root is built instead. */
int aj_root_restore(aj_tree *tree);
/* Starts the root's ascent from the duals of the sweeps, which are then freed. */
void aj_root_end_sweeps(aj_tree *tree);
/* Discards all frames below the root. */
void aj_root_return(aj_tree *tree);
/* Branching has taken long: starts again from a root with full tables, if these are small enough.
 */
int aj_root_lift(aj_tree *tree);

#endif
