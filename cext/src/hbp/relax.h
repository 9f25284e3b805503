/* Hungarian belief propagation: the relaxation of one search node of hbp, in interruptible pieces.
 *
 * Everything is maximised, and the sides are exchanged as in the original: variables are the labels
 * s, their states the nodes i. The dual is the sum of the maxima of the variables' beliefs b_s(i)
 * and of the pairs' theta_st(i, j) + f(i) + g(j), and of the assignment's duals u_s + v_i, which
 * have been moved out of the beliefs.
 *
 * The messages f and g are not stored. When a variable has collected from all its pairs and divided
 * its belief among them, B_s each, the message of a pair is f(i) = B_s(i) - m(i), where m, the
 * pair's max-marginal, is one number but for a few states (pairs.h). While pairs are updated one
 * after the other, only the sum of a variable's messages and each pair's next max-marginal are
 * needed. So a search node takes O(n^2 + edges), n the number of variables.
 */
#ifndef GM_HBP_RELAX_H
#define GM_HBP_RELAX_H

#include "hbp/pairs.h"

enum hbp_progress {
    HBP_PAUSED,   /* out of time */
    HBP_ITERATED, /* after one inner iteration */
    HBP_ENDED     /* after the last one */
};

typedef struct hbp_relax {
    const hbp_pairs *pairs;
    int32_t n;
    double grain;      /* integers per unit of cost, for the assignment */
    gm_watch *watch;   /* of the run */
    double *belief;    /* n x n: variable by state */
    double *sum;       /* n x n: of the messages f to each variable, as pairs are updated */
    hbp_messages into; /* newest max-marginals of each pair */
    double *give[2];   /* scratch: states of both sides of a pair */
    double *zeros;     /* a belief of 0 in every state */
    int32_t *state;    /* scratch: states at which a message is not as usual, */
    double *value, *before, *half;             /* and numbers of each */
    int64_t *cost, *dual_u, *dual_v, *scratch; /* the assignment in integers */
    int32_t *decode, *row_of;                  /* and its matching */

    /* start of the children: memory in one piece, copied as a whole */
    char *inherited;
    size_t inherited_size;
    double *divided;                     /* B, n x n */
    double *u, *v, *u_before, *v_before; /* before: when the belief was divided */
    hbp_messages used;                   /* m */

    /* state of the current search node */
    int n_inner;      /* inner iterations so far */
    int pairs_swept;  /* of the two sweeps of this iteration, the second is under way */
    int64_t position; /* in the sweep */
    int64_t *turn;    /* of each variable in the sweep over variables, 0 = not yet */
    double best_primal;
    int32_t *best_decode; /* state of each variable */
    /* the smallest of this search node so far: */
    double dual;       /* the original's, which may be below the optimum, */
    double valid_dual; /* and an upper bound for certain */
    gm_pool pool;
} hbp_relax;

/* GM_OK or GM_ENOMEM; starts with all messages 0. */
int hbp_relax_init(hbp_relax *relax, const hbp_pairs *pairs, double grain, gm_watch *watch);
void hbp_relax_clear(hbp_relax *relax);

/* Begins a search node with the beliefs that are set. */
void hbp_relax_begin(hbp_relax *relax);
/* Computes the beliefs that follow from the inherited ones. */
void hbp_relax_restore(hbp_relax *relax);
/* One inner iteration of the search node, or the rest of one that was paused. A dual below `lower`
 * ends the search node early. */
enum hbp_progress hbp_relax_advance(hbp_relax *relax, double lower, double deadline);

#endif
