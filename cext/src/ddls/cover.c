/* Which subproblems: spanning forests that hold every link of a side once, and small connected sets
 * that hold every link at least once. */
#include "ddls/ddls.h"
#include "ddls/policy.h"

#include <stdlib.h>
#include <string.h>

/* ---- forests */

/* Union-find: the representative of i's tree. */
static int32_t find(int32_t *up, int32_t i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* Scratch of one side. Link number k of the forest has two halves: 2k at its node u, 2k + 1 at v.
 */
typedef struct forest_scratch {
    int32_t *up;          /* per node: union-find */
    int32_t *head, *next; /* per node, per half: the halves at each node as linked lists, -1 ends */
    int32_t *queue;       /* nodes of one tree, breadth first */
    int32_t *link_to;     /* per node: the link to its parent, -1 at a root */
    int32_t *position;    /* per node: its number in dual->node, -1 = not reached */
} forest_scratch;

/* Writes the nodes of root's tree into the queue, breadth first; returns how many. */
static int32_t queue_tree(const gm_index *index, const int32_t *taken, int32_t root,
                          forest_scratch *scratch)
{
    int32_t n_queue = 0;
    scratch->queue[n_queue++] = root;
    scratch->link_to[root] = -1;
    scratch->position[root] = 0;
    for (int32_t k = 0; k < n_queue; k++) {
        const int32_t u = scratch->queue[k];
        for (int32_t half = scratch->head[u]; half >= 0; half = scratch->next[half]) {
            const int32_t link = taken[half / 2];
            const int32_t v = half % 2 ? index->link_u[link] : index->link_v[link];
            if (scratch->position[v] >= 0)
                continue;
            scratch->position[v] = 0;
            scratch->link_to[v] = link;
            scratch->queue[n_queue++] = v;
        }
    }
    return n_queue;
}

/* Appends the queued tree to the nodes of the dual, children first. */
static void append_tree(ddls_dual *dual, int32_t s, int32_t n_queue, forest_scratch *scratch)
{
    const gm_index *index = dual->side[s].index;
    const int64_t end = dual->n_nodes + n_queue;
    for (int32_t k = 0; k < n_queue; k++)
        scratch->position[scratch->queue[k]] = (int32_t)(end - 1 - k);
    for (int32_t k = 0; k < n_queue; k++) {
        const int32_t u = scratch->queue[k], link = scratch->link_to[u];
        ddls_node *node = &dual->node[end - 1 - k];
        node->side = s;
        node->node = u;
        node->link = link;
        node->parent = link < 0 ? -1 : scratch->position[gm_index_other(index, link, u)];
        node->n_labels = gm_index_n_labels(index, u);
    }
    dual->n_nodes = end;
}

/* Roots every tree of a forest, given by its links, and appends its nodes. */
static void append_forest(ddls_dual *dual, int32_t s, const int32_t *taken, int32_t n_taken,
                          forest_scratch *scratch)
{
    const gm_index *index = dual->side[s].index;
    for (int32_t i = 0; i < index->n1; i++) {
        scratch->head[i] = -1;
        scratch->position[i] = -1;
    }
    for (int32_t k = 0; k < n_taken; k++) {
        const int32_t u = index->link_u[taken[k]], v = index->link_v[taken[k]];
        scratch->next[2 * k] = scratch->head[u];
        scratch->head[u] = 2 * k;
        scratch->next[2 * k + 1] = scratch->head[v];
        scratch->head[v] = 2 * k + 1;
    }
    for (int32_t root = 0; root < index->n1; root++)
        if (scratch->head[root] >= 0 && scratch->position[root] < 0)
            append_tree(dual, s, queue_tree(index, taken, root, scratch), scratch);
}

/* Takes one spanning forest after the other out of the links until none remains. */
int ddls_cover_forests(ddls_dual *dual, int32_t s)
{
    const gm_index *index = dual->side[s].index;
    int status = GM_OK;
    gm_pool pool = {0};
    forest_scratch scratch;
    int32_t *rest, *taken;
    GM_TAKE(&pool, index->n_links, rest);
    GM_TAKE(&pool, index->n1, taken);
    GM_TAKE(&pool, index->n1, scratch.up);
    GM_TAKE(&pool, index->n1, scratch.head);
    GM_TAKE(&pool, 2 * (int64_t)index->n1, scratch.next);
    GM_TAKE(&pool, index->n1, scratch.queue);
    GM_TAKE(&pool, index->n1, scratch.position);
    GM_TAKE(&pool, index->n1, scratch.link_to);
    if (pool.failed) {
        status = GM_ENOMEM;
        goto done;
    }
    int32_t n_rest = index->n_links;
    for (int32_t k = 0; k < n_rest; k++)
        rest[k] = k;
    while (n_rest > 0) {
        int32_t n_taken = 0, kept = 0;
        for (int32_t i = 0; i < index->n1; i++)
            scratch.up[i] = i;
        for (int32_t k = 0; k < n_rest; k++) {
            const int32_t u = find(scratch.up, index->link_u[rest[k]]);
            const int32_t v = find(scratch.up, index->link_v[rest[k]]);
            if (u == v) {
                rest[kept++] = rest[k];
            } else {
                scratch.up[u] = v;
                taken[n_taken++] = rest[k];
            }
        }
        n_rest = kept;
        append_forest(dual, s, taken, n_taken, &scratch);
    }
done:
    gm_pool_free(&pool);
    return status;
}

/* ---- local subproblems */

static int is_member(const ddls_local *local, int32_t node)
{
    for (int32_t i = 0; i < local->n; i++)
        if (local->node[i] == node)
            return 1;
    return 0;
}

/* Adds the neighbour with the heaviest links into the set, the smallest of equal ones; 0 if there
 * is none. joined is scratch of n1 zeros, and stays so: per node the weight of its links into the
 * set.
 */
static int grow(const gm_index *index, const uint8_t *covered, ddls_local *local, int32_t *joined)
{
    int32_t best = -1, most = 0;
    for (int32_t k = 0; k < local->n; k++) {
        const int32_t u = local->node[k];
        for (int32_t at = index->node_link_start[u]; at < index->node_link_start[u + 1]; at++) {
            const int32_t link = index->node_link[at], w = gm_index_other(index, link, u);
            if (is_member(local, w))
                continue;
            joined[w] += covered[link] ? 1 : DDLS_UNCOVERED_WEIGHT;
            if (joined[w] > most || (joined[w] == most && w < best)) {
                most = joined[w];
                best = w;
            }
        }
    }
    for (int32_t k = 0; k < local->n; k++) {
        const int32_t u = local->node[k];
        for (int32_t at = index->node_link_start[u]; at < index->node_link_start[u + 1]; at++)
            joined[gm_index_other(index, index->node_link[at], u)] = 0;
    }
    if (best < 0)
        return 0;
    local->node[local->n++] = best;
    return 1;
}

/* Marks the links within a set. */
static void mark_covered(const gm_index *index, uint8_t *covered, const ddls_local *local)
{
    for (int32_t i = 0; i < local->n; i++)
        for (int32_t j = i + 1; j < local->n; j++) {
            const int32_t link = gm_index_link(index, local->node[i], local->node[j]);
            if (link >= 0)
                covered[link] = 1;
        }
}

/* Whether the search had better fix node u of a set before node v: few labels make few branches,
 * and many links within the set raise the bounds of the others. */
static int goes_first(const gm_index *index, const ddls_local *local, int32_t u, int32_t v)
{
    const int32_t more_labels = gm_index_n_labels(index, u) - gm_index_n_labels(index, v);
    int32_t more_links = 0;
    for (int32_t i = 0; i < local->n; i++)
        more_links += (gm_index_link(index, u, local->node[i]) >= 0) -
                      (gm_index_link(index, v, local->node[i]) >= 0);
    return more_labels < 0 || (more_labels == 0 && more_links > 0);
}

/* Moves the node at k to its place among those before it, which are in the order of the search. */
static void sort_in(const gm_index *index, ddls_local *local, int32_t k)
{
    for (; k > 0 && goes_first(index, local, local->node[k], local->node[k - 1]); k--) {
        const int32_t node = local->node[k];
        local->node[k] = local->node[k - 1];
        local->node[k - 1] = node;
    }
}

/* The labels and links of a set whose order is final. */
static void find_links(const gm_index *index, ddls_local *local)
{
    for (int32_t i = 0; i < local->n; i++) {
        local->n_labels[i] = gm_index_n_labels(index, local->node[i]);
        for (int32_t j = i + 1; j < local->n; j++)
            local->link[ddls_pair_number(local->n, i, j)] =
                gm_index_link(index, local->node[i], local->node[j]);
    }
}

/* Triples that cover every link of the side. */
static void cover_with_triples(ddls_dual *dual, int32_t s, uint8_t *covered, int32_t *joined)
{
    const gm_index *index = dual->side[s].index;
    for (int32_t link = 0; link < index->n_links; link++) {
        if (covered[link])
            continue;
        ddls_local *local = &dual->local[dual->n_locals];
        local->side = s;
        local->triple = local->added = -1;
        local->node[local->n++] = index->link_u[link];
        local->node[local->n++] = index->link_v[link];
        if (!grow(index, covered, local, joined)) {
            memset(local, 0, sizeof *local); /* a link on its own: the forests have it */
            continue;
        }
        mark_covered(index, covered, local);
        for (int32_t k = 1; k < local->n; k++)
            sort_in(index, local, k);
        find_links(index, local);
        dual->n_locals++;
    }
}

/* Order of sets by their nodes, which ascend; equal sets by their triples. */
static int compare_sets(const void *x, const void *y)
{
    const ddls_local *p = x, *q = y;
    for (int32_t k = 0; k < DDLS_MOST_NODES; k++)
        if (p->node[k] != q->node[k])
            return p->node[k] < q->node[k] ? -1 : 1;
    return p->triple < q->triple ? -1 : p->triple > q->triple;
}

/* Orders the nodes of a set for the search: those of its triple keep their order, since the set
 * takes over their tables, and the added one is sorted in. */
static void order_like_triple(const gm_index *index, ddls_local *local, const ddls_local *triple)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < local->n; i++)
        sum += local->node[i];
    for (int32_t i = 0; i < triple->n; i++) {
        local->node[i] = triple->node[i];
        sum -= triple->node[i];
    }
    local->node[triple->n] = sum;
    sort_in(index, local, triple->n);
    for (int32_t i = 0; i < local->n; i++)
        if (local->node[i] == sum)
            local->added = i;
}

static void sort_nodes(ddls_local *local)
{
    for (int32_t i = 1; i < local->n; i++)
        for (int32_t j = i; j > 0 && local->node[j - 1] > local->node[j]; j--) {
            const int32_t node = local->node[j];
            local->node[j] = local->node[j - 1];
            local->node[j - 1] = node;
        }
}

/* Sorts n sets, which have ascending nodes, and keeps one of equal ones; returns how many. */
static int64_t remove_equal_sets(ddls_local *first, int64_t n)
{
    int64_t kept = 0;
    qsort(first, (size_t)n, sizeof *first, compare_sets);
    for (int64_t k = 0; k < n; k++)
        if (k == 0 || memcmp(first[kept - 1].node, first[k].node, sizeof first->node) != 0)
            first[kept++] = first[k];
    return kept;
}

/* Sets of four: every triple of the side with one more node. Of equal sets one remains, which takes
 * over its triple; the triples of the others stay active. */
static void extend_triples(ddls_dual *dual, int32_t s, uint8_t *covered, int32_t *joined)
{
    const gm_index *index = dual->side[s].index;
    const int64_t n_before = dual->n_locals;
    for (int64_t k = 0; k < n_before; k++) {
        ddls_local *local = &dual->local[dual->n_locals];
        if (dual->local[k].side != s || dual->local[k].n != 3)
            continue;
        *local = dual->local[k];
        if (!grow(index, covered, local, joined)) {
            memset(local, 0, sizeof *local);
            continue;
        }
        mark_covered(index, covered, local);
        local->triple = (int32_t)k;
        sort_nodes(local);
        dual->n_locals++;
    }
    ddls_local *first = dual->local + n_before;
    const int64_t n = remove_equal_sets(first, dual->n_locals - n_before);
    dual->n_locals = n_before + n;
    for (int64_t k = 0; k < n; k++) {
        order_like_triple(index, &first[k], &dual->local[first[k].triple]);
        find_links(index, &first[k]);
    }
}

int ddls_cover_locals(ddls_dual *dual, int32_t n_local)
{
    int status = GM_OK;
    for (int32_t n = 3; n <= n_local; n++)
        for (int32_t s = 0; s < 2 && status == GM_OK; s++) {
            gm_pool scratch = {0};
            uint8_t *covered;
            int32_t *joined;
            GM_TAKE(&scratch, dual->side[s].index->n_links, covered);
            GM_TAKE(&scratch, dual->side[s].index->n1, joined);
            if (scratch.failed)
                status = GM_ENOMEM;
            else if (n == 3)
                cover_with_triples(dual, s, covered, joined);
            else
                extend_triples(dual, s, covered, joined);
            gm_pool_free(&scratch);
        }
    return status;
}
