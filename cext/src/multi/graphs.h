/* The pair models of many graphs, indexed from both sides of each pair; and matchings of all pairs.
 *
 * The arrays of the models are borrowed. Added are, per candidate, the start of its edges, and the
 * numbers of the edges that end there: 4 bytes an edge in addition to the 16 of the model.
 */
#ifndef GM_MULTI_GRAPHS_H
#define GM_MULTI_GRAPHS_H

#include "base/pool.h"
#include "base/watch.h"

typedef struct multi_pair {
    const gm_model *model;
    int32_t g, h; /* g < h: the left and the right graph */
    /* lists as in base/csr.h */
    int32_t *right_start; /* n2 + 1: the candidates of right node s, by ascending left */
    int32_t *left_start;  /* n1 + 1: those of left node i, by ascending right, in by_left */
    int32_t *by_left;     /* n_candidates */
    int64_t *after;       /* n_candidates + 1: the edges from k to later candidates */
    int64_t *before;      /* n_candidates + 1: those from earlier candidates to k, in earlier */
    int32_t *earlier;     /* n_edges: numbers of edges */
    int conflicts;        /* some edges join candidates with a common node: such are never paid */
} multi_pair;

typedef struct multi_graphs {
    int32_t d;                /* graphs */
    int32_t n_nodes, n_pairs; /* of all graphs together */
    const int32_t *n;         /* d: nodes of each graph */
    int32_t *base;            /* d + 1: number of the first node of each graph */
    multi_pair *pairs;
    gm_watch *watch; /* of the run */
} multi_graphs;

/* A matching of every pair of graphs. */
typedef struct multi_matchings {
    int32_t **forward;  /* per pair: the right node of each left node, -1 = none */
    int32_t **backward; /* per pair: the left node of each right node, by multi_matchings_invert */
} multi_matchings;

/* Candidates of one node with the nodes of another graph: number at, or list[at] if there is a
 * list, for at = first .. end-1. */
typedef struct multi_row {
    int32_t first, end;
    const int32_t *list;
} multi_row;

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

/* The candidates of node i of graph g in a pair, by ascending other node. */
static inline multi_row multi_row_of(const multi_pair *pair, int32_t g, int32_t i)
{
    if (pair->g == g)
        return (multi_row){pair->left_start[i], pair->left_start[i + 1], pair->by_left};
    return (multi_row){pair->right_start[i], pair->right_start[i + 1], NULL};
}

static inline int32_t multi_row_candidate(multi_row row, int32_t at)
{
    return row.list ? row.list[at] : at;
}

/* The node that candidate k joins to one of graph g. */
static inline int32_t multi_partner(const multi_pair *pair, int32_t g, int32_t k)
{
    return pair->g == g ? pair->model->right[k] : pair->model->left[k];
}

/* Whether two candidates have a common node. */
static inline int multi_conflict(const gm_model *model, int32_t p, int32_t q)
{
    return model->left[p] == model->left[q] || model->right[p] == model->right[q];
}

/* Cost of the edge between two candidates, 0 if there is none or it can never be paid. */
double multi_edge(const multi_pair *pair, int32_t p, int32_t q);

/* Takes memory; look at pool->failed afterwards. All nodes are unmatched. */
void multi_matchings_take(multi_matchings *matchings, gm_pool *pool, const multi_graphs *graphs);

/* Computes backward from forward. */
void multi_matchings_invert(const multi_matchings *matchings, const multi_graphs *graphs);

/* The node of graph h that node i of graph g is matched with, -1 = none. */
static inline int32_t multi_matched(const multi_matchings *matchings, const multi_graphs *graphs,
                                    int32_t g, int32_t h, int32_t i)
{
    const int32_t p = multi_pair_number(graphs, g, h);
    return g < h ? matchings->forward[p][i] : matchings->backward[p][i];
}

#endif
