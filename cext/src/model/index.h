/* The model read node by node, as every combinatorial kernel uses it. All lists of lists are in
 * compressed rows (base/csr.h).
 *
 * A *slot* is a candidate, numbered in the order of (node, label): node i has the slots
 * node_start[i] .. node_start[i + 1] - 1. The slots of label s, by ascending node, are
 * label_slot[label_start[s]] .. label_slot[label_start[s + 1] - 1]. The model sorts candidates by
 * (label, node), so label_slot[k] is also the slot of candidate k.
 *
 * A *link* is a pair of left nodes u < v that some edge of the model joins; links are sorted by
 * (u, v). Link e has a sparse table of costs, whose *entries* are link_start[e] ..
 * link_start[e + 1] - 1: entry k costs entry_cost[k] where u has slot first[k] and v has slot
 * second[k]. Entries are sorted by (link, first, second). All other cells of the table cost 0;
 * those of two slots with the same label are forbidden. Edges of the model between candidates of
 * the same node or label can never be paid: they are dropped, and make no link.
 *
 * The links of node i are node_link[node_link_start[i]] and so on; links to smaller nodes come
 * first.
 *
 * The same entries once more, as an undirected graph of slots: slot p has the neighbours
 * adjacent_slot[adjacent_start[p]] and so on, ascending, and choosing p adds adjacent_cost to what
 * choosing the neighbour costs.
 *
 * Everything takes O(candidates + edges + nodes) and is read-only after gm_index_new.
 */
#ifndef GM_MODEL_INDEX_H
#define GM_MODEL_INDEX_H

#include "base/pool.h"
#include "gm.h"

typedef struct gm_index {
    int32_t n1, n2, n_slots, n_links;
    int64_t n_entries;
    int32_t complete; /* every left node must be matched */

    int32_t *node_start;             /* n1 + 1 */
    int64_t *lap_start;              /* the same numbers, as gm_lap_new takes them */
    int32_t *slot_node, *slot_label; /* n_slots */
    double *slot_cost;               /* n_slots */
    int32_t *label_start;            /* n2 + 1 */
    int32_t *label_slot;             /* n_slots */

    int32_t *link_u, *link_v; /* n_links, u < v */
    int64_t *link_start;      /* n_links + 1 */
    int32_t *first, *second;  /* n_entries: slots of u and of v */
    double *entry_cost;       /* n_entries */
    int32_t *node_link_start; /* n1 + 1 */
    int32_t *node_link;       /* 2 * n_links */

    int64_t *adjacent_start; /* n_slots + 1 */
    int32_t *adjacent_slot;  /* 2 * n_entries */
    double *adjacent_cost;   /* 2 * n_entries */

    double *table; /* n_slots x n_slots pair costs if most pairs have one, else NULL */

    gm_watch *watch; /* of the run that reads the index, or NULL */

    gm_pool pool;
} gm_index;

/* The index of a model, which is not needed afterwards, for the run with this watch (NULL: for none
 * that ends early). NULL when out of memory. */
gm_index *gm_index_new(const gm_model *model, gm_watch *watch);
void gm_index_free(gm_index *index);

/* Slot of (node, label), or -1 if that pair is not a candidate. label = -1 gives -1. */
int32_t gm_index_slot(const gm_index *index, int32_t node, int32_t label);

/* The number of candidates of a node. */
static inline int32_t gm_index_n_labels(const gm_index *index, int32_t node)
{
    return index->node_start[node + 1] - index->node_start[node];
}

/* The node at the other end of a link. */
static inline int32_t gm_index_other(const gm_index *index, int32_t link, int32_t node)
{
    return index->link_u[link] == node ? index->link_v[link] : index->link_u[link];
}

/* Link of two left nodes in either order, or -1 if no edge joins them. */
int32_t gm_index_link(const gm_index *index, int32_t u, int32_t v);

/* Cost of a pair of slots, 0 if the model has none. */
double gm_index_find_pair(const gm_index *index, int32_t p, int32_t q);
static inline double gm_index_pair(const gm_index *index, int32_t p, int32_t q)
{
    return index->table ? index->table[(int64_t)p * index->n_slots + q]
                        : gm_index_find_pair(index, p, q);
}

/* The sum of the absolute values of all costs. */
double gm_index_total(const gm_index *index);

/* The sum over nodes and links of the largest absolute cost of each: the magnitude
 * (base/rounding.h) of a bound that is a sum over nodes and links. */
double gm_index_magnitude(const gm_index *index);

/* The largest number of links that a node has. */
int32_t gm_index_most_links(const gm_index *index);

/* The largest number of candidates that a node has. */
int32_t gm_index_most_labels(const gm_index *index);

/* Cost of a matching given by its slots (n1 of them, -1 = unmatched); chosen is scratch of n_slots
 * zeros, which are zeros again on return. */
double gm_index_cost(const gm_index *index, const int32_t *slots, uint8_t *chosen);

/* candidate[p] = the model's candidate at slot p. */
void gm_index_candidates(const gm_index *index, int32_t *candidate);

/* How many neighbours the slots of a matching have together, on average over matchings: the work of
 * reading all neighbours of a matching once. */
double gm_index_matched_degree(const gm_index *index);

#endif
