/* Candidates sorted column-major, edges with a < b, sorted, each pair once: counting sorts only. */
#include "base/csr.h"
#include "gm.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int32_t a, b;
    double cost;
} edge;

typedef struct candidate {
    int32_t left, right, id;
    double cost;
} candidate;

static int candidates_sorted(int32_t n, const int32_t *left, const int32_t *right)
{
    for (int32_t k = 1; k < n; k++)
        if (right[k - 1] > right[k] || (right[k - 1] == right[k] && left[k - 1] >= left[k]))
            return 0;
    return 1;
}

int gm_sort_candidates(int32_t n1, int32_t n2, int32_t n, int32_t *left, int32_t *right,
                       double *cost, int32_t *rank, int32_t *repeated)
{
    repeated[0] = repeated[1] = -1;
    for (int32_t k = 0; k < n; k++)
        rank[k] = k;
    if (candidates_sorted(n, left, right))
        return GM_OK;
    int status = GM_ENOMEM;
    const int64_t buckets = (n1 > n2 ? n1 : n2) + (int64_t)1;
    int64_t *start = malloc((size_t)buckets * sizeof *start);
    candidate *from = malloc(2 * (size_t)n * sizeof *from), *to = from ? from + n : NULL;
    if (!start || !from)
        goto done;
    for (int32_t k = 0; k < n; k++)
        from[k] = (candidate){left[k], right[k], k, cost[k]};
    memset(start, 0, (size_t)buckets * sizeof *start);
    for (int32_t k = 0; k < n; k++)
        start[left[k] + 1]++;
    gm_csr_sum64(start, n1);
    for (int32_t k = 0; k < n; k++)
        to[start[from[k].left]++] = from[k];
    memset(start, 0, (size_t)buckets * sizeof *start);
    for (int32_t k = 0; k < n; k++)
        start[right[k] + 1]++;
    gm_csr_sum64(start, n2);
    for (int32_t k = 0; k < n; k++)
        from[start[to[k].right]++] = to[k];
    for (int32_t k = 0; k < n; k++) {
        left[k] = from[k].left;
        right[k] = from[k].right;
        cost[k] = from[k].cost;
        rank[from[k].id] = k;
        if (k > 0 && left[k] == left[k - 1] && right[k] == right[k - 1] && repeated[0] < 0) {
            repeated[0] = from[k - 1].id;
            repeated[1] = from[k].id;
        }
    }
    status = GM_OK;
done:
    free(start);
    free(from);
    return status;
}

/* Stable: edges of the same pair keep their order, so that their sum is reproducible. */
int gm_sort_edges(int32_t n, int64_t n_edges, const int32_t *rank, int32_t *a, int32_t *b,
                  double *cost, int64_t *n_distinct)
{
    int sorted = 1;
    for (int64_t k = 0; k < n_edges; k++) {
        const int32_t p = rank ? rank[a[k]] : a[k], q = rank ? rank[b[k]] : b[k];
        a[k] = p < q ? p : q;
        b[k] = p < q ? q : p;
        sorted &= k == 0 || a[k - 1] < a[k] || (a[k - 1] == a[k] && b[k - 1] < b[k]);
    }
    *n_distinct = n_edges;
    if (sorted)
        return GM_OK;
    int status = GM_ENOMEM;
    int64_t *start_a = calloc(2 * ((size_t)n + 1), sizeof *start_a),
            *start_b = start_a ? start_a + n + 1 : NULL;
    edge *from = malloc(2 * (size_t)n_edges * sizeof *from), *to = from ? from + n_edges : NULL;
    if (!start_a || !from)
        goto done;
    for (int64_t k = 0; k < n_edges; k++) {
        start_a[a[k] + 1]++;
        start_b[b[k] + 1]++;
    }
    gm_csr_sum64(start_a, n);
    gm_csr_sum64(start_b, n);
    for (int64_t k = 0; k < n_edges; k++)
        to[start_b[b[k]]++] = (edge){a[k], b[k], cost[k]};
    for (int64_t k = 0; k < n_edges; k++)
        from[start_a[to[k].a]++] = to[k];
    int64_t last = -1;
    for (int64_t k = 0; k < n_edges; k++) {
        if (last >= 0 && a[last] == from[k].a && b[last] == from[k].b) {
            cost[last] += from[k].cost;
            continue;
        }
        last++;
        a[last] = from[k].a;
        b[last] = from[k].b;
        cost[last] = from[k].cost;
    }
    *n_distinct = last + 1;
    status = GM_OK;
done:
    free(start_a);
    free(from);
    return status;
}
