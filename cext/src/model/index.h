/* The model read node by node: what every combinatorial kernel builds on.
 *
 * A *slot* is a candidate in node order: the slots of node i are node_start[i] ..
 * node_start[i+1]-1, by ascending label. The slots of label s are label_slot[label_start[s] ..
 * label_start[s+1]-1], by ascending node. Candidate k of the model is slot label_slot[k] (the model
 * is sorted by label).
 *
 * A *link* is a pair of left nodes u < v that some edge of the model joins; links are sorted by
 * (u, v). Its sparse cost table are the entries link_start[e] .. link_start[e+1]-1, which
 * are sorted by (link, first slot, second slot): first belongs to u, second to v. Absent cells
 * cost 0; a cell whose two slots have the same label is forbidden by the matching constraint and
 * never stored. Edges of the model between conflicting candidates (same node or same label) can
 * never be paid and are left out; they do not make a link.
 *
 * The links of node i are node_link[node_link_start[i] ..]; links to smaller nodes come first.
 *
 * The same entries once more, seen from each slot in both directions: the neighbours of slot p are
 * adjacent_slot/adjacent_cost[adjacent_start[p] ..], ascending. Choosing p adds adjacent_cost to
 * the price of each neighbour.
 *
 * Everything is O(candidates + edges + nodes) and read-only after gm_index_new.
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
    int64_t *lap_start;              /* the same, as gm_lap wants it */
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

    double *table; /* n_slots x n_slots pair costs where most pairs have one, else NULL */

    gm_pool pool;
} gm_index;

/* NULL when out of memory. The model is not needed afterwards. */
gm_index *gm_index_new(const gm_model *model);
void gm_index_free(gm_index *index);

/* Slot of (node, label), or -1 where that pair is no candidate. label = -1 gives -1. */
int32_t gm_index_slot(const gm_index *index, int32_t node, int32_t label);

/* How many candidates a node has. */
static inline int32_t gm_index_n_labels(const gm_index *index, int32_t node)
{
    return index->node_start[node + 1] - index->node_start[node];
}

/* The node at the other end of a link. */
static inline int32_t gm_index_other(const gm_index *index, int32_t link, int32_t node)
{
    return index->link_u[link] == node ? index->link_v[link] : index->link_u[link];
}

/* Link of two left nodes in either order, or -1 where no edge joins them. */
int32_t gm_index_link(const gm_index *index, int32_t u, int32_t v);

/* Cost of a pair of slots, 0 where the model has none. */
double gm_index_find_pair(const gm_index *index, int32_t p, int32_t q);
static inline double gm_index_pair(const gm_index *index, int32_t p, int32_t q)
{
    return index->table ? index->table[(int64_t)p * index->n_slots + q]
                        : gm_index_find_pair(index, p, q);
}

/* The absolute values of all costs, added up. */
double gm_index_total(const gm_index *index);

/* The largest absolute cost of every node and of every link, added up: what rounding errors of a
 * bound over nodes and links are relative to. */
double gm_index_magnitude(const gm_index *index);

/* Links of the node that has most. */
int32_t gm_index_most_links(const gm_index *index);

/* Cost of a matching given by its slots (n1 of them, -1 = unmatched); chosen is scratch of
 * n_slots zeros and is left so. */
double gm_index_cost(const gm_index *index, const int32_t *slots, uint8_t *chosen);

/* The model's candidate of every slot. */
void gm_index_candidates(const gm_index *index, int32_t *candidate);

/* Neighbours of all slots of a matching, on average: what touching each pair of a matching costs.
 */
double gm_index_matched_degree(const gm_index *index);

#endif
