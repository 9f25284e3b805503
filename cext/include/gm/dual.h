/* Fusion moves and the dual methods: fm, fm-bca, dd-ls, mp, hbp. */
#ifndef GM_GM_DUAL_H
#define GM_GM_DUAL_H

#include "gm/run.h"

/* ---- fusion moves ---------------------------------------------------------------------------
 * fm: randomised greedy matchings, fused one after the other into the best so far.
 */
typedef struct gm_fm_options {
    uint64_t seed;
    int32_t improve;  /* stop QPBO-I after this many rounds without a gain; 0 = persistency only */
    int64_t patience; /* finished after this many proposals without a better value */
} gm_fm_options;

gm_run *gm_fm_new(const gm_model *model, const gm_fm_options *options);
int gm_fm_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fm_free(gm_run *run);

/* fm-bca: the same on costs reparametrised by dual block-coordinate ascent; one iteration is one
 * sweep of the dual. */
typedef struct gm_fm_bca_options {
    uint64_t seed;
    int32_t improve;     /* as in gm_fm_options */
    double primal_share; /* work of proposals per unit of work on the dual in the first sweeps; less
                            later */
    int64_t patience;    /* finished after this many iterations without progress */
} gm_fm_bca_options;

gm_run *gm_fm_bca_new(const gm_model *model, const gm_fm_bca_options *options);
int gm_fm_bca_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fm_bca_free(gm_run *run);

/* Tabu search by itself, for tests: this many steps from labels, a matching (complete if the model
 * is), which is overwritten by the best one visited. cost gets its cost as the search has added it
 * up. */
int gm_tabu_search(const gm_model *model, uint64_t seed, int64_t steps, int32_t *labels,
                   double *cost);

/* min sum c_i z_i + sum q_t z_u[t] z_v[t] over binary z, every pair u < v at most once: labels gets
 * the weakly persistent values (-1 = undecided). With improve > 0, QPBO-I decides the others until
 * this many rounds find nothing better, and value gets the value of labels, else NaN. */
int gm_qpbo(int32_t n, const double *c, int64_t n_terms, const int32_t *u, const int32_t *v,
            const double *q, uint64_t seed, int32_t improve, int32_t *labels, double *value);

/* ---- dual decomposition: dd-ls0, dd-ls3, dd-ls4 ----------------------------------------------
 * Bound and matchings from a linear assignment, spanning forests of the left and of the right
 * graph, and for local = 3 or 4 connected sets of this many nodes, all minimised exactly; see
 * ddls/ddls.h.
 */
typedef struct gm_ddls_options {
    int32_t local;     /* nodes of a local subproblem; fewer than 3 = none */
    double step;       /* first factor of the Polyak step, in (0, 2) */
    double deflection; /* gamma of the deflected directions, in [0, 2) */
    int64_t patience;  /* iterations without a rise before the factor shrinks */
    double tol;        /* finished when the factor falls below this */
    uint64_t seed;
} gm_ddls_options;

gm_run *gm_ddls_new(const gm_model *model, const gm_ddls_options *options);
int gm_ddls_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_ddls_free(gm_run *run);

/* ---- mp: message passing with an exact assignment part -------------------------------------- */
typedef struct gm_mp_options {
    double kept;         /* share of a node for the assignment, if each link gets 1 */
    int32_t tighten;     /* 1: add triplets of nodes */
    int32_t frank_wolfe; /* 1: Frank-Wolfe from every rounded matching */
} gm_mp_options;

gm_run *gm_mp_new(const gm_model *model, const gm_mp_options *options);
int gm_mp_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_mp_free(gm_run *run);

/* ---- hbp: Hungarian belief propagation in branch and bound ------------------------------------
 * For square problems in which every node is matched. Pairs with left >= block_left and right >=
 * block_right are allowed at cost 0 without being candidates. */
typedef struct gm_hbp_options {
    int32_t block_left, block_right;
    int32_t may_drop; /* 1: a forbidden pair may be decoded; its node stays unmatched */
    int32_t exact;    /* 1: valid duals, prohibitive penalties, a right gap test: an exact search */
} gm_hbp_options;

gm_run *gm_hbp_new(const gm_model *model, const gm_hbp_options *options);
int gm_hbp_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_hbp_free(gm_run *run);

#endif
