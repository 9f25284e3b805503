/* Depth-first search for a common subgraph, one thread's.
 *
 * A node of the tree takes a class and its first item on the left. Its children match that item
 * with each item on the right of the class; then the item stays out, which changes the node itself,
 * and the next item is taken. So the tree has a fixed order, and the answer is the first of its
 * best leaves: pruning never removes that one, whichever thread is first.
 *
 * The children of the root are tasks. Several searches share them: each takes the next task that
 * none has taken.
 */
#ifndef GM_SUBGRAPHS_COMMON_SEARCH_H
#define GM_SUBGRAPHS_COMMON_SEARCH_H

#include "subgraphs/rings.h"
#include "subgraphs/small_search.h"

typedef struct sub_frame {
    int64_t from, to;  /* its classes */
    double value;      /* of the pairs so far */
    int64_t chosen;    /* class, -1: none yet */
    int32_t item;      /* of its left side */
    int32_t turned;    /* by edges: 1: the next partner is tried the other way round */
    int32_t partner;   /* tried last */
    int32_t n_mapped;  /* nodes when the frame was entered */
    int64_t n_closed;  /* pairs of nodes that were closed then */
    double bound;      /* no leaf of the frame is worth more */
    double done, part; /* fraction of the tree before the frame's next child, and of that child */
    double end;        /* and before what follows the frame */
} sub_frame;

typedef struct sub_search {
    const sub_question *question;
    sub_classes classes;
    sub_frame *frame;
    uint64_t *partners; /* [frames * words of the right] that the chosen item has not tried yet */
    int32_t depth;      /* frames in use; 0: the search is over */
    int32_t *labels;    /* [n1] of the nodes mapped so far */
    int32_t *mapped, n_mapped; /* nodes of the first graph in the order of mapping */
    uint64_t *used;            /* nodes of the second graph that are mapped */
    uint64_t *closed;          /* [n1 * words2] by edges: pairs of nodes that are over with */
    int32_t words2;            /* of a set of nodes of the second graph */
    int32_t *trail;            /* [2 * n_closed] the closed pairs */
    int64_t n_closed;
    uint64_t *scratch;
    double best;       /* value of the best leaf that the search knows */
    int32_t best_task; /* task in which it was found; -1: before all tasks */
    double own;        /* value of the best leaf of this search */
    int32_t own_task;
    int32_t *own_labels;
    sub_rings rings;    /* with options.ring */
    int32_t *kept;      /* [n1] labels of whole rings */
    int32_t task;       /* child of the root that comes next or is being searched */
    int32_t claimed;    /* the next task of this search */
    int32_t *next_task; /* shared with other searches, or NULL */
    double upper;       /* no leaf from here on is worth more */
    int64_t n_nodes;
    int64_t work;      /* words */
    int64_t next_look; /* at the clock, after this much work */
    int32_t is_small;  /* whether small_search.h has the tree, frames and classes */
    small_search small;
} sub_search;

/* Whether a leaf of this value, found now, would be the answer instead of the best one known. */
static inline int sub_improves(const sub_search *search, double value)
{
    return value > search->best || (value == search->best && search->task < search->best_task);
}

/* Keeps a leaf as the best one. */
void sub_keep_leaf(sub_search *search, double value, const int32_t *labels);

/* Whether the next child of the root is a task of this search. */
int sub_is_own_task(sub_search *search);

/* Takes memory; GM_OK or GM_ENOMEM. Starts at the root. */
int sub_search_take(sub_search *search, gm_pool *pool, const sub_question *question);
void sub_search_begin(sub_search *search, int32_t *next_task);

/* How much of the tree has been searched, by guessed sizes of subtrees: from 0 to 1. */
double sub_search_progress(const sub_search *search);

/* Bytes that it takes. */
double sub_search_memory(const gm_graph_pair *pair, int by_edges);

/* Searches until the end, until it has done this much work in all (but for small graphs), for at
 * most this many nodes, or until gm_clock() is `deadline`. */
void sub_search_go(sub_search *search, int64_t max_work, int64_t max_nodes, double deadline);

/* The parts of begin, progress and go for small graphs; `last`: the number of nodes to stop at. */
void small_begin(sub_search *search);
double small_progress(const sub_search *search);
void small_go(sub_search *search, int64_t last, double deadline);

#endif
