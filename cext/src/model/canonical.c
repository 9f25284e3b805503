/* The canonical form of a model: candidates sorted by (right, left), edges with a < b, sorted by
 * (a, b), each pair once. All sorts are counting sorts, least significant key first. */
#include "base/csr.h"
#include "gm.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int32_t a, b;
    double cost;
} edge;

enum { LEFT = 0, RIGHT = 1 };

typedef struct candidate {
    int32_t node[2]; /* LEFT and RIGHT */
    int32_t id;      /* its place before sorting */
    double cost;
} candidate;

/* Sorted, and none twice. */
static int is_sorted(int32_t n, const int32_t *left, const int32_t *right)
{
    for (int32_t k = 1; k < n; k++)
        if (right[k - 1] > right[k] || (right[k - 1] == right[k] && left[k - 1] >= left[k]))
            return 0;
    return 1;
}

/* Stable sort of n candidates by their node of one side, which has n_nodes. start: n_nodes + 1. */
static void sort_by_node(int side, int32_t n_nodes, int32_t n, const candidate *from, candidate *to,
                         int64_t *start)
{
    memset(start, 0, ((size_t)n_nodes + 1) * sizeof *start);
    for (int32_t k = 0; k < n; k++)
        start[from[k].node[side] + 1]++;
    gm_csr_sum64(start, n_nodes);
    for (int32_t k = 0; k < n; k++)
        to[start[from[k].node[side]]++] = from[k];
}

int gm_sort_candidates(int32_t n1, int32_t n2, int32_t n, int32_t *left, int32_t *right,
                       double *cost, int32_t *rank, int32_t *repeated)
{
    repeated[0] = repeated[1] = -1;
    for (int32_t k = 0; k < n; k++)
        rank[k] = k;
    if (is_sorted(n, left, right))
        return GM_OK;
    int status = GM_ENOMEM;
    const size_t most_nodes = (size_t)(n1 > n2 ? n1 : n2);
    int64_t *start = malloc((most_nodes + 1) * sizeof *start);
    candidate *sorted = malloc(2 * (size_t)n * sizeof *sorted);
    if (!start || !sorted)
        goto done;
    candidate *by_left = sorted + n;
    for (int32_t k = 0; k < n; k++)
        sorted[k] = (candidate){{left[k], right[k]}, k, cost[k]};
    sort_by_node(LEFT, n1, n, sorted, by_left, start);
    sort_by_node(RIGHT, n2, n, by_left, sorted, start);
    for (int32_t k = 0; k < n; k++) {
        left[k] = sorted[k].node[LEFT];
        right[k] = sorted[k].node[RIGHT];
        cost[k] = sorted[k].cost;
        rank[sorted[k].id] = k;
        if (k > 0 && left[k] == left[k - 1] && right[k] == right[k - 1] && repeated[0] < 0) {
            repeated[0] = sorted[k - 1].id;
            repeated[1] = sorted[k].id;
        }
    }
    status = GM_OK;
done:
    free(start);
    free(sorted);
    return status;
}

/* Writes sorted edges back, equal pairs as one edge with the sum of their costs, added in their
 * order. Returns the number of distinct pairs. */
static int64_t merge_equal(int64_t n_edges, const edge *sorted, int32_t *a, int32_t *b,
                           double *cost)
{
    int64_t last = -1;
    for (int64_t k = 0; k < n_edges; k++) {
        if (last >= 0 && a[last] == sorted[k].a && b[last] == sorted[k].b) {
            cost[last] += sorted[k].cost;
            continue;
        }
        last++;
        a[last] = sorted[k].a;
        b[last] = sorted[k].b;
        cost[last] = sorted[k].cost;
    }
    return last + 1;
}

/* Stable: edges of the same pair keep their order, so that their sum is reproducible. */
int gm_sort_edges(int32_t n, int64_t n_edges, const int32_t *rank, int32_t *a, int32_t *b,
                  double *cost, int64_t *n_distinct)
{
    int in_order = 1;
    for (int64_t k = 0; k < n_edges; k++) {
        const int32_t p = rank ? rank[a[k]] : a[k];
        const int32_t q = rank ? rank[b[k]] : b[k];
        a[k] = p < q ? p : q;
        b[k] = p < q ? q : p;
        in_order &= k == 0 || a[k - 1] < a[k] || (a[k - 1] == a[k] && b[k - 1] < b[k]);
    }
    *n_distinct = n_edges;
    if (in_order)
        return GM_OK;
    int status = GM_ENOMEM;
    int64_t *start_a = calloc(2 * ((size_t)n + 1), sizeof *start_a);
    edge *sorted = malloc(2 * (size_t)n_edges * sizeof *sorted);
    if (!start_a || !sorted)
        goto done;
    int64_t *start_b = start_a + n + 1;
    edge *by_b = sorted + n_edges;
    for (int64_t k = 0; k < n_edges; k++) {
        start_a[a[k] + 1]++;
        start_b[b[k] + 1]++;
    }
    gm_csr_sum64(start_a, n);
    gm_csr_sum64(start_b, n);
    for (int64_t k = 0; k < n_edges; k++)
        by_b[start_b[b[k]]++] = (edge){a[k], b[k], cost[k]};
    for (int64_t k = 0; k < n_edges; k++)
        sorted[start_a[by_b[k].a]++] = by_b[k];
    *n_distinct = merge_equal(n_edges, sorted, a, b, cost);
    status = GM_OK;
done:
    free(start_a);
    free(sorted);
    return status;
}
