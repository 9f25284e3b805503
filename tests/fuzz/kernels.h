/* A small model from bytes, and every anytime kernel behind one table, for the fuzzers. */
#ifndef FUZZ_KERNELS_H
#define FUZZ_KERNELS_H

#include "gm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 6, MAX_CANDIDATES = MAX_SIDE * MAX_SIDE, MAX_EDGES = 200 };

/* What the fuzzer has given, read from the front; zeros behind its end. */
typedef struct bytes {
    const uint8_t *data;
    size_t remaining;
} bytes;

static inline uint8_t next_byte(bytes *in)
{
    if (in->remaining == 0)
        return 0;
    in->remaining--;
    return *in->data++;
}

/* Costs of every magnitude, ties, zeros, both ends of the double range, and plain numbers. */
static inline double next_cost(bytes *in)
{
    static const double odd[] = {0.0,    -0.0,   1.0, -1.0, 1e-300, -1e-300, 1e300, -1e300,
                                 5e-324, 0x1p53, 1e9, -1e9, 1e-9,   -1e-9,   1e15,  0.1};
    const uint8_t kind = next_byte(in);
    if (kind < 64)
        return odd[kind % 16];
    return ((double)kind - 160.0) + (double)next_byte(in) / 256.0;
}

typedef struct model_memory {
    int32_t left[MAX_CANDIDATES], right[MAX_CANDIDATES], rank[MAX_CANDIDATES];
    double cost[MAX_CANDIDATES];
    int32_t a[MAX_EDGES], b[MAX_EDGES];
    double edge_cost[MAX_EDGES];
} model_memory;

/* Makes a model in `m` from the bytes; square: a complete problem with n1 = n2 and all pairs
 * allowed. Returns 0 if it would have no candidates. */
static inline int make_model(bytes *in, int square, gm_model *model, model_memory *m)
{
    const int32_t n1 = 1 + next_byte(in) % MAX_SIDE;
    const int32_t n2 = square ? n1 : 1 + next_byte(in) % MAX_SIDE;
    const uint8_t density = square ? 255 : next_byte(in);
    int32_t n = 0, repeated[2];
    for (int32_t i = 0; i < n1; i++) {
        for (int32_t s = 0; s < n2; s++) {
            if (density >= 192 || (next_byte(in) & 3) != 0) {
                m->left[n] = i;
                m->right[n] = s;
                m->cost[n++] = next_cost(in);
            }
        }
    }
    if (n == 0)
        return 0;
    int64_t n_edges = 0, distinct = 0;
    while (in->remaining > 2 && n_edges < MAX_EDGES) {
        const int32_t a = next_byte(in) % n, b = next_byte(in) % n;
        if (a != b) {
            m->a[n_edges] = a;
            m->b[n_edges] = b;
            m->edge_cost[n_edges++] = next_cost(in);
        }
    }
    if (gm_sort_candidates(n1, n2, n, m->left, m->right, m->cost, m->rank, repeated) != GM_OK ||
        gm_sort_edges(n, n_edges, m->rank, m->a, m->b, m->edge_cost, &distinct) != GM_OK)
        return 0;
    const int32_t complete = square || (n1 <= n2 && n == n1 * n2 && (density & 1));
    *model = (gm_model){.n1 = n1,
                        .n2 = n2,
                        .n_candidates = n,
                        .n_edges = distinct,
                        .left = m->left,
                        .right = m->right,
                        .cost = m->cost,
                        .a = m->a,
                        .b = m->b,
                        .edge_cost = m->edge_cost,
                        .complete = complete};
    return 1;
}

typedef struct kernel {
    const char *name;
    int square; /* takes square complete problems only */
    gm_run *(*make)(const gm_model *);
    int (*step)(gm_run *, int64_t, double);
    void (*end)(gm_run *);
} kernel;

static inline gm_run *new_fw(const gm_model *model)
{
    const gm_fw_options options = {.tol = 1e-3, .restarts = 20, .seed = 1};
    return gm_fw_new(model, &options);
}

static inline gm_run *new_fm(const gm_model *model)
{
    const gm_fm_options options = {.seed = 1, .improve = 5, .patience = 50};
    return gm_fm_new(model, &options);
}

static inline gm_run *new_fm_bca(const gm_model *model)
{
    const gm_fm_bca_options options = {
        .seed = 1, .improve = 5, .primal_share = 1.0, .patience = 50};
    return gm_fm_bca_new(model, &options);
}

static inline gm_run *new_aj(const gm_model *model)
{
    const gm_aj_options options = {
        .seed = 1, .branch = 1, .fix = 1, .lift_limit = 20000000, .certify = 1};
    return gm_aj_new(model, &options);
}

static inline gm_run *new_ddls(const gm_model *model, int32_t local)
{
    const gm_ddls_options options = {
        .local = local, .step = 1.0, .deflection = 0.7, .patience = 10, .tol = 1e-6, .seed = 1};
    return gm_ddls_new(model, &options);
}

static inline gm_run *new_ddls0(const gm_model *model)
{
    return new_ddls(model, 0);
}

static inline gm_run *new_ddls4(const gm_model *model)
{
    return new_ddls(model, 4);
}

static inline gm_run *new_mp(const gm_model *model)
{
    const gm_mp_options options = {.kept = 1.0, .tighten = 1, .frank_wolfe = 1};
    return gm_mp_new(model, &options);
}

static inline gm_run *new_hbp(const gm_model *model)
{
    const gm_hbp_options options = {.block_left = model->n1, .block_right = model->n2, .exact = 1};
    return gm_hbp_new(model, &options);
}

static inline gm_run *new_linear(const gm_model *model)
{
    const gm_linear_options options = {0};
    return gm_linear_new(model, &options);
}

static const kernel kernels[] = {
    {"fw", 0, new_fw, gm_fw_step, gm_fw_free},
    {"fm", 0, new_fm, gm_fm_step, gm_fm_free},
    {"fm_bca", 0, new_fm_bca, gm_fm_bca_step, gm_fm_bca_free},
    {"aj", 0, new_aj, gm_aj_step, gm_aj_free},
    {"ddls0", 0, new_ddls0, gm_ddls_step, gm_ddls_free},
    {"ddls4", 0, new_ddls4, gm_ddls_step, gm_ddls_free},
    {"mp", 0, new_mp, gm_mp_step, gm_mp_free},
    {"hbp", 1, new_hbp, gm_hbp_step, gm_hbp_free},
    {"linear", 0, new_linear, gm_linear_step, gm_linear_free},
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* Ends the fuzzer with a message. */
static inline void broken(const char *what, const char *name)
{
    fprintf(stderr, "broken: %s: %s\n", name, what);
    abort();
}

/* Ends the fuzzer if the labels of a run are no matching of allowed pairs. */
static inline void check_labels(const gm_model *model, const gm_run *run, const char *name)
{
    int used[MAX_SIDE] = {0};
    if (!isfinite(run->value))
        return;
    for (int32_t i = 0; i < model->n1; i++) {
        const int32_t s = run->labels[i];
        int allowed = s == -1;
        for (int32_t k = 0; k < model->n_candidates; k++)
            allowed |= model->left[k] == i && model->right[k] == s;
        if (!allowed)
            broken("a label that is no candidate", name);
        if (s >= 0 && used[s]++)
            broken("a label taken twice", name);
    }
}

#endif
