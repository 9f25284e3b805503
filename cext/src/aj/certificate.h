/* The root bound's certificate: the split of every pair cost, and the column duals of all LAPs.
 * Any numbers give a valid bound, so whoever recomputes it need not trust the solver. */
#ifndef GM_AJ_CERTIFICATE_H
#define GM_AJ_CERTIFICATE_H

#include "aj/sdp.h"

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
    int32_t
        *variable; /* n_variables: candidate as above; -1 = the constant 1; -2 - l = slack of l */
    double *Z;     /* n_variables^2 */
    double *slack_dual; /* n_slacks x n2: column duals of the slacks' stars */
    /* of a stage: what it deletes, see stages.h */
    int32_t n_gone, n_gone_duals;
    int32_t *gone;                   /* candidates */
    int32_t *gone_star, *gone_label; /* and the column duals below 0 of their look ahead */
    double *gone_dual;
    int64_t n_gone_pairs;
    int32_t *pair_a, *pair_b;
    gm_pool pool;
} aj_certificate;

/* The best certificate so far, if one is wanted. */
typedef struct aj_certified {
    const gm_index *index;
    double scale;
    int wanted;
    int whole; /* the root is still the whole problem, with its own costs */
    aj_certificate *best;
    /* a proof by deletions */
    int staged;    /* it has begun with the whole problem, and every deletion can be checked */
    int complete;  /* its stages leave nothing below the cutoff */
    double cutoff; /* scaled */
    int32_t n_stages, n_allocated;
    aj_certificate **stages;
    aj_certificate *present; /* of the last evaluation */
} aj_certified;

/* What proves the star bound of the root at the duals w. GM_OK or GM_ENOMEM. */
int aj_certified_stars(aj_certified *certified, const aj_problem *root, const aj_bound *bound,
                       const double *w);
/* What proves the semidefinite bound of the root. GM_OK or GM_ENOMEM. */
int aj_certified_sdp(aj_certified *certified, const aj_sdp *root, const aj_bound *bound);
/* The candidate of the model that each candidate of a subproblem is (n_candidates + node for the
 * dummy of a node), freed by the caller. NULL when out of memory. */
int32_t *aj_certified_candidates(const gm_index *index, const aj_problem *problem);
void aj_certificate_free(aj_certificate *certificate);
void aj_certified_clear(aj_certified *certified);

#endif
