/* The open subproblems of a tree as others see them: listed for a checkpoint, lent, given away. */
#include "aj/tree/tree.h"

#include "aj/sdp/kept_root.h"

/* Adds the open subproblems on the path below the root, or at it. */
static void list_path(const aj_tree *T, double cutoff, aj_leaves *open)
{
    const aj_path *path = &T->path;
    for (int32_t d = 0; d < path->depth; d++) {
        const aj_frame *F = &path->frames[d];
        const int branches = F->phase == AJ_BRANCH;
        const int32_t first = branches ? F->children.next : 0, n = branches ? F->children.n : 1;
        for (int32_t k = first; k < n && !(branches && F->children.lower[k] >= cutoff); k++) {
            aj_leaves_add(open, branches ? F->children.lower[k] : F->lower,
                          branches ? F->children.weight[k] : F->weight);
            for (int32_t e = 0; e < d; e++)
                aj_frame_list(&path->frames[e], path->frames[e].children.next - 1, open);
            if (branches)
                aj_frame_list(F, k, open);
        }
    }
}

/* Adds the open subproblems of the root and of the tasks of its rounds. */
static void list_rounds(const aj_tree *T, double cutoff, aj_leaves *open)
{
    aj_semidefinite_list_open(&T->semidefinite, T->index, cutoff, open);
    for (int32_t k = 0; k < T->rounds.n_tasks; k++)
        aj_semidefinite_list_open(&T->rounds.tasks[k]->phase, T->index, cutoff, open);
}

/* Whether the root is in the semidefinite phase. */
static int is_semidefinite(const aj_tree *T)
{
    return T->opened && T->path.depth == 1 && T->path.frames[0].phase == AJ_SEMIDEFINITE;
}

/* Whether the children of the semidefinite root are searched. */
static int is_in_rounds(const aj_tree *T)
{
    return is_semidefinite(T) && aj_semidefinite_has_branched(&T->semidefinite);
}

/* Whether the root has branched in the ordinary way. */
static int is_below_root(const aj_tree *T)
{
    return T->opened && !(T->path.depth == 1 && T->path.frames[0].phase != AJ_BRANCH);
}

int aj_tree_list_open(const aj_tree *T, double cutoff, aj_leaves *open)
{
    aj_leaves_empty(open);
    if (is_in_rounds(T))
        list_rounds(T, cutoff, open);
    else if (is_below_root(T))
        list_path(T, cutoff, open);
    else if (T->leaves.n > 0)
        aj_leaves_add_open(open, &T->leaves);
    else
        aj_leaves_add(open, aj_tree_lower(T), 1.0);
    return open->failed ? GM_ENOMEM : GM_OK;
}

int aj_tree_lend_root(const aj_tree *T, gm_aj_root *root)
{
    return is_in_rounds(T) && aj_kept_root_lend(&T->semidefinite.nodes[0], T->index, root);
}

int aj_tree_branch_now(aj_tree *T, double cutoff)
{
    return is_semidefinite(T) ? aj_semidefinite_branch_now(&T->semidefinite, cutoff) : GM_OK;
}

int32_t aj_tree_drop(aj_tree *T, double cutoff, gm_aj_root *parent)
{
    int32_t dropped = 0;
    if (is_in_rounds(T)) {
        dropped = aj_semidefinite_drop(&T->semidefinite, T->index, cutoff, parent);
        const int32_t n_young = aj_rounds_drop(&T->rounds);
        if (n_young > 0)
            aj_kept_root_lend(&T->semidefinite.nodes[0], T->index, parent);
        dropped += n_young;
        for (int32_t k = 0; k < T->rounds.n_tasks && dropped == 0; k++)
            dropped = aj_semidefinite_drop(&T->rounds.tasks[k]->phase, T->index, cutoff, parent);
    } else if (is_below_root(T)) {
        for (int32_t d = 0; d < T->path.depth && dropped == 0; d++) {
            aj_frame *F = &T->path.frames[d];
            if (F->phase == AJ_BRANCH)
                dropped = aj_children_drop(&F->children, cutoff, d == T->path.depth - 1);
        }
    }
    return dropped;
}
