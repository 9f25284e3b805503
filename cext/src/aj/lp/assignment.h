/* Small dense assignment problems (n x n, +inf = forbidden), solved and reduced in place: the stars
 * and the master of a dense subproblem. */
#ifndef GM_AJ_LP_ASSIGNMENT_H
#define GM_AJ_LP_ASSIGNMENT_H

#include "base/pool.h"
#include "base/watch.h"

#include <stdint.h>

typedef struct aj_assignment {
    int32_t n, stride; /* numbers per row: n, rounded up to whole vectors */
    double *cost;      /* n x stride; entries beyond n are +inf */
    double *u, *v;     /* duals */
    /* scratch of an augmenting path, per column: */
    double *distance;
    double *settled; /* 0, or +inf once its distance is final: added to distances */
    double *parent;  /* the row it was reached from, as a number that vectors can hold */
    int32_t *row_of, *column_of; /* the matching; -1 = free */
    gm_watch *watch;             /* for loops over many assignments */
} aj_assignment;

/* Room for up to `most` rows. */
void aj_assignment_take(aj_assignment *assignment, gm_pool *pool, int32_t most);
/* An n x n problem; the caller fills the rows of `cost`. */
void aj_assignment_begin(aj_assignment *assignment, int32_t n);
/* Replaces the costs by reduced costs, all at least 0 whatever the column duals are; returns the
 * amount taken out, +inf if there is no assignment. Raises *magnitude to all numbers met. */
double aj_assignment_reduce(aj_assignment *assignment, double *magnitude);

#endif
