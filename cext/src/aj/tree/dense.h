/* Branch and bound for dense complete problems: n nodes, n labels, every label taken once.
 *
 * Depth first; dense_level.h has the subproblem of one depth and its bound. Costs may be M = L + Z
 * of the semidefinite bound. A matching costs less by M than by L, so from AJ_DENSE_MODEL nodes on
 * Z is subtracted again: the stronger bound is worth less there than the true costs.
 *
 * Everything is allocated at the start; a unit of work is one subproblem. */
#ifndef GM_AJ_TREE_DENSE_H
#define GM_AJ_TREE_DENSE_H

#include "aj/aj.h"
#include "aj/model/symmetry.h"
#include "aj/tree/dense_level.h"

typedef struct aj_dense {
    int32_t n, depth; /* levels in use; 0 = the search is over */
    int opened;       /* the root */
    aj_dense_level *levels;
    int32_t *chosen;             /* n: candidate fixed at each level */
    double work;                 /* so far, estimated in nanoseconds */
    aj_assignment lap;           /* of a star, a look ahead, or the master */
    double *increase;            /* n x n: of the bound, when the cell is chosen; +inf = deleted */
    const aj_symmetry *symmetry; /* or NULL */
    int32_t *row_orbit, *column_orbit; /* n: the first row (column) of each one's orbit */
    int32_t *orbit, *member;           /* scratch, per member of a side */
    uint8_t *fixed;                    /* scratch: its decisions */
    double *orbit_increase;            /* scratch, n x n */
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
