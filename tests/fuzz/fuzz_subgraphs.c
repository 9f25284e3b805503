/* The subgraph kernels on any two small graphs: they end, agree with each other, and change nothing
 * when twins are tried or the tree is divided. */
#include "kernels.h"

#include "graph_pairs.h"

/* The size of the largest common subgraph. */
static double common_size(const gm_graph_pair *pair, gm_common_options options)
{
    gm_run *run = gm_common_new(pair, &options);
    if (!run)
        broken("no run", "common");
    while (!run->finished) {
        gm_common_step(run, 1 << 20, 1.0);
        for (int32_t k = 0; k < gm_common_n_pieces(run); k++)
            gm_common_piece(run, k, 1.0);
        run->n_events = 0;
    }
    if (run->value != run->bound)
        broken("value and bound differ at the end", "common");
    for (int32_t u = 0; u < run->n1; u++)
        if (run->labels[u] < -1 || run->labels[u] >= pair->second.n_nodes)
            broken("a label is out of range", "common");
    const double size = -run->value;
    gm_common_free(run);
    return size;
}

/* The most common edges by two searches in turns, or by one. */
static double common_edges(const gm_graph_pair *pair, gm_common_edges_options options)
{
    gm_run *run = gm_common_edges_new(pair, &options);
    if (!run)
        broken("no run", "common_edges");
    while (!run->finished) {
        gm_common_edges_step(run, 1 << 20, 1.0);
        run->n_events = 0;
    }
    if (run->value != run->bound)
        broken("value and bound differ at the end", "common_edges");
    const double size = -run->value;
    gm_common_edges_free(run);
    return size;
}

/* All searches for the most common edges agree if labels are compared by equality; so does the edit
 * distance without costs of nodes, if all nodes are alike. */
static void check_edges(const gm_graph_pair *pair, double most)
{
    static const int64_t cost[4] = {0, 0, 1, 2};
    for (int32_t how = 1; how < 4; how++)
        if (common_edges(pair, (gm_common_edges_options){how & 1, how >> 1}) != most)
            broken("another number of common edges", "common_edges");
    for (int32_t u = 0; u < pair->first.n_nodes; u++)
        if (pair->first.type[u])
            return;
    for (int32_t v = 0; v < pair->second.n_nodes; v++)
        if (pair->second.type[v])
            return;
    const int64_t nodes[2] = {0, pair->second.n_nodes}, edges[2] = {0, pair->second.n_edges};
    const gm_graph_list list = list_of(pair, nodes, edges);
    const gm_near_options options = {INT64_MAX / 4, INT64_MAX, 1.0};
    const int32_t chosen = 0;
    int64_t distance;
    gm_edit_distances(&list, &pair->first, cost, &options, &chosen, 1, &distance);
    if (distance != 2 * (pair->first.n_edges + pair->second.n_edges) - 4 * (int64_t)most)
        broken("the edit distance is another one", "common_edges");
}

/* How many maps there are, counted or listed. */
static int64_t count_maps(const gm_graph_pair *pair, gm_contained_options options)
{
    int32_t maps[8 * MAX_NODES];
    gm_run *run = gm_contained_new(pair, &options);
    if (!run)
        broken("no run", "contained");
    int64_t listed = 0;
    for (;;) {
        gm_contained_step(run, 1 << 20, 1.0);
        for (int64_t n = 1; n > 0; listed += n)
            n = gm_contained_take(run, maps, 8);
        if (run->finished)
            break;
    }
    const int64_t count = gm_contained_count(run);
    if (!options.count_only && listed != count)
        broken("listed and counted differ", "contained");
    gm_contained_free(run);
    return count;
}

/* The bounds for labels that are compared by equality: they hold, and are 0 for the graph itself.
 */
static void check_filters(gm_graph_pair pair, pair_memory *memory)
{
    static const int64_t cost[4] = {2, 2, 1, 1};
    const int64_t nodes[2] = {0, pair.second.n_nodes}, edges[2] = {0, pair.second.n_edges};
    const gm_graph_list list = list_of(&pair, nodes, edges);
    int64_t bound;
    int32_t most, may;
    for (int32_t k = 0; k < MAX_LABELS * MAX_LABELS; k++)
        memory->types_fit[k] = memory->kinds_fit[k] = k % (MAX_LABELS + 1) == 0;
    gm_edit_bounds(&list, &pair.first, cost, INT64_MAX, &bound);
    gm_common_bounds(&list, &pair.first, &most);
    gm_contained_filter(&list, &pair.first, &may);
    const double edges_in_common =
        common_size(&pair, (gm_common_options){.by_edges = 1, .n_jobs = 1});
    if (edges_in_common > (double)most)
        broken("more edges are common than the bound", "filters");
    check_edges(&pair, edges_in_common);
    const int64_t all =
        2 * (pair.first.n_nodes + pair.second.n_nodes + pair.first.n_edges + pair.second.n_edges);
    if (bound < 0 || bound > all)
        broken("deleting and inserting everything costs less than the bound", "filters");
    gm_edit_bounds(&list, &pair.second, cost, INT64_MAX, &bound);
    gm_contained_filter(&list, &pair.second, &may);
    if (bound != 0 || !may)
        broken("a graph is not like itself", "filters");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    pair_memory memory;
    const uint8_t how = next_byte(&in);
    gm_common_options options = {.by_edges = how & 1, .connected = how >> 1 & 1, .n_jobs = 1};
    const gm_graph_pair pair = make_pair(&in, how & 1, &memory);
    const double plain = common_size(&pair, options);
    if (next_byte(&in) & 1) {
        check_filters(pair, &memory);
        return 0;
    }
    options.twins = 1;
    if (common_size(&pair, options) != plain)
        broken("twins change the size", "common");
    options.n_jobs = 3;
    if (common_size(&pair, options) != plain)
        broken("n_jobs changes the size", "common");
    if (how & 1)
        return 0;
    options.connected = 0;
    gm_contained_options asked = {.induced = 1};
    const int64_t induced = count_maps(&pair, asked);
    if ((common_size(&pair, options) == (double)pair.first.n_nodes) != (induced > 0))
        broken("a common subgraph of all nodes is a contained one", "contained");
    asked.count_only = 1;
    if (count_maps(&pair, asked) != induced)
        broken("listed and counted differ", "contained");
    asked.limit = 1;
    if (count_maps(&pair, asked) != (induced > 0))
        broken("the first one is not found", "contained");
    asked = (gm_contained_options){.induced = 1, .isomorphic = 1};
    const int same_size = pair.first.n_nodes == pair.second.n_nodes;
    if (count_maps(&pair, asked) != (same_size ? induced : 0))
        broken("isomorphisms are the induced maps onto all nodes", "contained");
    return 0;
}
