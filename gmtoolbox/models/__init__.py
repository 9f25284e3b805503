"""Problems from the data of users: point sets, distances, graphs, Koopmans-Beckmann matrices,
factors.

Every builder returns a Problem (with implicit edges if they are products); `swap` and the
other reductions of the study are in `reductions`, the ILP in `linear_program`.
"""

from gmtoolbox.core.factors import from_factors
from gmtoolbox.models.costs import from_costs
from gmtoolbox.models.edits import from_edit_costs, from_molecules
from gmtoolbox.models.features import from_features, gaussian, inner_product
from gmtoolbox.models.geometry import delaunay_edges, knn_edges
from gmtoolbox.models.graphs import from_graphs
from gmtoolbox.models.koopmans_beckmann import from_koopmans_beckmann
from gmtoolbox.models.layers import from_layers
from gmtoolbox.models.linear_program import LinearProgram, to_ilp
from gmtoolbox.models.matches import from_matches
from gmtoolbox.models.multi import from_feature_sets, multi_from_points
from gmtoolbox.models.points import from_distances, from_points, nearest_candidates
from gmtoolbox.models.tables import from_table

__all__ = [
    "LinearProgram",
    "delaunay_edges",
    "from_costs",
    "from_distances",
    "from_edit_costs",
    "from_factors",
    "from_feature_sets",
    "from_features",
    "from_graphs",
    "from_koopmans_beckmann",
    "from_layers",
    "from_matches",
    "from_molecules",
    "from_points",
    "from_table",
    "gaussian",
    "inner_product",
    "knn_edges",
    "multi_from_points",
    "nearest_candidates",
    "to_ilp",
]
