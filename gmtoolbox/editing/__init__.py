"""Edit distances of graphs, one or many, their paths, and common subgraphs."""
