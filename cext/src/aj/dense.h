/* Branch and bound for dense complete problems: n nodes, n labels, every label taken once.
 *
 * Each subproblem has k x k cells (node, label) with leader costs l and costs C of ordered pairs; a
 * matching costs D + sum of l + sum of C over its cells, and once the stars are solved all of them
 * are at least 0, so that D is a bound. Hahn and Grant's dual ascent (1998) moves leaders into the
 * stars, solves each star as an assignment problem, and lets a master assignment problem collect
 * their values. Costs may be M = L + Z of the semidefinite bound; below AJ_DENSE_MODEL nodes Z is
 * taken out again, since there M's underestimate costs more than its strength is worth.
 *
 * Everything is allocated at the start; a unit of work is one subproblem. */
#ifndef GM_AJ_DENSE_H
#define GM_AJ_DENSE_H

#include "aj/aj.h"
#include "aj/assignment.h"
#include "aj/symmetry.h"

typedef struct aj_dense_level {
    int32_t k;
    int32_t *row_node, *column_label;      /* k each: of the model */
    int symmetric_nodes, symmetric_labels; /* some exchange may leave all decisions in place */
    int32_t *candidate;                    /* k x k: of the problem, or -1 */
    double *leader;                        /* k x k; +inf = deleted */
    double *pair;                          /* k^2 x k^2 */
    double *z_leader, *z_pair, z_constant;
    double bound, error; /* D, and what rounding may have added to it */
    int has_z, solved;
    int32_t n_children, next_child;
    int32_t *child; /* k cells */
    double *child_bound;
} aj_dense_level;

typedef struct aj_dense {
    int32_t n, depth; /* levels in use; 0 = nothing is left */
    int opened;       /* the root */
    aj_dense_level *levels;
    int32_t *chosen;                   /* n: candidate fixed at each level */
    int64_t n_nodes;                   /* subproblems opened so far, */
    double work;                       /* and their work, estimated in nanoseconds */
    aj_assignment lap;                 /* of a star, a look ahead, or the master */
    double *increase;                  /* n x n */
    const aj_symmetry *symmetry;       /* or NULL */
    int32_t *orbit, *member;           /* of a side; scratch */
    int32_t *row_orbit, *column_orbit; /* n: the first row (column) of each one's orbit */
    uint8_t *fixed;
    double *orbit_increase; /* n x n */
    gm_pool pool;
} aj_dense;

enum aj_dense_event { AJ_DENSE_GOES_ON, AJ_DENSE_MATCHING, AJ_DENSE_FINISHED };

/* Whether a problem is of this kind: as many labels as nodes. */
int aj_dense_fits(const aj_problem *problem);
/* The search of a problem that fits and has full tables for all pairs. `problem` holds the costs L,
 * `changed` and half (as aj_bound's) the costs M. The symmetry, which must outlive the search, is
 * that of the model behind the index. NULL when out of memory. */
aj_dense *aj_dense_new(const aj_problem *problem, const aj_problem *changed, const double *half,
                       const gm_index *index, const aj_symmetry *symmetry);
void aj_dense_free(aj_dense *dense);

/* One subproblem. AJ_DENSE_MATCHING: chosen[0 .. n-1] is a matching that may be better. */
enum aj_dense_event aj_dense_advance(aj_dense *dense, double cutoff);

/* A lower bound on all that is still open. */
double aj_dense_bound(const aj_dense *dense);
/* The part of the tree that is done, between 0 and 1, each subtree counting with the size that
 * branching guessed for it. */
double aj_dense_progress(const aj_dense *dense, double cutoff);

#endif
