/* The common input and output of kernels: status codes, the clock, the model, and the numbers of an
 * answer for the user. */
#ifndef GM_GM_MODEL_H
#define GM_GM_MODEL_H

#include <stdint.h>

enum gm_status {
    GM_OK = 0,
    GM_ENOMEM = -1,      /* out of memory */
    GM_EARGUMENT = -2,   /* an argument breaks the documented contract */
    GM_EINFEASIBLE = -3, /* no complete matching exists */
    GM_ELIMIT = -4,      /* a documented size limit is exceeded */
    GM_ECUT = -5         /* the run was over in the middle of this: see gm_watch */
};

const char *gm_status_text(int status);

/* Seconds on the monotonic clock; the same clock as Python's time.perf_counter(). */
double gm_clock(void);

/* When a run is over, whatever it is doing. */
typedef struct gm_watch {
    double deadline;     /* the run is over at this gm_clock(); 0: never */
    const int32_t *stop; /* NULL, or the run is over once this is not 0; another thread sets it */
    int64_t unlooked;    /* work since the last look */
    int32_t is_over;
} gm_watch;

/* ---- the model ------------------------------------------------------------------------------
 * A graph matching problem of n1 left nodes and n2 right nodes, the labels. Candidates are the
 * pairs that may be matched, sorted by (right, left), so that those of one label stand together.
 * Edges join candidates that cost something together; a < b, sorted by (a, b). complete = 1: every
 * left node must be matched (the caller makes sure that n1 <= n2).
 */
typedef struct gm_model {
    int32_t n1, n2;
    int32_t n_candidates;
    int64_t n_edges;
    const int32_t *left, *right; /* n_candidates */
    const double *cost;          /* n_candidates */
    const int32_t *a, *b;        /* n_edges: the two candidates of an edge */
    const double *edge_cost;     /* n_edges */
    int32_t complete;
    double tolerance; /* see below; 0: a gap is closed if value and bound are equal */
} gm_model;

/* Cost of a matching, given by the label of each left node, -1 = unmatched: the costs of candidates
 * in the order of the nodes, then those of edges. GM_EARGUMENT if labels use a pair that is not a
 * candidate, or a label twice. */
int gm_matching_cost(const gm_model *model, const int32_t *labels, double *cost);

/* By how much that cost may be off, as it is computed here and in kernels: rounding, twice. */
double gm_matching_error(const gm_model *model, const int32_t *labels);

/* ---- when a gap counts as closed -------------------------------------------------------------
 * The one rule, for the driver, which decides, and for kernels that stop early:
 *
 *     value - bound <= tolerance = 1e-9 scale,     scale = gm_cost_scale.
 *
 * It does not depend on the value: a constant in it, or a reward on every match, hides nothing. The
 * driver also accepts the rounding error of the value (gm_matching_error). The gap that
 * people read is (value - bound) / max(|value|, scale). Value and bound come without the problem's
 * constant. Without a value or a bound no gap is closed, and it is infinite.
 */
double gm_tolerance(double scale);
double gm_relative_gap(double value, double bound, double tolerance);
int gm_gap_closed(double value, double bound, double tolerance);

/* The typical difference of two matchings at one node or link (see model/scale.c): it stays the
 * same when a constant is added to all costs of a node or of a label or to all costs, and takes
 * ignores costs that are much too high. 0 if all matchings of as many pairs cost the same,
 * and if memory is short. */
double gm_cost_scale(const gm_model *model);

/* A cost and a lower bound as the user sees them: with the problem's constant added, and negated
 * if the problem is maximised. A bound that the addition would round up is rounded down. */
double gm_report_value(double cost, double offset, int maximised);
double gm_report_bound(double bound, double offset, int maximised);

/* The result of a matching of this cost and a lower bound, which is capped by the
 * cost; cost and bound come without the constant. */
typedef struct gm_verdict {
    double value, bound; /* gm_report_value and gm_report_bound of them */
    double gap;          /* gm_relative_gap */
    int32_t closed;      /* gm_gap_closed, by the tolerance or the error, which is larger */
} gm_verdict;
gm_verdict gm_settle(double cost, double bound, double offset, int maximised, double tolerance,
                     double error);

/* The rounding error of a bound, at most; to be subtracted from it. n_roundings is the
 * largest number of operations that one of its terms has seen, magnitude the sum over the terms of
 * the largest number on the way to each (derived in base/rounding.h). 0 if all numbers are 0. */
double gm_rounding_error(double n_roundings, double magnitude);
/* The same for a sum of numbers that are exact: 0 below the normal numbers. */
double gm_sum_error(double n_roundings, double magnitude);

/* ---- canonical form --------------------------------------------------------------------------
 * Sorts n candidates by (right, left), in place; rank[k] gets the new position of candidate k.
 * If a pair occurs twice, repeated gets the old positions of the first such, else -1 twice. */
int gm_sort_candidates(int32_t n1, int32_t n2, int32_t n, int32_t *left, int32_t *right,
                       double *cost, int32_t *rank, int32_t *repeated);
/* Renumbers the ends of edges by rank (NULL: not at all), makes a < b, sorts, and adds up the costs
 * of equal pairs, in place; n_distinct edges remain. n: number of candidates. */
int gm_sort_edges(int32_t n, int64_t n_edges, const int32_t *rank, int32_t *a, int32_t *b,
                  double *cost, int64_t *n_distinct);

/* ---- factored problems ------------------------------------------------------------------------
 * Y += (K + K') X / 2 for n1 x n2 matrices X and Y, stored row by row. K has an entry for every
 * entry (e, f) of the m1 x m2 matrix KQ of pairs of edges: from pair (start1[e], start2[f]) to pair
 * (end1[e], end2[f]). Row e of KQ has the columns column[row_start[e]] and so on.
 */
void gm_factored_product(int32_t m1, const int64_t *row_start, const int32_t *column,
                         const double *KQ, const int32_t *start1, const int32_t *end1,
                         const int32_t *start2, const int32_t *end2, int32_t n2, const double *X,
                         double *Y);

#endif
