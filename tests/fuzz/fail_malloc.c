/* Every allocation of every gm_*_new made to fail in turn: NULL comes back, nothing is lost.
 * Linked with --wrap=malloc,calloc,realloc, so that only the kernels' own calls are counted. */
#include "kernels.h"

#include "graph_pairs.h"

static long countdown = -1; /* the allocation that brings it to 0 fails; < 0: none does */

static int fails(void)
{
    return countdown > 0 && --countdown == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}

/* Every allocation of `make` fails in turn; returns how many there are. */
static long fail_each(const kernel *kernel, const gm_model *model)
{
    for (long k = 1;; k++) {
        countdown = k;
        gm_run *run = kernel->make(model);
        const int survived = countdown > 0;
        countdown = -1;
        if (!survived && run) { /* it did without that memory: it must still answer */
            kernel->step(run, 3, 0.05);
            check_labels(model, run, kernel->name);
        }
        if (run)
            kernel->end(run);
        else if (survived)
            broken("no run, although no allocation failed", kernel->name);
        if (survived)
            return k - 1;
    }
}

/* The same for the allocations of the first steps: an error or an answer, never a crash. */
static long fail_steps(const kernel *kernel, const gm_model *model)
{
    for (long k = 1;; k++) {
        gm_run *run = kernel->make(model);
        if (!run)
            return 0;
        countdown = k;
        int status = GM_OK;
        for (int j = 0; j < 5 && status == GM_OK && !run->finished; j++) {
            status = kernel->step(run, 10, 1.0);
            run->n_events = 0;
        }
        const int survived = countdown > 0;
        countdown = -1;
        check_labels(model, run, kernel->name);
        kernel->end(run);
        if (survived)
            return k - 1;
    }
}

static long fail_lap(void)
{
    const int64_t start[] = {0, 2, 4};
    const int32_t col[] = {0, 1, 0, 1};
    for (long k = 1;; k++) {
        countdown = k;
        gm_lap *lap = gm_lap_new(2, 2, start, col);
        const int survived = countdown > 0;
        countdown = -1;
        gm_lap_free(lap);
        if (survived)
            return k - 1;
    }
}

/* The subgraph kernels: each allocation of `new` fails in turn, then the run goes on without. */
static long fail_common(const gm_graph_pair *pair, const gm_common_options *options)
{
    for (long k = 1;; k++) {
        countdown = k;
        gm_run *run = gm_common_new(pair, options);
        const int survived = countdown > 0;
        countdown = -1;
        if (run)
            gm_common_step(run, 100, 0.05);
        gm_common_free(run);
        if (survived)
            return k - 1;
    }
}

static long fail_common_edges(const gm_graph_pair *pair)
{
    const gm_common_edges_options both = {1, 1};
    for (long k = 1;; k++) {
        countdown = k;
        gm_run *run = gm_common_edges_new(pair, &both);
        const int survived = countdown > 0;
        countdown = -1;
        if (run)
            gm_common_edges_step(run, 100, 0.05);
        gm_common_edges_free(run);
        if (survived)
            return k - 1;
    }
}

static long fail_distances(const gm_graph_pair *pair)
{
    static const int64_t cost[4] = {2, 2, 1, 1};
    const int64_t nodes[2] = {0, pair->second.n_nodes}, edges[2] = {0, pair->second.n_edges};
    const gm_graph_list list = list_of(pair, nodes, edges);
    const gm_near_options options = {100, 100000, 1.0};
    const int32_t chosen = 0;
    int64_t distance;
    for (long k = 1;; k++) {
        countdown = k;
        gm_edit_distances(&list, &pair->first, cost, &options, &chosen, 1, &distance);
        const int survived = countdown > 0;
        countdown = -1;
        if (survived)
            return k - 1;
    }
}

static long fail_contained(const gm_graph_pair *pair, const gm_contained_options *options)
{
    for (long k = 1;; k++) {
        countdown = k;
        gm_run *run = gm_contained_new(pair, options);
        const int survived = countdown > 0;
        countdown = -1;
        if (run)
            gm_contained_step(run, 100, 0.05);
        gm_contained_free(run);
        if (survived)
            return k - 1;
    }
}

static long fail_cells(const gm_graph_pair *pair)
{
    int32_t cell[MAX_NODES];
    for (long k = 1;; k++) {
        countdown = k;
        gm_refined_cells(pair, NULL, cell);
        const int survived = countdown > 0;
        countdown = -1;
        if (survived)
            return k - 1;
    }
}

static long fail_filters(const gm_graph_pair *pair)
{
    static const int64_t cost[4] = {2, 2, 1, 1};
    const int64_t nodes[2] = {0, pair->second.n_nodes}, edges[2] = {0, pair->second.n_edges};
    const gm_graph_list list = list_of(pair, nodes, edges);
    int64_t bound;
    int32_t answer;
    for (long k = 1;; k++) {
        int survived = 1;
        for (int which = 0; which < 3; which++) {
            countdown = k;
            if (which == 0)
                gm_edit_bounds(&list, &pair->first, cost, INT64_MAX, &bound);
            else if (which == 1)
                gm_common_bounds(&list, &pair->first, &answer);
            else
                gm_contained_filter(&list, &pair->first, &answer);
            survived &= countdown > 0;
            countdown = -1;
        }
        if (survived)
            return k - 1;
    }
}

static void fail_subgraphs(const uint8_t *data, size_t size)
{
    static const double weight[MAX_LABELS * MAX_LABELS] = {1, 2, 3, 2, 1, 2, 3, 2, 1};
    bytes in = {data, size};
    pair_memory memory;
    gm_graph_pair pair = make_pair(&in, 0, &memory);
    gm_common_options common = {.twins = 1, .n_jobs = 2, .weight = weight};
    printf("common %ld\n", fail_common(&pair, &common));
    common = (gm_common_options){.by_edges = 1, .connected = 1, .twins = 1, .n_jobs = 1};
    printf("common %ld\n", fail_common(&pair, &common));
    static const int32_t ring[MAX_NODES * MAX_NODES] = {1, 0, 1, 1};
    common.ring = ring;
    printf("rings %ld\n", fail_common(&pair, &common));
    gm_contained_options contained = {.limit = 1};
    printf("contained %ld\n", fail_contained(&pair, &contained));
    pair.second = pair.first;
    for (int32_t k = 0; k < MAX_LABELS * MAX_LABELS; k++)
        memory.types_fit[k] = memory.kinds_fit[k] = k % (MAX_LABELS + 1) == 0;
    printf("contained %ld\n", fail_contained(&pair, &contained));
    contained = (gm_contained_options){.induced = 1, .isomorphic = 1};
    printf("contained %ld\n", fail_contained(&pair, &contained));
    printf("cells %ld\n", fail_cells(&pair));
    printf("filters %ld\n", fail_filters(&pair));
    printf("common_edges %ld\n", fail_common_edges(&pair));
    printf("distances %ld\n", fail_distances(&pair));
}

int main(void)
{
    uint8_t data[600];
    printf("lap %ld\n", fail_lap());
    for (int seed = 0; seed < 4; seed++) {
        for (size_t k = 0; k < sizeof data; k++)
            data[k] = (uint8_t)((k + 1) * (k + 7 * (size_t)seed + 3) * 2654435761u >> 11);
        fail_subgraphs(data, sizeof data);
        data[0] = 3;
        data[1] = 3;
        for (int which = 0; which < N_KERNELS; which++) {
            bytes in = {data, sizeof data};
            gm_model model;
            model_memory memory;
            if (!make_model(&in, kernels[which].square, &model, &memory))
                broken("no model", "fail_malloc");
            const long made = fail_each(&kernels[which], &model);
            printf("%s %ld %ld\n", kernels[which].name, made, fail_steps(&kernels[which], &model));
        }
    }
    return 0;
}
