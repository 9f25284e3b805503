/* Constraint search for the maps of a pattern into a graph.
 *
 * Every variable has a domain of values (candidates.h). Giving variable x the value s takes s from
 * all other domains and cuts those of the neighbours of x to neighbours of s; domains of one value
 * are given in turn. Domains that hold too few values together are found by counting. The variable
 * with the smallest domain is tried next, of several the one with most neighbours.
 *
 * If many nodes lead to no leaf, propagation becomes deep: domains are cut by common neighbours
 * (distance2.h) as well, and a domain that has become smaller cuts those of the neighbours to the
 * nodes that its values touch together.
 *
 * Where one leaf is enough, a search that takes long is restarted again and again with values in
 * another order: luck with the first decisions matters most. Refuted values are kept
 * (nogoods.h).
 *
 * Changed words of domains are kept on a trail, from which they are restored.
 *
 * In the manner of LAD (Solnon, AIJ 2010) and of the Glasgow solver (McCreesh and Prosser, CP
 * 2015).
 */
#ifndef GM_SUBGRAPHS_CONTAINED_SEARCH_H
#define GM_SUBGRAPHS_CONTAINED_SEARCH_H

#include "base/random.h"
#include "subgraphs/distance2.h"
#include "subgraphs/nogoods.h"
#include "subgraphs/parts.h"

typedef struct sub_level {
    int32_t variable;
    int32_t value;   /* tried last, -1: none */
    int64_t n_trail; /* length of the trail before it was tried */
    int32_t n_given; /* variables with a value then */
} sub_level;

typedef struct sub_contained {
    const sub_candidates *candidates;
    int32_t n, words;
    sub_neighbours near;   /* of the variables: their numbers, not those of nodes */
    sub_parts parts;       /* of the values: neighbours by kind */
    int has_parts;         /* 0: too large, sets of neighbours are made when they are needed */
    uint64_t *domain;      /* [n * words] */
    int32_t *size;         /* [n] */
    int32_t *given;        /* [n] value of each variable, -1: none */
    int32_t *list, *place; /* [n] variables, those with a value first; and the position of each */
    int32_t n_given;
    int64_t *trail; /* numbers of changed words */
    uint64_t *kept; /* and their earlier state */
    int64_t n_trail;
    int32_t *queue, n_queue; /* variables whose domain has become one value */
    sub_level *level;
    uint64_t *untried; /* [levels * words] */
    int32_t depth;     /* levels in use */
    int over;
    uint64_t *mask, *mixed;      /* [words] scratch */
    int32_t *sorted, *bucket;    /* [n], [n + 2] scratch */
    int32_t *changed, n_changed; /* variables whose domain was cut, for deep propagation */
    int32_t *is_changed;         /* [n] */
    sub_distance2 distance2;
    int32_t deep; /* values of a domain that still cuts others */
    int64_t vain; /* nodes since the last leaf */
    int restarts; /* the search is restarted from time to time and keeps its refuted values */
    sub_nogoods nogoods;
    gm_random random;
    int32_t n_restarts;
    int64_t restart_at; /* number of nodes */
    int64_t root_trail;
    int32_t root_given;
    int32_t *path_variable, *path_value; /* [n] scratch */
    int64_t n_nodes, work;
} sub_contained;

/* Takes memory for the search among the candidates. restarts: only the first leaf is asked for, so
 * that the search may be restarted when it takes long. GM_OK or GM_ENOMEM. */
int sub_contained_take(sub_contained *search, gm_pool *pool, const sub_candidates *candidates,
                       int restarts);

/* Continues until the next leaf, at most this many nodes, or until gm_clock() is `deadline`.
 * Returns 1 at a leaf: all variables have a value, or, with `leave_one`, all but one (last), whose
 * domain holds its possible values. 0: the search is over, or has to be called again. */
int sub_contained_next(sub_contained *search, int64_t max_nodes, double deadline, int leave_one);

/* The variable without a value at a leaf, or -1. */
int32_t sub_contained_open(const sub_contained *search);

#endif
