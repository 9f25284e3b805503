/* The pair models of many graphs, read from every side.
 *
 * The arrays of the models stay where they are. Added are, per candidate, where its edges begin,
 * and the numbers of the edges that end there: 4 bytes an edge beside the 16 of the model.
 */
#ifndef GM_MULTI_GRAPHS_H
#define GM_MULTI_GRAPHS_H

#include "base/pool.h"
#include "gm.h"

typedef struct multi_pair {
    const gm_model *model;
    int32_t g, h;         /* g < h: the left and the right graph */
    int32_t *right_start; /* n2 + 1: the candidates of right node s begin here, by ascending left */
    int32_t *left_start;  /* n1 + 1: those of left node i, by ascending right, are */
    int32_t *by_left;     /* by_left[left_start[i] ..] */
    int64_t *after;       /* n_candidates + 1: the edges from k to later candidates begin here */
    int64_t *before;      /* n_candidates + 1: the edges from earlier candidates to k are */
    int32_t *earlier;     /* earlier[before[k] ..], by their number in the model */
    int conflicts;        /* some edges join candidates that share a node: such are never paid */
} multi_pair;

typedef struct multi_graphs {
    int32_t d, n_nodes, n_pairs, largest; /* all nodes; nodes of the largest graph */
    const int32_t *n;
    int32_t *base; /* d + 1: number of the first node of each graph */
    multi_pair *pairs;
} multi_graphs;

/* Takes memory; look at pool->failed afterwards. GM_OK, or GM_ELIMIT for more than 2^31 edges. */
int multi_graphs_take(multi_graphs *graphs, gm_pool *pool, const gm_multi_model *model);

/* The pair of two different graphs, in either order. */
static inline int32_t multi_pair_number(const multi_graphs *graphs, int32_t g, int32_t h)
{
    const int32_t low = g < h ? g : h, high = g < h ? h : g;
    return low * (2 * graphs->d - low - 1) / 2 + high - low - 1;
}

/* The candidate of left node i and right node s, or -1. */
int32_t multi_candidate(const multi_pair *pair, int32_t i, int32_t s);

/* The same for node i of graph g and node s of graph h, in either order. */
static inline int32_t multi_candidate_of(const multi_pair *pair, int32_t g, int32_t i, int32_t s)
{
    return pair->g == g ? multi_candidate(pair, i, s) : multi_candidate(pair, s, i);
}

static inline int multi_conflict(const gm_model *model, int32_t p, int32_t q)
{
    return model->left[p] == model->left[q] || model->right[p] == model->right[q];
}

/* Cost of the edge between two candidates, 0 where there is none or it can never be paid. */
double multi_edge(const multi_pair *pair, int32_t p, int32_t q);

#endif
