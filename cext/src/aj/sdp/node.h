/* The steps of one node of the semidefinite phase: evaluate, delete, take steps of ADMM,
 * search a tree of dual ascent. Each function does one unit of work and returns the next step of
 * the node; phase.c owns the stack of nodes. */
#ifndef GM_AJ_SDP_NODE_H
#define GM_AJ_SDP_NODE_H

#include "aj/sdp/phase.h"

/* The state of a node after a unit of work. */
enum aj_verdict {
    AJ_NODE_FAILED = GM_ENOMEM,
    AJ_NODE_DONE = 0,    /* holds nothing better than the cutoff */
    AJ_NODE_STAYS,       /* in its stage */
    AJ_NODE_MOVES_ON,    /* to its next stage */
    AJ_NODE_NEEDS_CUTOFF /* first, that of its proposals; node->wait has the next state */
};

/* The arguments of every unit of work besides its node: scratch, the receivers of proposals and
 * proofs, and the cutoff. */
typedef struct aj_given {
    aj_scratch *scratch;
    aj_proposals *proposals;
    aj_certified *certified;
    double cutoff;
} aj_given;

/* The result of aj_propagate on a node's problem. */
enum aj_verdict aj_node_verdict(int rest);
/* The matrices of the subproblem that the propagated masks of the scratch describe, in *to;
 * `chosen` as in aj_sdp_restrict. AJ_NODE_DONE: no matching, or only the one that was proposed. */
enum aj_verdict aj_node_restrict(const aj_given *given, const aj_sdp *from, int32_t chosen,
                                 aj_sdp **to);
/* Whether the problem is one for trees of dual ascent. */
int aj_node_is_dense(const aj_node *node);

/* The star bound of the node's Z, and its matching as a proposal. */
enum aj_verdict aj_node_evaluate(const aj_semidefinite *phase, const aj_given *given,
                                 aj_node *node);
/* A step of ADMM, and an evaluation if one is due. */
enum aj_verdict aj_node_step(aj_semidefinite *phase, const aj_given *given, aj_node *node);
/* A subproblem of the tree of the node's stage, as far as its quota goes. */
enum aj_verdict aj_node_search(aj_semidefinite *phase, const aj_given *given, aj_node *node);
/* Whether the node's tree has begun and is expected to take more than its quota of work. */
int aj_node_has_long_tree(const aj_node *node, double cutoff);
/* The step that a waiting node takes: see enum aj_node_wait. */
enum aj_verdict aj_node_resume(aj_semidefinite *phase, const aj_given *given, aj_node *node);

#endif
