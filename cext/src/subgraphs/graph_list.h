/* The graphs of a list, one by one. */
#ifndef GM_SUBGRAPHS_GRAPH_LIST_H
#define GM_SUBGRAPHS_GRAPH_LIST_H

#include "gm.h"

typedef struct sub_sizes {
    int32_t nodes, edges;
} sub_sizes;

/* Graph g of a list. */
static inline gm_labelled_graph sub_listed_graph(const gm_graph_list *list, int32_t g)
{
    const int64_t nodes = list->node_start[g], edges = list->edge_start[g];
    return (gm_labelled_graph){
        .n_nodes = (int32_t)(list->node_start[g + 1] - nodes),
        .n_edges = (int32_t)(list->edge_start[g + 1] - edges),
        .type = list->type + nodes,
        .tail = list->tail + edges,
        .head = list->head + edges,
        .kind = list->kind + edges,
    };
}

/* The most nodes and the most edges of a graph of the list. */
static inline sub_sizes sub_largest(const gm_graph_list *list)
{
    sub_sizes most = {0, 0};
    for (int32_t g = 0; g < list->n_graphs; g++) {
        const gm_labelled_graph graph = sub_listed_graph(list, g);
        most.nodes = graph.n_nodes > most.nodes ? graph.n_nodes : most.nodes;
        most.edges = graph.n_edges > most.edges ? graph.n_edges : most.edges;
    }
    return most;
}

#endif
