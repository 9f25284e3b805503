/* An upper bound on the pairs that a frame of the search for small graphs can add, by duals of a
 * linear programme.
 *
 * Let i and j be neighbours in the first graph, s and t in the second, x_is = 1 if i is mapped to
 * s, y_{is,jt} = 1 if also j is mapped to t, and w_{is,j} = 1 if i is mapped to s, but j is lost.
 *     maximise  sum_is x_is,   sum_s x_is <= 1,   sum_i x_is <= 1,
 *     x_is = sum_t y_{is,jt} + w_{is,j},   sum_s w_{is,j} <= 1 - sum_t x_jt,
 * the same for neighbours t of s, and x_is in [0, 1]. Multipliers lost_ij >= 0 of the last
 * inequality and pair_{is,jt} = -pair_{jt,is} of the two places where y_{is,jt} stands leave a star
 * for every pair (i, s), which is a matching of at most four neighbours with four, and for every
 * class an assignment of its nodes. Each choice of multipliers gives a bound. Steps along
 * subgradients improve them.
 *
 * All numbers are integers, UNIT stands for one node: bounds have no rounding errors.
 *
 * The bound takes as long as a hundred nodes of the tree. So it is asked, in trees that are not
 * over soon, about frames whose subtrees have had as many, and again each time that they have had
 * twice as many.
 */
#ifndef GM_SUBGRAPHS_DUAL_H
#define GM_SUBGRAPHS_DUAL_H

#include "base/pool.h"
#include "subgraphs/known.h"

enum {
    DUAL_NODES = 64,
    DUAL_NEAR = 4,      /* neighbours of a node, at most */
    DUAL_START = 20000, /* nodes of the tree before any bound is asked for */
    DUAL_FIRST = 100,   /* nodes of the tree before the bound of a frame is asked for */
    DUAL_LOOK = 20      /* nodes between two looks at all frames */
};

struct small_search;

/* Places of the two ends of the star of a pair: [a * DUAL_NEAR + b]. */
typedef struct dual_star {
    int32_t of[DUAL_NEAR * DUAL_NEAR];
} dual_star;

typedef struct dual_side {
    int32_t n_near[DUAL_NODES];
    int32_t near[DUAL_NODES][DUAL_NEAR], code[DUAL_NODES][DUAL_NEAR];
    int32_t place[DUAL_NODES][DUAL_NEAR]; /* of the node among the neighbours of that neighbour */
    int32_t lost[DUAL_NODES][DUAL_NEAR];  /* multipliers */
    int32_t slope[DUAL_NODES][DUAL_NEAR]; /* derivatives by them */
    int32_t image[DUAL_NODES];            /* of the assignment, -1: none */
    int32_t in_class[DUAL_NODES];         /* -1: none */
    int32_t sum[DUAL_NODES];              /* of the multipliers at the node */
    int64_t price[DUAL_NODES];            /* dual of the assignment */
} dual_side;

/* The nodes on the right that each node on the left may still become. */
typedef struct dual_pairs {
    uint64_t of[DUAL_NODES];
} dual_pairs;

typedef struct small_dual {
    dual_side left, right;
    dual_star pair[DUAL_NODES][DUAL_NODES];
    int32_t chosen[DUAL_NODES][DUAL_NEAR]; /* of the stars of the assignment: place, -1: lost */
    uint64_t open[DUAL_NODES];             /* partners on the right */
    int64_t worth[DUAL_NODES][DUAL_NODES]; /* of pairs */
    int64_t cost[DUAL_NODES * DUAL_NODES], u[DUAL_NODES], v[DUAL_NODES],
        scratch[5 * DUAL_NODES + 5];
    int32_t col_of[DUAL_NODES], row_of[DUAL_NODES];
    int64_t next_look;
    dual_pairs allowed[DUAL_NODES + 1]; /* of each frame */
} small_dual;

/* Reads the graphs, whose nodes have at most DUAL_NEAR neighbours. */
void dual_begin(small_dual *dual, const struct small_search *s);

/* An upper bound on the pairs that the n classes add; improved until it is below `needed` or steps
 * gain little. Pairs that no subgraph of `needed` more pairs has are not allowed any more. */
int32_t dual_most(small_dual *dual, const struct small_search *s, const small_class *of, int32_t n,
                  int32_t needed, dual_pairs *allowed);

#endif
