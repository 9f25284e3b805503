/* Many graphs at once. */
#ifndef GM_GM_MULTI_H
#define GM_GM_MULTI_H

#include "gm/run.h"

/* ---- many graphs at once ----------------------------------------------------------------------
 * d graphs of n[g] nodes and a model for every pair of them, in the order (0, 1), (0, 2), ...,
 * (1, 2), ...; pair (g, h) has n1 = n[g], n2 = n[h] and is never complete. A solution is a
 * partition of all nodes into tracks with at most one node of each graph, every two nodes of a
 * track a candidate of their pair; its cost is the sum of the costs of all pairs. run->labels holds
 * the track of every node, graph after graph, numbered by first appearance.
 *
 * An iteration is one of: some sweeps on a pair; one graph matched to the tracks of the others; the
 * exchanges of one track; one round of the cycle bound.
 */
typedef struct gm_multi_model {
    int32_t d;
    const int32_t *n;
    const gm_model *pairs;
    double tolerance; /* of the sum, for gm_gap_closed */
} gm_multi_model;

enum gm_multi_bound {
    GM_BOUND_PAIRS = 0,  /* the sum of the bounds of all pairs */
    GM_BOUND_AUTO = 1,   /* and cycle inequalities while the search finds nothing better */
    GM_BOUND_CYCLES = 2, /* and cycle inequalities, most of the time */
    GM_BOUND_NONE = 3    /* no bound, no pair is solved: the search alone */
};

typedef struct gm_multi_options {
    uint64_t seed;
    const int32_t *init; /* a track for each node, or NULL */
    int32_t bound;       /* enum gm_multi_bound */
    int64_t patience;    /* finished after this many perturbations without a gain; 0: never */
    int64_t sweeps;      /* of the dual of each pair */
} gm_multi_options;

gm_run *gm_multi_new(const gm_multi_model *model, const gm_multi_options *options);
int gm_multi_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_multi_free(gm_run *run);

#endif
