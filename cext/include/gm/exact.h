/* The exact method, and its bounds for each candidate. */
#ifndef GM_GM_EXACT_H
#define GM_GM_EXACT_H

#include "gm/linear.h"
#include "gm/run.h"

/* ---- aj: the exact method -------------------------------------------------------------------
 * Ascent on the sparse Adams-Johnson linear programme, star bound, fixing by reduced costs, branch
 * and bound. An iteration is one step of the ascent, one evaluation of the bound, or one opened
 * subproblem.
 */
/* The open subproblems of a search, from which a later run continues it. Subproblem k
 * holds the matchings that agree with the decisions start[k] .. start[k + 1] - 1: node takes label,
 * or stays unmatched (-1). Every matching that is in none of them costs at least value, but for
 * rounding and the tolerance of the model, or as much as one that is. Options that say which
 * matchings are of interest must be the same in both runs. */
typedef struct gm_aj_open {
    double value;          /* of the best matching, +inf without one, */
    double bound;          /* and a lower bound on all */
    const int32_t *labels; /* n1: the best matching; in options it is `init` */
    int32_t n;
    const int64_t *start; /* n + 1 */
    const int32_t *node, *label;
    const double *lower;  /* n: bounds on the subproblems; in options they ascend */
    const double *weight; /* n: their shares of the whole tree, estimated; the rest is done */
} gm_aj_open;

/* A subproblem of the semidefinite phase whose children are searched: its candidates and pairs that
 * were not deleted, and the matrices of its ADMM (rows and columns: a constant, then the
 * candidates). A later run with the same options, a matching as good as the best one of then, and
 * open subproblems that all lie in it begins with it as its root. */
typedef struct gm_aj_root {
    int32_t n;                /* candidates, */
    const int32_t *slot;      /* n: by number in the order of (node, label) */
    int32_t n_chosen;         /* and those of nodes without another one */
    const int32_t *chosen;    /* n_chosen */
    const uint8_t *allowed;   /* (n + 1) x (n + 1): pairs that were not deleted */
    const double *Y, *Z, *Zt; /* (n + 1) x (n + 1) */
    double scale, penalty, lower;
    int64_t steps;
} gm_aj_root;

typedef struct gm_aj_options {
    int64_t seed;
    int32_t branch;     /* 0: stop when the root bound stalls */
    int32_t fix;        /* 0: no fixing by reduced costs */
    int64_t lift_limit; /* full tables are used when they have at most this many entries */
    int64_t memory;     /* megabytes for the subproblems on the path of the search */
    int32_t certify;    /* 1: keep the duals of the root bound, see gm_aj_certificate */
    int32_t plain; /* 1, for tests: no search for matchings beyond the first one, so that the proof
                      must come upon better ones itself */
    const int32_t *init; /* n1 labels (-1 = unmatched; complete if the model is), or NULL */
    double seconds;      /* to the time limit: a long step that would exceed it is not begun */
    gm_lapack *lapack;   /* for the semidefinite phase, or NULL: there is none */
    int32_t sdp;         /* 0: no semidefinite phase; 1: if the root stalls; 2, for tests: always */
    const double *cutoff; /* only matchings that cost at most this are of interest: the search may
                             end with a bound above it; NULL: all are */
    int32_t n_jobs; /* above 1: gm_aj_step returns when there are pieces for threads, see below */
    const gm_aj_open *resume; /* NULL, or the open subproblems of an earlier run, */
    const gm_aj_root *root;   /* and its root, or NULL; borrowed until gm_aj_free */
    int64_t probe; /* 0, or a seed: every subproblem of the semidefinite phase keeps one child,
                      drawn by weight, and nothing is proven. 1 / weight of the open subproblem is
                      the number of its like in the tree (Knuth 1975) */
} gm_aj_options;

gm_run *gm_aj_new(const gm_model *model, const gm_aj_options *options);
int gm_aj_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_aj_free(gm_run *run);

/* The number of pieces of the search that threads may do side by side, each by one thread, between
 * two calls of gm_aj_step; pieces that are not done then, gm_aj_step does itself. The result does
 * not depend on the thread of a piece, nor on their order. */
int32_t gm_aj_n_pieces(const gm_run *run);
/* Does piece 0 .. n_pieces - 1, or as much of it as the seconds allow. 0 = done, the thousandths of
 * it that are left (at least 1), or an error. */
int gm_aj_piece(gm_run *run, int32_t piece, double seconds);

/* Lists the open subproblems, between two calls of gm_aj_step. Arrays are borrowed until the next
 * call or gm_aj_free. GM_OK, GM_ENOMEM, or GM_ECUT if the run was cut: then they are not known. */
int gm_aj_list_open(gm_run *run, gm_aj_open *open);
/* Lends the semidefinite root until the next call of gm_aj_step. Returns 1, or 0 if there is none
 * whose children are searched. */
int gm_aj_lend_root(const gm_run *run, gm_aj_root *root);
/* A semidefinite root whose tree is not expected to end soon branches now, so that its children can
 * be given to another run. Between two calls of gm_aj_step. GM_OK or GM_ENOMEM. */
int gm_aj_branch_now(gm_run *run);
/* Forgets some open subproblems, which another run has: those that gm_aj_list_open lists before and
 * not after. From then on the bound of the run is one on the matchings of the others. They all lie
 * in *parent, which is lent as by gm_aj_lend_root; n = 0: it is not one that can be lent. Returns
 * how many. */
int32_t gm_aj_drop(gm_run *run, gm_aj_root *parent);
/* A matching (n1 labels) that another run has found. */
void gm_aj_offer(gm_run *run, const int32_t *labels);

/* The duals of the best bound on the whole problem, before anything was fixed: a certificate, from
 * which the bound can be computed without the search. Any splits and any column duals <= 0 give a
 * valid bound. Each pair (a, b) of candidates has its cost theta split into (theta + split) / 2 for
 * the star of a and (theta - split) / 2 for that of b. The star of candidate p is a relaxed
 * assignment problem of all other nodes: its value is the sum of its column duals plus, for every
 * node j that p is paired with, the least of (p's part of the cost - dual of the label) over the
 * candidates of j. The master assignment problem, whose costs are unary costs plus values of stars,
 * is bounded in the same way by the label duals. Candidate n_candidates + i stands for node i
 * unmatched. Arrays are borrowed until gm_aj_free; n_pairs = 0: no certificate. */
typedef struct gm_aj_proof {
    int64_t n_pairs;
    const int32_t *a, *b;
    const double *split;
    int32_t n_stars;
    const int32_t *star, *star_label; /* candidate and label of each column dual */
    const double *star_dual;
    int32_t n_labels;
    const double *label_dual;
    /* Of the semidefinite bound, else 0: the costs are changed by Z, which is negative semidefinite
     * on the span of all matchings. Variables are candidates; -1 is the constant, -2 - l the slack
     * of label l. */
    int32_t n_variables, n_slacks;
    const int32_t *variable;
    const double *Z;
    const double *slack_dual; /* n_slacks x n_labels */
    /* Of a stage (gm_aj_stage), else 0: the candidates that it deletes, the column duals that prove
     * it, and the pairs that it deletes */
    int32_t n_gone, n_gone_duals;
    const int32_t *gone, *gone_star, *gone_label;
    const double *gone_dual;
    int64_t n_gone_pairs;
    const int32_t *pair_a, *pair_b;
} gm_aj_proof;

void gm_aj_certificate(const gm_run *run, gm_aj_proof *proof);
/* The number of stages of a proof by deletions; 0: no such proof. Each stage is a
 * semidefinite bound of the matchings that earlier stages have not deleted. Every deleted matching
 * costs at least cutoff. */
int32_t gm_aj_n_stages(const gm_run *run, double *cutoff);
void gm_aj_stage(const gm_run *run, int32_t stage, gm_aj_proof *proof);

/* ---- lower bounds on taking each candidate ------------------------------------------------------
 * The ascent of aj's root without deletions. bounds[k] is a lower bound on every matching that
 * takes candidate k, bounds[n_candidates + i] on every matching in which left node i is unmatched
 * (-inf before the first evaluation, and for nodes of complete models); +inf: no such
 * matching. They only rise. An iteration is one step of the ascent, one sweep or one evaluation. */
typedef struct gm_forced_options {
    const int32_t *labels; /* n1: the matching that might be changed (complete if the model is) */
    int64_t lift_limit;    /* full tables are used when they have at most this many entries */
} gm_forced_options;

gm_run *gm_forced_new(const gm_model *model, const gm_forced_options *options);
int gm_forced_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_forced_bounds(const gm_run *run, double *bounds);
void gm_forced_free(gm_run *run);

#endif
