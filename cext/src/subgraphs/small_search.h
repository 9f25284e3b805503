/* The search of common_search.h for small graphs: common induced subgraphs, each node worth 1, not
 * necessarily connected, of graphs of at most 64 nodes. A set of nodes is one word.
 *
 * Nodes that are in no class are gone: they are mapped or can never be. The others are alive. Six
 * rules cut the tree of sparse graphs such as molecules. The first two depend on the classes only
 * and the others remove no leaf that would be the answer, so the order of the tree is fixed.
 *
 *   Twins. Two nodes of a class with the same living neighbours can be exchanged: one is tried.
 *   Isolated nodes, which have no living neighbours. Of a class with such nodes u on the left and v
 *     on the right, u is mapped to v at once: if a common subgraph maps u to v' and u' to v, then
 *     u' and v' have no mapped neighbours either, and it may map u to v and u' to v' instead.
 *   Known states (known.h).
 *   Stars (stars.h), if few nodes may be lost.
 *   Whole sides (whole.h), if no node may be lost.
 *   Duals (dual.h), if a subtree takes long.
 */
#ifndef GM_SUBGRAPHS_SMALL_SEARCH_H
#define GM_SUBGRAPHS_SMALL_SEARCH_H

#include "subgraphs/classes.h"
#include "subgraphs/dual.h"
#include "subgraphs/known.h"

enum { SMALL_NODES = 64 };

typedef struct small_frame {
    int32_t from, to;  /* its classes */
    int32_t n_mapped;  /* nodes before the pair that led to it */
    int32_t chosen;    /* class, -1: none yet */
    int32_t item;      /* of its left side */
    int32_t is_begun;  /* whether a partner has been tried */
    uint64_t partners; /* that the item has not tried yet */
    double done, part; /* as in sub_frame */
    known_state state; /* the first classes of the frame */
    int32_t is_noted;  /* whether these are noted */
    int32_t n_before;  /* nodes that were mapped then */
    int64_t since;     /* nodes of the tree when it began */
    int64_t patience;  /* nodes of its subtree before its bound is asked for */
} small_frame;

/* One graph: near[code * SMALL_NODES + x] are the neighbours of item x by edges of a code, which
 * stands for the kinds of both directions. */
typedef struct small_side {
    int32_t n_codes;
    uint64_t *near;
    uint64_t touch[SMALL_NODES]; /* all neighbours */
    uint64_t twins[SMALL_NODES]; /* items that can be exchanged whatever is mapped, and x */
} small_side;

typedef struct small_search {
    small_side left, right;
    uint64_t *fits;    /* [codes of the left] codes of the right that fit */
    int32_t is_sparse; /* whether degrees are small, so that the rules pay */
    small_class *of;
    small_frame *frame;
    small_dual *dual;         /* NULL: none */
    known_entry *known;       /* [KNOWN_STATES] */
    int64_t n_asked, n_known; /* states that have been looked up, and found to be known */
    int32_t left_item[SMALL_NODES], right_item[SMALL_NODES]; /* mapped pairs, in order */
} small_search;

/* Whether it answers this question. */
int small_takes(const sub_question *q);

/* Takes memory and reads the graphs. GM_OK or GM_ENOMEM. */
int small_take(small_search *small, gm_pool *pool, const sub_question *q);

#endif
