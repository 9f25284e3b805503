/* Classes of items that may still be matched with each other.
 *
 * A class is a set of items of the first graph and one of the second: its members touch the mapped
 * nodes in the same way, so that each on the left may become each on the right. No common subgraph
 * has more pairs of a class than its smaller side has members (McCreesh, Prosser and Trimble, A
 * partitioning algorithm for maximum common subgraph problems, IJCAI 2017).
 *
 * Labels can be such that a fits b and c, and d fits c only. Then classes share members on the
 * right: `overlaps`. Left sides never do.
 */
#ifndef GM_SUBGRAPHS_CLASSES_H
#define GM_SUBGRAPHS_CLASSES_H

#include "subgraphs/sides.h"

typedef struct sub_class {
    int32_t n_left, n_right;
    int32_t anchors; /* by nodes: whether it is adjacent to a mapped node; by edges: mapped ends */
    double most;     /* upper bound on the value of its pairs together */
} sub_class;

/* A list of classes that grows at its end. */
typedef struct sub_classes {
    sub_class *of;
    uint64_t *left, *right; /* words of each class */
} sub_classes;

/* The question: both sides, which nodes and items fit, and the value of a pair of nodes.
 *
 * Weights are handled in levels. Let a(u) be the largest weight of a pair with u, b(v) likewise,
 * and t_1 > t_2 > ... > t_L > t_{L+1} = 0 the different values of both. At most
 *     sum_i (t_i - t_{i+1}) min(|{u in left: a(u) >= t_i}|, |{v in right: b(v) >= t_i}|)
 * is the value of a class: a pair (u, v) is worth at most min(a(u), b(v)). */
typedef struct sub_question {
    const gm_graph_pair *pair;
    gm_common_options options;
    sub_side left, right;
    int32_t *kinds_fit; /* [(n_kinds1 + 1) * (n_kinds2 + 1)] of 1 + kind; 0 fits 0 */
    int32_t kinds2;     /* length of its rows */
    int overlaps;
    int32_t n_levels;
    double *step;                       /* [n_levels] t_i - t_{i+1} */
    uint64_t *left_level, *right_level; /* [n_levels * words] items of at least t_i */
    sub_classes root;                   /* the classes before anything is mapped */
    int64_t n_classes;
    double most; /* upper bound on the value of all of them */
} sub_question;

/* Sets up all of it. GM_OK or GM_ENOMEM. */
int sub_question_take(sub_question *q, gm_pool *pool, const gm_graph_pair *pair,
                      const gm_common_options *options);

/* Whether two nodes, or two edges, may be matched as far as labels decide. */
int sub_nodes_fit(const sub_question *q, int32_t u, int32_t v);

/* The value of the pair of nodes (u, v). */
double sub_pair_weight(const sub_question *q, int32_t u, int32_t v);

void sub_classes_take(sub_classes *classes, gm_pool *pool, const sub_question *q, int64_t n);

/* Fills in sizes and worth of class k. */
void sub_measure(const sub_question *q, sub_classes *classes, int64_t k);

/* Splits the classes from .. to - 1 by the pair of nodes (u, v), and appends the parts from place
 * `end` on; returns the new end. By edges, items with both ends mapped are matched at once: their
 * number is added to *matched. */
int64_t sub_split(const sub_question *q, sub_classes *classes, int64_t from, int64_t to,
                  int64_t end, int32_t u, int32_t v, int32_t *matched);

/* An upper bound on the value of the pairs of the classes from .. to - 1 together. `scratch`: words
 * of the right side. */
double sub_most(const sub_question *q, const sub_classes *classes, int64_t from, int64_t to,
                uint64_t *scratch);

/* Drops the items that no chain of neighbours connects with the mapped nodes, and the classes that
 * this empties; returns the new end. `scratch`: 2 * words of the larger side. */
int64_t sub_keep_reachable(const sub_question *q, sub_classes *classes, int64_t from, int64_t to,
                           uint64_t *scratch);

#endif
