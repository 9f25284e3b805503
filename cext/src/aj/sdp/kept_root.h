/* A node of the semidefinite phase in the form of the kernel's caller (gm_aj_root): the root of a
 * later run, which searches subproblems of it and does not make the matrices again. */
#ifndef GM_AJ_SDP_KEPT_ROOT_H
#define GM_AJ_SDP_KEPT_ROOT_H

#include "aj/sdp/phase.h"

/* Fills *root with a node that branches; arrays are the node's own. Returns 0 if nodes or labels
 * may stay free: such nodes are not kept. */
int aj_kept_root_lend(const aj_node *node, const gm_index *index, gm_aj_root *root);
/* The matrices of such a root, on the problem of the index that its deletions leave, in *sdp.
 * GM_OK, GM_ENOMEM, GM_ECUT, or GM_EARGUMENT if the root is not one of this index. */
int aj_kept_root_make(const gm_aj_root *root, const gm_index *index, double scale,
                      const gm_lapack *lapack, aj_scratch *scratch, aj_sdp **sdp);

#endif
