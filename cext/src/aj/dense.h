/* Branch and bound for dense complete problems: n nodes, n labels, every label taken once.
 *
 * dense_level.h has the bound of a subproblem. Costs may be M = L + Z of the semidefinite bound;
 * below AJ_DENSE_MODEL nodes Z is taken out again, since there M's underestimate costs more than
 * its strength is worth.
 *
 * Everything is allocated at the start; a unit of work is one subproblem. */
#ifndef GM_AJ_DENSE_H
#define GM_AJ_DENSE_H

#include "aj/aj.h"
#include "aj/dense_level.h"
#include "aj/symmetry.h"

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

enum aj_dense_event { AJ_DENSE_GOES_ON, AJ_DENSE_MATCHING, AJ_DENSE_ENDED };

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
