#include "qap/align.h"

#include <math.h>
#include <string.h>

void gm_aligned_take(gm_aligned *aligned, gm_pool *pool, const gm_align *model)
{
    const int32_t n = model->n;
    aligned->model = model;
    aligned->n = n;
    GM_TAKE(pool, n, aligned->at);
    GM_TAKE(pool, n, aligned->of);
    GM_TAKE(pool, n, aligned->own);
    GM_TAKE(pool, n, aligned->at_label);
    GM_TAKE(pool, n, aligned->at_node);
    GM_TAKE(pool, n, aligned->link_out);
    GM_TAKE(pool, n, aligned->link_in);
    GM_TAKE(pool, n, aligned->label_out);
    GM_TAKE(pool, n, aligned->label_in);
    GM_TAKE(pool, n, aligned->touched);
    GM_TAKE(pool, n, aligned->is_touched);
    GM_TAKE(pool, n, aligned->mark_out);
    GM_TAKE(pool, n, aligned->mark_in);
}

static int64_t first_link(const gm_links *links, int32_t i)
{
    return i < links->n ? links->start[i] : 0;
}

static int64_t last_link(const gm_links *links, int32_t i)
{
    return i < links->n ? links->start[i + 1] : 0;
}

/* C_it, 0 for dummies. */
static double unary(const gm_aligned *aligned, int32_t i, int32_t t)
{
    const gm_align *model = aligned->model;
    if (!model->C || i >= model->A.n || t >= model->B.n)
        return 0.0;
    return model->C[(int64_t)i * model->B.n + t];
}

/* Adds (sign 1) or subtracts (sign -1) the cost of node i with the nodes that have a label (of):
 * from its own sum, from theirs, and from the cost. */
static void add_payments(gm_aligned *aligned, int32_t i, double sign)
{
    const gm_align *model = aligned->model;
    const gm_links *A = &model->A, *B = &model->B;
    const int32_t a = aligned->at[i];
    double *own = aligned->own, *out = aligned->mark_out, *in = aligned->mark_in;
    for (int64_t e = first_link(A, i); e < last_link(A, i); e++) {
        out[A->other[e]] = A->out[e];
        in[A->other[e]] = A->in[e];
    }
    double sum = 0.0;
    for (int64_t f = first_link(B, a); f < last_link(B, a); f++) {
        const int32_t k = aligned->of[B->other[f]];
        if (k < 0)
            continue;
        const double paid =
            gm_align_pay(model, out[k], B->out[f]) + gm_align_pay(model, in[k], B->in[f]);
        own[k] += sign * paid;
        sum += paid;
    }
    own[i] += sign * sum;
    for (int64_t e = first_link(A, i); e < last_link(A, i); e++)
        out[A->other[e]] = in[A->other[e]] = 0.0;
    aligned->cost += sign * (sum + unary(aligned, i, a));
    aligned->n_looked += last_link(A, i) - first_link(A, i) + last_link(B, a) - first_link(B, a);
}

void gm_aligned_load(gm_aligned *aligned, const int32_t *at)
{
    const int32_t n = aligned->n;
    if (at != aligned->at)
        memcpy(aligned->at, at, sizeof *at * (size_t)n);
    for (int32_t t = 0; t < n; t++)
        aligned->of[t] = -1;
    memset(aligned->own, 0, sizeof *aligned->own * (size_t)n);
    aligned->cost = 0.0;
    aligned->n_swaps = 0;
    for (int32_t i = 0; i < n; i++) { /* each pair is added with its second node */
        add_payments(aligned, i, 1.0);
        aligned->of[aligned->at[i]] = i;
    }
}

void gm_aligned_swap(gm_aligned *aligned, int32_t i, int32_t j)
{
    const int32_t a = aligned->at[i], b = aligned->at[j];
    aligned->n_swaps++;
    aligned->of[a] = -1;
    add_payments(aligned, i, -1.0);
    aligned->of[b] = -1;
    add_payments(aligned, j, -1.0);
    aligned->own[i] = aligned->own[j] = 0.0; /* exactly: neither has a link now */
    aligned->at[i] = b;
    aligned->at[j] = a;
    add_payments(aligned, i, 1.0);
    aligned->of[b] = i;
    add_payments(aligned, j, 1.0);
    aligned->of[a] = j;
}

static void touch(gm_aligned *aligned, int32_t j, int32_t *n_touched)
{
    if (!aligned->is_touched[j]) {
        aligned->is_touched[j] = 1;
        aligned->touched[(*n_touched)++] = j;
    }
}

/* The cost of i with its link j, before and after a swap with the node at label t. */
static double both_ways(const gm_aligned *aligned, int32_t j, int32_t t)
{
    const double out = aligned->link_out[j], in = aligned->link_in[j];
    const double label_out = aligned->label_out[t], label_in = aligned->label_in[t];
    const gm_align *model = aligned->model;
    if (model->overlap == 0.0)
        return (out + in) * (label_out + label_in);
    return gm_align_pay(model, out, label_out) + gm_align_pay(model, out, label_in) +
           gm_align_pay(model, in, label_out) + gm_align_pay(model, in, label_in);
}

int32_t gm_aligned_price(gm_aligned *aligned, int32_t i)
{
    const gm_align *model = aligned->model;
    const gm_links *A = &model->A, *B = &model->B;
    const int32_t *at = aligned->at, *of = aligned->of, a = at[i];
    double *r = aligned->at_label, *c = aligned->at_node;
    int32_t n_touched = 0;
    int64_t looked = 0;
    touch(aligned, i, &n_touched);
    for (int64_t e = first_link(A, i); e < last_link(A, i); e++) {
        const int32_t k = A->other[e], t = at[k];
        const double out = A->out[e], in = A->in[e];
        aligned->link_out[k] = out;
        aligned->link_in[k] = in;
        touch(aligned, k, &n_touched);
        /* B->out of t's list is B_t,l and B->in is B_l,t */
        for (int64_t f = first_link(B, t); f < last_link(B, t); f++) {
            r[B->other[f]] +=
                gm_align_pay(model, out, B->in[f]) + gm_align_pay(model, in, B->out[f]);
            touch(aligned, of[B->other[f]], &n_touched);
        }
        looked += last_link(B, t) - first_link(B, t);
    }
    for (int64_t f = first_link(B, a); f < last_link(B, a); f++) {
        const int32_t t = B->other[f], k = of[t];
        const double out = B->out[f], in = B->in[f];
        aligned->label_out[t] = out;
        aligned->label_in[t] = in;
        touch(aligned, k, &n_touched);
        for (int64_t e = first_link(A, k); e < last_link(A, k); e++) {
            c[A->other[e]] +=
                gm_align_pay(model, A->in[e], out) + gm_align_pay(model, A->out[e], in);
            touch(aligned, A->other[e], &n_touched);
        }
        looked += last_link(A, k) - first_link(A, k);
    }
    const double given_up = aligned->own[i] + unary(aligned, i, a);
    for (int32_t k = 0; k < n_touched; k++) {
        const int32_t j = aligned->touched[k], t = at[j];
        c[j] += r[t] - given_up - aligned->own[j] + both_ways(aligned, j, t) +
                unary(aligned, i, t) + unary(aligned, j, a) - unary(aligned, j, t);
        r[t] = 0.0;
    }
    c[i] = INFINITY;
    for (int64_t e = first_link(A, i); e < last_link(A, i); e++)
        aligned->link_out[A->other[e]] = aligned->link_in[A->other[e]] = 0.0;
    for (int64_t f = first_link(B, a); f < last_link(B, a); f++)
        aligned->label_out[B->other[f]] = aligned->label_in[B->other[f]] = 0.0;
    aligned->n_looked += looked;
    return n_touched;
}

void gm_aligned_forget(gm_aligned *aligned, int32_t n_touched)
{
    for (int32_t k = 0; k < n_touched; k++) {
        aligned->at_node[aligned->touched[k]] = 0.0;
        aligned->is_touched[aligned->touched[k]] = 0;
    }
}
