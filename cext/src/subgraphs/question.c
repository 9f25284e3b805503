/* The question of a search for a common subgraph: sides, labels, weights, and the classes at its
 * root. */
#include "subgraphs/bits.h"
#include "subgraphs/classes.h"

#include <stdlib.h>
#include <string.h>

int sub_nodes_fit(const sub_question *q, int32_t u, int32_t v)
{
    const gm_graph_pair *pair = q->pair;
    return pair->types_fit[(int64_t)pair->first.type[u] * pair->n_types2 + pair->second.type[v]];
}

double sub_pair_weight(const sub_question *q, int32_t u, int32_t v)
{
    const gm_graph_pair *pair = q->pair;
    const int64_t place = (int64_t)pair->first.type[u] * pair->n_types2 + pair->second.type[v];
    return q->options.weight ? q->options.weight[place] : 1.0;
}

/* Whether item k on the left may become item m on the right as far as labels decide. */
static int items_fit(const sub_question *q, int32_t k, int32_t m)
{
    const gm_graph_pair *pair = q->pair;
    const int32_t a = q->left.tail[k], b = q->left.head[k];
    const int32_t c = q->right.tail[m], d = q->right.head[m];
    if (!q->options.by_edges)
        return sub_nodes_fit(q, a, c);
    const int32_t kind1 = pair->first.kind[q->left.original[k]];
    const int32_t kind2 = pair->second.kind[q->right.original[m]];
    if ((a == b) != (c == d) || !pair->kinds_fit[(int64_t)kind1 * pair->n_kinds2 + kind2])
        return 0;
    return (sub_nodes_fit(q, a, c) && sub_nodes_fit(q, b, d)) ||
           (!pair->directed && sub_nodes_fit(q, a, d) && sub_nodes_fit(q, b, c));
}

/* ---- kinds */

/* Kinds in the table are 1 + kind, 0 means no edge. By edges the parts of a node have no kinds but
 * ways to touch it: 1 fits 1. */
static void fill_kinds(sub_question *q)
{
    const gm_graph_pair *pair = q->pair;
    q->kinds_fit[0] = 1;
    if (q->options.by_edges) {
        q->kinds_fit[q->kinds2 + 1] = 1;
        return;
    }
    for (int32_t k = 0; k < pair->n_kinds1; k++)
        for (int32_t m = 0; m < pair->n_kinds2; m++)
            q->kinds_fit[(k + 1) * q->kinds2 + m + 1] =
                pair->kinds_fit[(int64_t)k * pair->n_kinds2 + m];
}

/* Whether two different kinds of the first graph fit one of the second. */
static int kinds_overlap(const gm_graph_pair *pair)
{
    for (int32_t m = 0; m < pair->n_kinds2; m++) {
        int32_t n = 0;
        for (int32_t k = 0; k < pair->n_kinds1; k++)
            n += pair->kinds_fit[(int64_t)k * pair->n_kinds2 + m] != 0;
        if (n > 1)
            return 1;
    }
    return 0;
}

/* ---- classes at the root */

/* Whether two items of the left side have the same labels. */
static int same_labels(const sub_question *q, int32_t k, int32_t m)
{
    const gm_labelled_graph *graph = &q->pair->first;
    const int32_t *tail = q->left.tail, *head = q->left.head;
    if (graph->type[tail[k]] != graph->type[tail[m]] ||
        graph->type[head[k]] != graph->type[head[m]])
        return 0;
    return !q->options.by_edges ||
           (graph->kind[q->left.original[k]] == graph->kind[q->left.original[m]] &&
            (tail[k] == head[k]) == (tail[m] == head[m]));
}

/* The class whose first member has the labels of item k, or -1. */
static int64_t class_of_labels(const sub_question *q, const int32_t *first, int64_t n, int32_t k)
{
    for (int64_t c = 0; c < n; c++)
        if (same_labels(q, first[c], k))
            return c;
    return -1;
}

/* Puts the items into classes by their labels. Every class has room; those without partners are
 * dropped later. first: [items] the first member of each class. */
static void group_items(sub_question *q, sub_classes *root, int32_t *first)
{
    q->n_classes = 0;
    for (int32_t k = 0; k < q->left.n_items; k++) {
        int64_t c = class_of_labels(q, first, q->n_classes, k);
        if (c < 0) {
            c = q->n_classes++;
            first[c] = k;
            for (int32_t m = 0; m < q->right.n_items; m++)
                if (items_fit(q, k, m))
                    bits_add(root->right + c * q->right.words, m);
        }
        bits_add(root->left + c * q->left.words, k);
    }
}

/* Joins classes with the same right side, drops those with none, measures the others. */
static void join_classes(sub_question *q, sub_classes *root)
{
    const int32_t wl = q->left.words, wr = q->right.words;
    int64_t n = 0;
    for (int64_t c = 0; c < q->n_classes; c++) {
        const uint64_t *right = root->right + c * wr;
        int64_t same = 0;
        while (same < n && memcmp(root->right + same * wr, right, sizeof *right * (size_t)wr))
            same++;
        if (same < n) {
            for (int32_t w = 0; w < wl; w++)
                root->left[same * wl + w] |= root->left[c * wl + w];
        } else if (bits_next(right, wr, 0) >= 0) {
            memmove(root->left + n * wl, root->left + c * wl, sizeof *right * (size_t)wl);
            memmove(root->right + n * wr, right, sizeof *right * (size_t)wr);
            n++;
        }
    }
    q->n_classes = n;
    uint64_t sum = 0, any = 0; /* of members on the right: equal if no two classes share one */
    for (int64_t c = 0; c < n; c++) {
        root->of[c].anchors = 0;
        sub_measure(q, root, c);
        sum += (uint64_t)root->of[c].n_right;
    }
    for (int32_t m = 0; m < q->right.n_items; m++) {
        int shared = 0;
        for (int64_t c = 0; c < n; c++)
            shared |= bits_has(root->right + c * wr, m);
        any += (uint64_t)shared;
    }
    q->overlaps = sum != any || (!q->options.by_edges && kinds_overlap(q->pair));
}

/* ---- weights */

static int compare_descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The largest weight of a pair with each item: a(u) and b(v). */
static void find_largest(const sub_question *q, double *left, double *right)
{
    for (int32_t k = 0; k < q->left.n_items; k++)
        for (int32_t m = 0; m < q->right.n_items; m++) {
            if (!items_fit(q, k, m))
                continue;
            const double weight = sub_pair_weight(q, q->left.tail[k], q->right.tail[m]);
            left[k] = weight > left[k] ? weight : left[k];
            right[m] = weight > right[m] ? weight : right[m];
        }
}

/* step, left_level and right_level; see classes.h. */
static int take_levels(sub_question *q, gm_pool *pool)
{
    const int32_t n1 = q->left.n_items, n2 = q->right.n_items;
    int status = GM_ENOMEM;
    gm_pool scratch = {NULL, 0};
    double *left, *right, *value;
    GM_TAKE(&scratch, n1, left);
    GM_TAKE(&scratch, n2, right);
    GM_TAKE(&scratch, n1 + n2 + 1, value);
    if (scratch.failed)
        goto done;
    find_largest(q, left, right);
    memcpy(value, left, sizeof *value * (size_t)n1);
    memcpy(value + n1, right, sizeof *value * (size_t)n2);
    qsort(value, (size_t)(n1 + n2), sizeof *value, compare_descending);
    for (int32_t k = 0; k < n1 + n2 && value[k] > 0.0; k++) /* each value once */
        if (q->n_levels == 0 || value[k] < value[q->n_levels - 1])
            value[q->n_levels++] = value[k];
    GM_TAKE(pool, q->n_levels, q->step);
    GM_TAKE(pool, (int64_t)q->n_levels * q->left.words, q->left_level);
    GM_TAKE(pool, (int64_t)q->n_levels * q->right.words, q->right_level);
    if (pool->failed)
        goto done;
    for (int32_t i = 0; i < q->n_levels; i++) {
        q->step[i] = value[i] - (i + 1 < q->n_levels ? value[i + 1] : 0.0);
        for (int32_t k = 0; k < n1; k++)
            if (left[k] >= value[i])
                bits_add(q->left_level + (int64_t)i * q->left.words, k);
        for (int32_t m = 0; m < n2; m++)
            if (right[m] >= value[i])
                bits_add(q->right_level + (int64_t)i * q->right.words, m);
    }
    status = GM_OK;
done:
    gm_pool_free(&scratch);
    return status;
}

int sub_question_take(sub_question *q, gm_pool *pool, const gm_graph_pair *pair,
                      const gm_common_options *options)
{
    q->pair = pair;
    q->options = *options;
    const int by_edges = options->by_edges;
    if (sub_side_take(&q->left, pool, &pair->first, &pair->second, pair->directed, by_edges) ||
        sub_side_take(&q->right, pool, &pair->second, &pair->first, pair->directed, by_edges))
        return GM_ENOMEM;
    const int32_t kinds1 = by_edges ? 2 : pair->n_kinds1 + 1;
    q->kinds2 = by_edges ? 2 : pair->n_kinds2 + 1;
    GM_TAKE(pool, (int64_t)kinds1 * q->kinds2, q->kinds_fit);
    int32_t *first;
    uint64_t *any;
    GM_TAKE(pool, q->left.n_items, first);
    GM_TAKE(pool, q->right.words, any);
    sub_classes_take(&q->root, pool, q, q->left.n_items);
    if (pool->failed || (options->weight && take_levels(q, pool) != GM_OK))
        return GM_ENOMEM;
    fill_kinds(q);
    group_items(q, &q->root, first);
    join_classes(q, &q->root);
    q->most = sub_most(q, &q->root, 0, q->n_classes, any);
    return GM_OK;
}
