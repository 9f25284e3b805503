"""Search in graphs: common subgraphs by partitioning."""
