/* Hungarian belief propagation: the relaxation of one search node of hbp, in interruptible pieces.
 *
 * Everything is maximised, and the sides are exchanged as in the original: variables are the labels
 * s, their states the nodes i. The dual is the sum of the maxima of the variables' beliefs b_s(i),
 * of the pairs' theta_st(i, j) + f(i) + g(j), and of the assignment's duals u_s + v_i that left the
 * beliefs.
 *
 * f and g need no vectors. When a variable has collected from all its pairs and shared out its
 * belief B_s, the message of each pair is f(i) = B_s(i) - m(i), where m, the pair's max-marginal,
 * is one number but for a few states (pairs.h). In between, while pairs are updated one after the
 * other, only the sum of a variable's messages and each pair's next max-marginal are ever asked
 * for. A search node is thus stored in O(n^2 + edges), n the number of variables.
 */
#ifndef GM_HBP_RELAX_H
#define GM_HBP_RELAX_H

#include "hbp/pairs.h"

enum hbp_progress {
    HBP_PAUSED,
    HBP_ITERATED,
    HBP_DONE
}; /* out of time; after one inner iteration; after the last */

enum { HBP_INNER = 5 }; /* iterations of a search node */

typedef struct hbp_relax {
    const hbp_pairs *pairs;
    int32_t n;
    double grain;      /* integers per unit of cost, for the assignment */
    double *belief;    /* n x n: variable by state */
    double *sum;       /* n x n: of the messages f to each variable, as pairs are updated */
    hbp_messages into; /* newest max-marginals of each pair */
    double *give[2];   /* scratch: states of both sides of a pair */
    double *nothing;   /* a belief of 0 in every state */
    int32_t *state;    /* scratch: exceptions among the states, */
    double *value, *before, *half; /* and numbers of each */
    int64_t *cost, *dual_u, *dual_v, *scratch;
    int32_t *decode, *row_of;

    /* what children start from: memory in one piece, copied as a whole */
    char *kept;
    size_t n_kept;
    double *shared;                      /* B, n x n */
    double *u, *v, *u_before, *v_before; /* before: when B was shared */
    hbp_messages used;                   /* m */

    /* where the current search node stands */
    int inner;        /* iterations done */
    int pairs_swept;  /* of the two sweeps of this iteration, the second is under way */
    int64_t position; /* in the sweep */
    int64_t *turn;    /* of each variable in the sweep over variables, 0 = not yet */
    double best_primal;
    int32_t *best_decode; /* state of each variable */
    double dual,
        valid; /* the original's dual, and one with true maxima; the smallest of the node so far */
    gm_pool pool;
} hbp_relax;

/* GM_OK or GM_ENOMEM; starts with all messages 0. */
int hbp_relax_init(hbp_relax *relax, const hbp_pairs *pairs, double grain);
void hbp_relax_clear(hbp_relax *relax);

/* Begins a search node with the beliefs that are set. */
void hbp_relax_begin(hbp_relax *relax);
/* The beliefs that follow from what is kept, after that was copied from elsewhere. */
void hbp_relax_restore(hbp_relax *relax);
/* Works on the search node until something happens; a dual below lower ends it early. */
enum hbp_progress hbp_relax_advance(hbp_relax *relax, double lower, double deadline);

#endif
