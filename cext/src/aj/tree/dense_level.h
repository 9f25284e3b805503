/* A subproblem of a dense complete problem, and its bound.
 *
 * It has k x k cells (node, label) with leader costs l and costs C of ordered pairs; a matching
 * costs D + sum of l + sum of C over its cells, and once the stars are solved all of them are at
 * least 0, so that D is a bound. Hahn and Grant's dual ascent (1998) moves leaders into the stars,
 * solves each star as an assignment problem, and lets a master assignment problem collect their
 * values. */
#ifndef GM_AJ_TREE_DENSE_LEVEL_H
#define GM_AJ_TREE_DENSE_LEVEL_H

#include "aj/lp/assignment.h"

/* More than the roundings of a number in one sweep (at most 6), and of the sums that it enters. */
#define AJ_DENSE_ROUNDINGS 16.0

typedef struct aj_dense_level {
    int32_t k;                             /* nodes and labels that are not decided */
    int32_t *row_node, *column_label;      /* k each: of the model */
    int symmetric_nodes, symmetric_labels; /* some exchange may leave all decisions in place */
    int32_t *candidate;                    /* k x k: of the problem, or -1 */
    double *leader;                        /* k x k; +inf = deleted */
    double *pair;                          /* k^2 x k^2 */
    double *z_leader, *z_pair, z_constant; /* the part of Z in these and in the bound */
    double bound, error;                   /* D, and its rounding error */
    int has_z;                             /* costs are L + Z */
    int solved;                            /* the stars: all costs are at least 0 */
    int32_t n_children, next_child;
    int32_t *child; /* k cells */
    double *child_bound;
} aj_dense_level;

/* One sweep of dual ascent; lap is large enough for k rows. Cells that reach the cutoff are deleted
 * once the stars have been solved. 0 = no matching is below the cutoff. */
int aj_level_sweep(aj_dense_level *level, aj_assignment *lap, double cutoff);
/* Deletes cells and pairs whose costs alone reach the gap; the stars must be solved. */
void aj_level_delete(aj_dense_level *level, double gap);
/* The least cost that choosing cell p adds: an assignment of the costs of the other nodes. */
double aj_level_look_ahead(const aj_dense_level *level, aj_assignment *lap, int32_t p);

#endif
