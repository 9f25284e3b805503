/* Two small labelled graphs from bytes, for the fuzzers of the subgraph kernels. Include behind
 * kernels.h. */
#ifndef FUZZ_GRAPH_PAIRS_H
#define FUZZ_GRAPH_PAIRS_H

enum { MAX_NODES = 7, MAX_LABELS = 3 };

typedef struct pair_memory {
    int32_t type[2][MAX_NODES];
    int32_t tail[2][MAX_NODES * MAX_NODES], head[2][MAX_NODES * MAX_NODES];
    int32_t kind[2][MAX_NODES * MAX_NODES];
    int32_t types_fit[MAX_LABELS * MAX_LABELS], kinds_fit[MAX_LABELS * MAX_LABELS];
} pair_memory;

/* One graph: at most one edge in each direction, loops only if asked for. */
static inline gm_labelled_graph make_graph(bytes *in, int directed, int loops, int which,
                                           pair_memory *m)
{
    const int32_t n = next_byte(in) % (MAX_NODES + 1);
    int32_t n_edges = 0;
    for (int32_t u = 0; u < n; u++)
        m->type[which][u] = next_byte(in) % MAX_LABELS;
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = directed ? 0 : u; v < n; v++) {
            const uint8_t byte = (u == v && !loops) ? 0 : next_byte(in);
            if (byte % 3 != 1)
                continue;
            m->tail[which][n_edges] = u;
            m->head[which][n_edges] = v;
            m->kind[which][n_edges++] = (byte >> 4) % MAX_LABELS;
        }
    return (gm_labelled_graph){.n_nodes = n,
                               .n_edges = n_edges,
                               .type = m->type[which],
                               .tail = m->tail[which],
                               .head = m->head[which],
                               .kind = m->kind[which]};
}

/* A table of what fits: everything, equality, or whatever the bytes say. */
static inline void make_table(bytes *in, int32_t *table)
{
    const uint8_t how = next_byte(in) % 3;
    for (int32_t k = 0; k < MAX_LABELS * MAX_LABELS; k++)
        table[k] = how == 0 ? 1 : how == 1 ? k % (MAX_LABELS + 1) == 0 : next_byte(in) & 1;
}

static inline gm_graph_pair make_pair(bytes *in, int loops, pair_memory *m)
{
    const int directed = next_byte(in) & 1;
    gm_graph_pair pair = {.directed = directed,
                          .n_types1 = MAX_LABELS,
                          .n_types2 = MAX_LABELS,
                          .n_kinds1 = MAX_LABELS,
                          .n_kinds2 = MAX_LABELS,
                          .types_fit = m->types_fit,
                          .kinds_fit = m->kinds_fit};
    make_table(in, m->types_fit);
    make_table(in, m->kinds_fit);
    pair.first = make_graph(in, directed, loops, 0, m);
    pair.second = make_graph(in, directed, loops, 1, m);
    return pair;
}

/* The second graph as a list of one. */
static inline gm_graph_list list_of(const gm_graph_pair *pair, const int64_t *nodes,
                                    const int64_t *edges)
{
    return (gm_graph_list){.n_graphs = 1,
                           .directed = pair->directed,
                           .n_types = MAX_LABELS,
                           .n_kinds = MAX_LABELS,
                           .node_start = nodes,
                           .edge_start = edges,
                           .type = pair->second.type,
                           .tail = pair->second.tail,
                           .head = pair->second.head,
                           .kind = pair->second.kind};
}

#endif
