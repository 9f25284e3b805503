/* How well the neighbourhoods of two nodes agree, for the few labels of each node that are worth a
 * look: those next to a label of a neighbour. */
#include "gm.h"

#include <math.h>

/* Labels that a node has come across, in no order, with a number for each label: 0 for others. A
 * number that underflows to 0 meets none. */
typedef struct met_labels {
    float *value;
    int32_t *label;
    int32_t n;
} met_labels;

static void add_to(met_labels *met, int32_t s, float x)
{
    if (x == 0.0F)
        return;
    if (met->value[s] == 0.0F)
        met->label[met->n++] = s;
    met->value[s] += x;
}

static void raise_to(met_labels *met, int32_t s, float x)
{
    if (x <= met->value[s])
        return;
    if (met->value[s] == 0.0F)
        met->label[met->n++] = s;
    met->value[s] = x;
}

static void forget(met_labels *met)
{
    for (int32_t k = 0; k < met->n; k++)
        met->value[met->label[k]] = 0.0F;
    met->n = 0;
}

/* by_node: the sums over links j of i; best: the largest a_ij W_jt of each label t */
static void meet_labels(const gm_near *near, int32_t i, met_labels *by_node, met_labels *best,
                        met_labels *of_link)
{
    const gm_weighted *A = near->A, *B = near->B, *lists = near->lists;
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
        const int32_t j = A->other[e];
        for (int64_t k = lists->start[j]; k < lists->start[j + 1]; k++) {
            const int32_t t = lists->other[k];
            const float support = A->weight[e] * lists->weight[k];
            raise_to(best, t, support);
            for (int64_t f = B->start[t]; f < B->start[t + 1]; f++)
                raise_to(of_link, B->other[f], B->weight[f] * support);
        }
        for (int32_t k = 0; k < of_link->n; k++)
            add_to(by_node, of_link->label[k], of_link->value[of_link->label[k]]);
        forget(of_link);
    }
}

/* sum[s] += sum over links t of s of b_st best[t] */
static void sum_labels(const gm_weighted *B, const met_labels *best, met_labels *sum)
{
    for (int32_t k = 0; k < best->n; k++) {
        const int32_t t = best->label[k];
        for (int64_t f = B->start[t]; f < B->start[t + 1]; f++)
            add_to(sum, B->other[f], B->weight[f] * best->value[t]);
    }
}

static float distance(const gm_near *near, int32_t i, int32_t s)
{
    const int32_t n = near->n_features;
    const float *x = near->left + (int64_t)i * n, *y = near->right + (int64_t)s * n;
    float sum = 0.0F;
    for (int32_t k = 0; k < n; k++)
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
}

/* Lets (score, label) sink from place k of a heap of n, whose least score is at its top. */
static void sift(float *score, int32_t *label, int32_t n, int32_t k, float x, int32_t s)
{
    for (int32_t child = 2 * k + 1; child < n; k = child, child = 2 * k + 1) {
        if (child + 1 < n && score[child + 1] < score[child])
            child++;
        if (score[child] >= x)
            break;
        score[k] = score[child];
        label[k] = label[child];
    }
    score[k] = x;
    label[k] = s;
}

/* Offers a label to the best `width` of a node. Returns how many are kept. */
static int32_t keep_best(float *score, int32_t *label, int32_t n, int32_t width, float x, int32_t s)
{
    if (n < width) {
        score[n] = x;
        label[n++] = s;
        if (n == width)
            for (int32_t k = width / 2 - 1; k >= 0; k--)
                sift(score, label, width, k, score[k], label[k]);
    } else if (x > score[0]) {
        sift(score, label, width, 0, x, s);
    }
    return n;
}

void gm_pool_near(const gm_near *near, int32_t first, int32_t last, int32_t *count, int32_t *label,
                  float *score)
{
    const int32_t n = near->B->n, width = near->width;
    const gm_weighted *evidence = near->evidence;
    met_labels by_node = {near->sums, near->marks, 0};
    met_labels by_label = {near->sums + n, near->marks + n, 0};
    met_labels best = {near->sums + 2 * (int64_t)n, near->marks + 2 * (int64_t)n, 0};
    met_labels of_link = {near->sums + 3 * (int64_t)n, near->marks + 3 * (int64_t)n, 0};
    for (int32_t i = first; i < last; i++) {
        meet_labels(near, i, &by_node, &best, &of_link);
        sum_labels(near->B, &best, &by_label);
        for (int64_t e = evidence->start[i]; e < evidence->start[i + 1]; e++)
            add_to(&of_link, evidence->other[e], evidence->weight[e]);
        float *own = score + (int64_t)i * width;
        int32_t *its = label + (int64_t)i * width, kept = 0;
        for (int32_t k = 0; k < by_node.n; k++) {
            const int32_t s = by_node.label[k];
            const float sum = fminf(by_node.value[s], by_label.value[s]);
            const float x = near->rate * sum - near->prior * distance(near, i, s);
            kept = keep_best(own, its, kept, width, x + of_link.value[s], s);
            of_link.value[s] = 0.0F;
        }
        for (int32_t k = 0; k < of_link.n; k++) { /* those that no neighbour supports */
            const int32_t s = of_link.label[k];
            if (of_link.value[s] > 0.0F) {
                const float x = of_link.value[s] - near->prior * distance(near, i, s);
                kept = keep_best(own, its, kept, width, x, s);
            }
        }
        count[i] = kept;
        forget(&by_node);
        forget(&by_label);
        forget(&best);
        forget(&of_link);
    }
}
