"""Problems from two graphs: networkx graphs or adjacency matrices."""

from gmtoolbox.models.koopmans_beckmann import check_square, from_koopmans_beckmann


def from_graphs(G1, G2, *, similarity=None, sense="max", complete=True, **rest):
    """Two weighted graphs (networkx, or (sparse) adjacency matrices): the weight of common edges,

        sum A_ij B_sl x_is x_jl + sum similarity_is x_is,

    maximised over complete matchings. Nodes are numbered in the graph's own order.
    """
    A, B = adjacency("G1", G1), adjacency("G2", G2)
    return from_koopmans_beckmann(A, B, similarity, sense=sense, complete=complete, **rest)


def adjacency(name, graph):
    if hasattr(graph, "adj") and hasattr(graph, "nodes"):  # networkx
        import networkx

        return networkx.to_numpy_array(graph)
    return check_square(name, graph)
