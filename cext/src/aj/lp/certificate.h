/* The root bound's certificate: the split of every pair cost, and the column duals of all LAPs.
 * Any numbers give a valid bound, so a checker that recomputes the bound need not trust the solver.
 */
#ifndef GM_AJ_LP_CERTIFICATE_H
#define GM_AJ_LP_CERTIFICATE_H

#include "aj/sdp/relaxation.h"

typedef struct aj_certificate {
    double value; /* scaled, without the offset */
    int64_t n_pairs;
    int32_t *a, *b; /* candidates of the model, n_candidates + i = node i unmatched */
    double *split;  /* the star of a pays (theta + split)/2, that of b (theta - split)/2 */
    int32_t n_stars;
    int32_t *star, *star_label; /* candidate and label of every column dual below 0 */
    double *star_dual;
    double *label_dual; /* n2 */
    /* of the semidefinite bound: pairs and splits follow from Z then */
    int32_t n_variables, n_slacks;
    int32_t *variable;  /* n_variables: candidate as above, -1 = the constant 1, or -2 - l = the
                           slack of label l */
    double *Z;          /* n_variables^2 */
    double *slack_dual; /* n_slacks x n2: column duals of the slacks' stars */
    /* of a stage: its deletions, see stages.h */
    int32_t n_gone, n_gone_duals;
    int32_t *gone;                   /* candidates */
    int32_t *gone_star, *gone_label; /* and the column duals below 0 of their look ahead */
    double *gone_dual;
    int64_t n_gone_pairs;
    int32_t *pair_a, *pair_b;
    gm_pool pool;
} aj_certificate;

/* The certificates so far, if they are asked for: the best bound of the root, and a proof by
 * deletions.
 */
typedef struct aj_certified {
    const gm_index *index;
    double scale;
    int wanted;
    int whole;            /* the root is still the whole problem, except for propagated decisions */
    aj_certificate *best; /* of all evaluations of the whole problem */
    /* a proof by deletions, see stages.h */
    int staged;    /* it has begun with the whole problem, and every deletion can be checked */
    int complete;  /* it is a proof: below the cutoff nothing remains */
    double cutoff; /* scaled */
    int32_t n_stages, n_allocated;
    aj_certificate **stages;
    aj_certificate *present; /* the stage of the last evaluation: not added yet */
} aj_certified;

/* Keeps the proof of the root's star bound at the duals w, if that bound is the best so far. GM_OK
 * or GM_ENOMEM. */
int aj_certified_stars(aj_certified *certified, const aj_problem *root, const aj_bound *bound,
                       const double *w);
/* The same for the semidefinite bound of the root, which may also be a stage. GM_OK or GM_ENOMEM.
 */
int aj_certified_sdp(aj_certified *certified, const aj_sdp *root, const aj_bound *bound);
/* The candidate of the model that each candidate of a subproblem is (n_candidates + node for the
 * dummy of a node), freed by the caller. NULL when out of memory. */
int32_t *aj_certified_candidates(const gm_index *index, const aj_problem *problem);
void aj_certificate_free(aj_certificate *certificate);
void aj_certified_clear(aj_certified *certified);

#endif
