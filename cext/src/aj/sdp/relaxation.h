/* The semidefinite star bound (docs/semidefinite.md has the mathematics).
 *
 * y = (1, candidates, slacks) of a matching; L with y'Ly = cost. For every symmetric Z that is
 * negative semidefinite on the span of all y: cost >= y'(L + Z)y, so any bound for the costs
 * M = L + Z is one for L. Z comes from ADMM on the semidefinite relaxation; the bound from the star
 * bound on the costs M, with its fixing rules: a semidefinite phase is a change of costs. */
#ifndef GM_AJ_SDP_RELAXATION_H
#define GM_AJ_SDP_RELAXATION_H

#include "aj/aj.h"
#include "aj/sdp/basis.h"

typedef struct aj_sdp {
    const gm_lapack *lapack;
    aj_problem *problem; /* every pair of nodes is a full table; the costs L */
    aj_span *span;
    int32_t N, dim; /* variables, dimension of the span */
    double scale;   /* of L inside the ADMM: the largest entry becomes 1 */
    double penalty; /* b */
    int64_t steps;
    int evaluated;     /* `changed` holds the costs of some step */
    double *L, *Y, *Z; /* N x N, symmetric; scaled */
    double *X, *Zt;    /* of the last (precise) step; Zt is negative semidefinite on the span */
    aj_basis basis;    /* of the span, orthonormal */
    uint8_t *allowed;  /* N x N: pairs that a matching may contain */
    double *small, *vectors, *eigenvalue; /* scratch: dim x dim, dim x dim, dim */
    double *scratch;                      /* LAPACK's, and 2 dim^2 for others */
    int *scratch_of_ints;                 /* LAPACK's */
    int n_scratch, n_scratch_of_ints;
    double change, residual; /* |dY|, |Y - X| of the last step */

    /* the problem with the costs M; everything but the costs is that of `problem` */
    aj_problem changed;
    double *cost, *theta, *half; /* n, m, 2m: costs, and the cost of each star */
    double *star_cost;           /* n: scratch */
    double *look_ahead;          /* 2m: scratch */
    double *M;                   /* N x N */
    double *slack_dual;          /* n_slacks x n_labels: column duals of the slacks' stars */
    gm_pool pool;
} aj_sdp;

/* Takes the problem over, which has a full table for every pair of nodes. NULL when out of memory
 * (the problem is freed then, too). */
aj_sdp *aj_sdp_new(aj_problem *problem, const gm_lapack *lapack);
/* The same with the matrices of a root that was kept. */
aj_sdp *aj_sdp_remake(aj_problem *problem, const gm_lapack *lapack, const gm_aj_root *root);
void aj_sdp_free(aj_sdp *sdp);

/* One step of ADMM. precise: Zt is computed for an evaluation; without, eigenvalues may come from
 * single precision, and Zt stays as it is. Returns 0 if LAPACK failed. */
int aj_sdp_step(aj_sdp *sdp, int precise);
/* Estimated nanoseconds of a step. */
double aj_sdp_step_work(const aj_sdp *sdp);

/* Makes `changed` and `half` from Zt of the last step; proves that they are valid. Returns 0 if
 * that failed. */
int aj_sdp_change_costs(aj_sdp *sdp);

/* Makes `changed` and `half` from the costs L, without any Z. */
void aj_sdp_keep_costs(aj_sdp *sdp);

/* Frees all but the problem, which gets the changed costs if there are any, unless they may be
 * wrong by more than the tolerance: no bound could come closer to the best matching then. */
aj_problem *aj_sdp_release(aj_sdp *sdp, double tolerance);

/* The matrices of a smaller problem, which they take over: Z, Zt and Y are restricted to it.
 * candidate_map is the old candidate of each new one; alive, which of the old ones are open or
 * chosen; `chosen` is the candidate that was branched on, or -1. NULL when out of memory (the
 * problem is freed then, too). */
aj_sdp *aj_sdp_restrict(const aj_sdp *from, aj_problem *problem, const int32_t *candidate_map,
                        const uint8_t *alive, int32_t chosen);

/* ---- for its files */

/* Z of the last step in the problem's units, symmetric to the last bit. */
static inline double aj_sdp_multiplier(const aj_sdp *S, int64_t v, int64_t w)
{
    return 0.5 * (S->Zt[v * S->N + w] + S->Zt[w * S->N + v]) / S->scale;
}

static inline double aj_sdp_largest(const double *matrix, int64_t n)
{
    double largest = 0.0;
    for (int64_t k = 0; k < n; k++)
        largest = fabs(matrix[k]) > largest ? fabs(matrix[k]) : largest;
    return largest;
}

#endif
