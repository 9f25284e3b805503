/* The cheapest assignment of the nodes without images, and the costs of exchanging partners. */
#include "base/lanes.h"
#include "subgraphs/edit_search.h"
#include "subgraphs/word.h"

#include <string.h>

INLINE int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* ---- costs */

/* common[k]: how many half edges of node u to open nodes have one with the same code at node k. */
INLINE void count_common(const edit_search *s, int32_t u, int32_t *restrict common)
{
    const edit_side *side = s->first;
    const int32_t width = s->width, end = side->start[u + 1];
    memset(common, 0, sizeof *common * (size_t)width);
    for (int32_t e = side->start[u]; e < end;) {
        const int32_t number = side->number[e];
        int32_t own = 0;
        for (; e < end && side->number[e] == number; e++)
            own += side->image[side->near[e]] < 0;
        if (own == 0)
            continue;
        const int32_t *restrict theirs = s->count + (int64_t)number * width;
        for (int32_t k = 0; k < width; k++)
            common[k] += lesser(own, theirs[k]);
    }
}

/* Labels, edges to nodes with images, and half edges between the others. */
INLINE void fill_row(const edit_search *s, int32_t u, const int32_t *restrict common,
                     int32_t *restrict cost)
{
    const int32_t *restrict paid = s->paid + (int64_t)u * s->width;
    const int32_t *restrict blocked = s->blocked, *restrict theirs = s->second->inner;
    const int32_t own = s->first->inner[u], half = s->half, half_relabel = s->half_relabel;
    for (int32_t k = 0; k < s->width; k++) {
        const int32_t few = lesser(own, theirs[k]), more = own + theirs[k] - 2 * few;
        cost[k] = paid[k] + blocked[k] + (few - common[k]) * half_relabel + more * half;
    }
}

INLINE void fill_insertions(const edit_search *s, int32_t *restrict cost)
{
    const int32_t *restrict paid = s->insert, *restrict blocked = s->blocked;
    const int32_t *restrict theirs = s->second->inner;
    const int32_t half = s->half;
    for (int32_t k = 0; k < s->width; k++)
        cost[k] = paid[k] + blocked[k] + theirs[k] * half;
}

/* Nodes that may not be mapped to each other lose all their edges. */
static void separate_types(const edit_search *s, int32_t u, int32_t *cost)
{
    const int32_t *paid = s->paid + (int64_t)u * s->width;
    for (int32_t v = 0; v < s->second->graph.n_nodes; v++)
        if (!edit_may_map(s, u, v))
            cost[v] =
                paid[v] + s->blocked[v] + (s->first->inner[u] + s->second->inner[v]) * s->half;
}

GM_WIDE void edit_fill_costs(edit_search *s)
{
    const int32_t n1 = s->first->graph.n_nodes, n2 = s->second->graph.n_nodes;
    int32_t n = 0;
    for (int32_t u = 0; u < n1; u++) {
        if (s->first->image[u] >= 0)
            continue;
        s->row[n++] = u;
        int32_t *cost = s->cost + (int64_t)u * s->width;
        count_common(s, u, s->common);
        fill_row(s, u, s->common, cost);
        if (s->strict)
            separate_types(s, u, cost);
    }
    s->n_open = n;
    for (int32_t u = n1; u < n2; u++) {
        int32_t *cost = s->cost + (int64_t)u * s->width;
        s->row[n++] = u;
        if (u == n1)
            fill_insertions(s, cost);
        else
            memcpy(cost, s->cost + (int64_t)n1 * s->width, sizeof *cost * (size_t)s->width);
    }
    s->n_rows = n;
}

/* ---- the assignment */

/* The least reduced cost of a row. */
INLINE int32_t least_reduced(const int32_t *restrict cost, const int32_t *restrict v, int32_t width)
{
    int32_t least = EDIT_FAR;
    for (int32_t k = 0; k < width; k++)
        least = lesser(least, cost[k] - v[k]);
    return least;
}

INLINE void pair_up(edit_search *s, int32_t i, int32_t k)
{
    s->col_of[i] = k;
    s->row_of[k] = i;
}

/* Gives a row a column by a shortest path; returns by how much that raises the dual, and changes
 * nothing if that is more than `most`. */
INLINE int32_t augment(edit_search *s, int32_t root, int64_t most)
{
    const int32_t width = s->width;
    int32_t *restrict far = s->far, *restrict done = s->done, *restrict before = s->before;
    int32_t *restrict v = s->v;
    const int32_t *first = s->cost + (int64_t)root * width;
    for (int32_t k = 0; k < width; k++) {
        far[k] = first[k] - s->u[root] - v[k];
        done[k] = 0;
        before[k] = root;
    }
    int32_t end = -1, least = 0;
    while (1) {
        least = 2 * EDIT_FAR;
        for (int32_t k = 0; k < width; k++)
            least = lesser(least, far[k] + done[k]);
        if (least > most)
            return least;
        int32_t next = -1;
        for (int32_t k = 0; k < width && end < 0; k++) {
            const int is_nearest = far[k] + done[k] == least;
            next = is_nearest ? k : next;
            end = is_nearest && s->row_of[k] < 0 ? k : end;
        }
        if (end >= 0)
            break;
        const int32_t i = s->row_of[next], reached = least - s->u[i];
        const int32_t *restrict cost = s->cost + (int64_t)i * width;
        done[next] = 2 * EDIT_FAR;
        for (int32_t k = 0; k < width; k++) {
            const int32_t there = reached + cost[k] - v[k];
            before[k] = there < far[k] ? i : before[k];
            far[k] = lesser(far[k], there);
        }
    }
    for (int32_t k = 0; k < s->second->graph.n_nodes; k++)
        if (done[k]) {
            v[k] -= least - far[k];
            s->u[s->row_of[k]] += least - far[k];
        }
    s->u[root] += least;
    for (int32_t k = end, i = -1; i != root;) {
        i = before[k];
        const int32_t other = s->col_of[i];
        pair_up(s, i, k);
        k = other;
    }
    return least;
}

GM_WIDE int64_t edit_assign(edit_search *s, const int32_t *partner, int64_t most)
{
    const int32_t n2 = s->second->graph.n_nodes;
    int64_t sum = s->fixed;
    int32_t n_free = 0, *free_row = s->col_images;
    for (int32_t k = 0; k < n2; k++) {
        s->row_of[k] = -1;
        sum += s->blocked[k] ? 0 : s->v[k];
    }
    for (int32_t r = 0; r < s->n_rows; r++) {
        const int32_t i = s->row[r], k = partner[i];
        const int32_t *cost = s->cost + (int64_t)i * s->width;
        sum += s->u[i] = least_reduced(cost, s->v, s->width);
        if (k >= 0 && s->row_of[k] < 0 && cost[k] - s->v[k] == s->u[i])
            pair_up(s, i, k);
        else
            free_row[n_free++] = i;
    }
    for (int32_t r = 0; r < n_free && sum <= most; r++) {
        const int32_t i = free_row[r];
        s->col_of[i] = -1;
        sum += augment(s, i, most - sum);
    }
    return sum;
}

/* ---- exchanges */

GM_WIDE void edit_measure_exchanges(edit_search *s, int64_t most)
{
    const int32_t n = s->n_rows;
    const int32_t width = (n + EDIT_LANES - 1) / EDIT_LANES * EDIT_LANES;
    for (int32_t i = 0; i < n; i++) {
        const int32_t row = s->row[i], *cost = s->cost + (int64_t)row * s->width;
        for (int32_t r = 0; r < n; r++) {
            const int32_t k = s->col_of[s->row[r]];
            const int32_t more = cost[k] - s->u[row] - s->v[k];
            s->swap[(int64_t)i * s->width + r] = more;
            s->chain[(int64_t)r * s->width + i] = more;
        }
    }
    for (int32_t m = 0; m < n; m++) {
        const int32_t *restrict on = s->chain + (int64_t)m * s->width;
        for (int32_t i = 0; i < n; i++) {
            int32_t *restrict far = s->chain + (int64_t)i * s->width;
            const int32_t there = far[m];
            if (i == m || there > most)
                continue;
            for (int32_t r = 0; r < width; r++)
                far[r] = lesser(far[r], there + on[r]);
        }
    }
}
