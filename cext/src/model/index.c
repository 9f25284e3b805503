/* Building the index of a model, by counting sorts, and looking things up in it. */
#include "model/index.h"
#include "base/csr.h"
#include "base/magnitude.h"
#include "base/sorted.h"
#include "model/policy.h"

#include <stdlib.h>
#include <string.h>

/* Sorts the candidates into slots. */
static void index_slots(gm_index *index, const gm_model *model)
{
    for (int32_t k = 0; k < index->n_slots; k++) {
        index->node_start[model->left[k] + 1]++;
        index->label_start[model->right[k] + 1]++;
    }
    gm_csr_sum32(index->node_start, index->n1);
    gm_csr_sum32(index->label_start, index->n2);
    for (int32_t k = 0; k < index->n_slots; k++) {
        const int32_t slot = index->node_start[model->left[k]]++;
        index->slot_node[slot] = model->left[k];
        index->slot_label[slot] = model->right[k];
        index->slot_cost[slot] = model->cost[k];
        index->label_slot[k] = slot;
    }
    gm_csr_rewind32(index->node_start, index->n1);
    gm_csr_widen(index->n1, index->node_start, index->lap_start);
}

/* The two slots of edge e, that of the smaller node first. Returns 0 if no matching has both. */
static int edge_slots(const gm_index *index, const gm_model *model, int64_t e, int32_t *first,
                      int32_t *second)
{
    const int32_t p = index->label_slot[model->a[e]], q = index->label_slot[model->b[e]];
    const int32_t u = index->slot_node[p], v = index->slot_node[q];
    if (u == v || index->slot_label[p] == index->slot_label[q])
        return 0;
    *first = u < v ? p : q;
    *second = u < v ? q : p;
    return 1;
}

/* The edges that can be paid, sorted by first slot; start gets the first edge of each first slot.
 * The sort is stable and the model sorts edges by (a, b), so the edges of one first slot to one
 * node come by ascending label. */
static void sort_by_first(const gm_index *index, const gm_model *model, int64_t *start,
                          int32_t *first, int32_t *second, double *cost)
{
    int32_t p, q;
    for (int64_t e = 0; e < model->n_edges; e++)
        if (edge_slots(index, model, e, &p, &q))
            start[p + 1]++;
    gm_csr_sum64(start, index->n_slots);
    for (int64_t e = 0; e < model->n_edges; e++)
        if (edge_slots(index, model, e, &p, &q)) {
            const int64_t place = start[p]++;
            first[place] = p;
            second[place] = q;
            cost[place] = model->edge_cost[e];
        }
    gm_csr_rewind64(start, index->n_slots);
}

/* The links of node u to larger nodes. The edges whose first slot belongs to u are begin .. end -
 * 1, second holds their other slots; link[e] gets the link of each, and link_start counts them.
 * link_of[v] is scratch of n1 numbers that are -1 before and after. Returns the new number of
 * links. */
static int32_t number_links(gm_index *index, int32_t u, const int32_t *second, int64_t begin,
                            int64_t end, int32_t *link_of, int32_t *link)
{
    const int32_t first = index->n_links;
    int32_t n = first;
    for (int64_t e = begin; e < end; e++) {
        const int32_t v = index->slot_node[second[e]];
        if (link_of[v] < 0) { /* insertion keeps the links of u sorted by v */
            int32_t k = n++;
            for (; k > first && index->link_v[k - 1] > v; k--)
                index->link_v[k] = index->link_v[k - 1];
            index->link_v[k] = v;
            link_of[v] = 0;
        }
    }
    for (int32_t k = first; k < n; k++) {
        index->link_u[k] = u;
        link_of[index->link_v[k]] = k;
    }
    for (int64_t e = begin; e < end; e++) {
        link[e] = link_of[index->slot_node[second[e]]];
        index->link_start[link[e] + 1]++;
    }
    for (int32_t k = first; k < n; k++)
        link_of[index->link_v[k]] = -1;
    return n;
}

/* The entries as neighbours of both their slots. */
static void index_adjacency(gm_index *index)
{
    for (int64_t e = 0; e < index->n_entries; e++) {
        index->adjacent_start[index->first[e] + 1]++;
        index->adjacent_start[index->second[e] + 1]++;
    }
    gm_csr_sum64(index->adjacent_start, index->n_slots);
    for (int64_t e = 0; e < index->n_entries; e++) {
        const int64_t at_first = index->adjacent_start[index->first[e]]++;
        const int64_t at_second = index->adjacent_start[index->second[e]]++;
        index->adjacent_slot[at_first] = index->second[e];
        index->adjacent_slot[at_second] = index->first[e];
        index->adjacent_cost[at_first] = index->adjacent_cost[at_second] = index->entry_cost[e];
    }
    gm_csr_rewind64(index->adjacent_start, index->n_slots);
}

enum { CELLS_PER_ENTRY = 4 }; /* that the table may have: a limit of memory, not of time */

/* The table of all pairs of slots, if it is not much larger than the list of entries. */
static void index_table(gm_index *index)
{
    const int64_t n = index->n_slots;
    if (n * n > CELLS_PER_ENTRY * index->n_entries)
        return;
    GM_TAKE(&index->pool, n * n, index->table);
    if (!index->table)
        return;
    for (int64_t e = 0; e < index->n_entries; e++) {
        index->table[index->first[e] * n + index->second[e]] = index->entry_cost[e];
        index->table[index->second[e] * n + index->first[e]] = index->entry_cost[e];
    }
}

/* Takes the arrays whose sizes depend on the numbers of entries and links. */
static void take_entries(gm_index *index)
{
    GM_TAKE(&index->pool, index->n_entries, index->first);
    GM_TAKE(&index->pool, index->n_entries, index->second);
    GM_TAKE(&index->pool, index->n_entries, index->entry_cost);
    GM_TAKE(&index->pool, index->n1 + 1, index->node_link_start);
    GM_TAKE(&index->pool, 2 * (int64_t)index->n_links, index->node_link);
    GM_TAKE(&index->pool, index->n_slots + 1, index->adjacent_start);
    GM_TAKE(&index->pool, 2 * index->n_entries, index->adjacent_slot);
    GM_TAKE(&index->pool, 2 * index->n_entries, index->adjacent_cost);
}

/* Links and their entries: the edges sorted by first slot, then by link. Both sorts are stable. */
static void index_links(gm_index *index, const gm_model *model)
{
    gm_pool scratch = {0};
    int64_t *start;
    int32_t *first, *second, *link, *link_of;
    double *cost;
    GM_TAKE(&scratch, index->n_slots + 1, start);
    GM_TAKE(&scratch, model->n_edges, first);
    GM_TAKE(&scratch, model->n_edges, second);
    GM_TAKE(&scratch, model->n_edges, link);
    GM_TAKE(&scratch, model->n_edges, cost);
    GM_TAKE(&scratch, index->n1, link_of);
    if (scratch.failed) {
        index->pool.failed = 1;
        goto done;
    }
    sort_by_first(index, model, start, first, second, cost);
    index->n_entries = start[index->n_slots];

    /* every link has an entry, so there are at most as many */
    GM_TAKE(&index->pool, index->n_entries, index->link_u);
    GM_TAKE(&index->pool, index->n_entries, index->link_v);
    GM_TAKE(&index->pool, index->n_entries + 1, index->link_start);
    if (index->pool.failed)
        goto done;
    for (int32_t i = 0; i < index->n1; i++)
        link_of[i] = -1;
    for (int32_t u = 0; u < index->n1; u++)
        index->n_links = number_links(index, u, second, start[index->node_start[u]],
                                      start[index->node_start[u + 1]], link_of, link);
    gm_csr_sum64(index->link_start, index->n_links);

    take_entries(index);
    if (index->pool.failed)
        goto done;
    for (int64_t e = 0; e < index->n_entries; e++) {
        const int64_t place = index->link_start[link[e]]++;
        index->first[place] = first[e];
        index->second[place] = second[e];
        index->entry_cost[place] = cost[e];
    }
    gm_csr_rewind64(index->link_start, index->n_links);
    gm_csr_group_pairs(index->n1, index->n_links, index->link_u, index->link_v,
                       index->node_link_start, index->node_link);
    index_adjacency(index);
    index_table(index);
done:
    gm_pool_free(&scratch);
}

gm_index *gm_index_new(const gm_model *model, gm_watch *watch)
{
    gm_index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    index->n1 = model->n1;
    index->n2 = model->n2;
    index->n_slots = model->n_candidates;
    index->complete = model->complete;
    index->watch = watch;
    GM_TAKE(&index->pool, index->n1 + 1, index->node_start);
    GM_TAKE(&index->pool, index->n1 + 1, index->lap_start);
    GM_TAKE(&index->pool, index->n2 + 1, index->label_start);
    GM_TAKE(&index->pool, index->n_slots, index->slot_node);
    GM_TAKE(&index->pool, index->n_slots, index->slot_label);
    GM_TAKE(&index->pool, index->n_slots, index->slot_cost);
    GM_TAKE(&index->pool, index->n_slots, index->label_slot);
    if (!index->pool.failed) {
        index_slots(index, model);
        index_links(index, model);
    }
    if (index->pool.failed) {
        gm_index_free(index);
        index = NULL;
    }
    return index;
}

void gm_index_free(gm_index *index)
{
    if (index)
        gm_pool_free(&index->pool);
    free(index);
}

int32_t gm_index_slot(const gm_index *index, int32_t node, int32_t label)
{
    const int32_t first = index->node_start[node], end = index->node_start[node + 1];
    const int32_t *labels = index->slot_label;
    if (label >= 0 && label < end - first && labels[first + label] == label)
        return first + label; /* the node has all smaller labels, too */
    const int32_t slot = (int32_t)gm_lower_bound(labels, first, end, label);
    return slot < end && labels[slot] == label ? slot : -1;
}

double gm_index_find_pair(const gm_index *index, int32_t p, int32_t q)
{
    const int32_t *slot = index->adjacent_slot;
    const int64_t first = index->adjacent_start[p], end = index->adjacent_start[p + 1];
    if (first == end || q < slot[first] || q > slot[end - 1])
        return 0.0;
    /* Ascending integers: q stands at most q - slot[first] places behind the first neighbour, and
     * at most slot[end - 1] - q before the last. If few slots are missing little remains to search.
     */
    const int64_t highest = first + (q - slot[first]) + 1;
    const int64_t lowest = end - 1 - (slot[end - 1] - q);
    const int64_t place =
        gm_lower_bound(slot, lowest > first ? lowest : first, highest < end ? highest : end, q);
    return place < end && slot[place] == q ? index->adjacent_cost[place] : 0.0;
}

double gm_index_cost(const gm_index *index, const int32_t *slots, uint8_t *chosen)
{
    double cost = 0.0;
    for (int32_t i = 0; i < index->n1; i++)
        if (slots[i] >= 0)
            chosen[slots[i]] = 1;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t p = slots[i];
        if (p < 0)
            continue;
        cost += index->slot_cost[p];
        for (int64_t k = index->adjacent_start[p]; k < index->adjacent_start[p + 1]; k++)
            if (index->adjacent_slot[k] > p && chosen[index->adjacent_slot[k]]) /* each pair once */
                cost += index->adjacent_cost[k];
    }
    for (int32_t i = 0; i < index->n1; i++)
        if (slots[i] >= 0)
            chosen[slots[i]] = 0;
    return cost;
}

int32_t gm_index_link(const gm_index *index, int32_t u, int32_t v)
{
    const int32_t low = u < v ? u : v, high = u < v ? v : u, n = index->n_links;
    const int32_t at = (int32_t)gm_lower_bound_pair(index->link_u, index->link_v, 0, n, low, high);
    return at < n && index->link_u[at] == low && index->link_v[at] == high ? at : -1;
}

double gm_index_total(const gm_index *index)
{
    const double unary = gm_add_magnitudes(0.0, index->n_slots, index->slot_cost);
    return gm_add_magnitudes(unary, index->n_entries, index->entry_cost);
}

double gm_index_magnitude(const gm_index *index)
{
    double total = 0.0;
    for (int32_t i = 0; i < index->n1; i++)
        total += gm_largest_magnitude(0.0, gm_index_n_labels(index, i),
                                      index->slot_cost + index->node_start[i]);
    for (int32_t e = 0; e < index->n_links; e++)
        total += gm_largest_magnitude(0.0, index->link_start[e + 1] - index->link_start[e],
                                      index->entry_cost + index->link_start[e]);
    return total;
}

int32_t gm_index_most_links(const gm_index *index)
{
    int32_t most = 0;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t n = index->node_link_start[i + 1] - index->node_link_start[i];
        most = n > most ? n : most;
    }
    return most;
}

int32_t gm_index_most_labels(const gm_index *index)
{
    int32_t most = 0;
    for (int32_t i = 0; i < index->n1; i++)
        most = gm_index_n_labels(index, i) > most ? gm_index_n_labels(index, i) : most;
    return most;
}

void gm_index_candidates(const gm_index *index, int32_t *candidate)
{
    for (int32_t k = 0; k < index->n_slots; k++)
        candidate[index->label_slot[k]] = k;
}

double gm_index_matched_degree(const gm_index *index)
{
    double degree = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t first = index->node_start[i], end = index->node_start[i + 1];
        if (end > first)
            degree +=
                (double)(index->adjacent_start[end] - index->adjacent_start[first]) / (end - first);
    }
    return degree;
}
