"""gmtoolbox: graph matching, every solver of the comparative study behind one call.

>>> import gmtoolbox as gm
>>> r = gm.gm_solve(K, "rrwm")      # K: affinity, maximised

Names load on first use, so that `import gmtoolbox` costs nothing.
"""

from importlib import import_module

from gmtoolbox._version import __version__

_HOME = {  # public name -> module that defines it
    "gm_solve": "driver",
    "gm_solve_many": "many",
    "assign": "assignment",
    "quadratic_assignment": "compat.scipy",
    "match_keypoints": "keypoints",
    "match_images": "keypoints",
    "KeypointMatches": "keypoints",
    "track_cells": "cells",
    "CellTracks": "cells",
    "blackbox_gradient": "learning",
    "gm_solve_multi": "multi",
    "MultiResult": "core.multiresult",
    "synchronise": "multi",
    "gm_methods": "engine.registry",
    "gm_batch": "bench.run.runner",
    "Runs": "bench.runs",
    "graph_edit_distance": "editing.distance",
    "EditResult": "editing.distance",
    "edit_distances": "editing.matrix",
    "EditMatrix": "editing.matrix",
    "maximum_common_subgraph": "editing.subgraphs",
    "find_subgraph": "editing.subgraphs",
    "graph_similarity": "editing.subgraphs",
    "CommonSubgraph": "editing.subgraphs",
    "common_core": "editing.cores",
    "CommonCore": "editing.cores",
    "search": "editing.search",
    "SearchResult": "editing.search",
    "GraphCollection": "subgraphs.filters",
    "find_subgraphs": "subgraphs.contained",
    "count_subgraphs": "subgraphs.contained",
    "is_isomorphic": "subgraphs.contained",
    "isomorphisms": "subgraphs.contained",
    "automorphisms": "subgraphs.symmetry",
    "Automorphisms": "subgraphs.symmetry",
    "load": "io",
    "save": "io",
    "load_dataset": "io.datasets",
    "load_graphs": "io.graphs",
    "Graph": "core.graph",
    "load_result": "io.results",
    "gm_formats": "io.formats",
    "Problem": "core.problem",
    "MultiProblem": "core.multiproblem",
    "track_f1": "core.tracks",
    "Result": "core.result",
    "accuracy": "core.result",
    "evaluate": "core.quality",
    "Evaluation": "core.quality",
    "GMError": "core.errors",
    "GuessWarning": "core.errors",
    "SenseWarning": "core.errors",
    "ShapeWarning": "core.errors",
    "LossWarning": "core.errors",
    "GraphWarning": "core.errors",
    "InputError": "core.errors",
    "FileFormatError": "core.errors",
    "OptionError": "core.errors",
    "UnknownMethodError": "core.errors",
    "InfeasibleError": "core.errors",
    "TimeLimitError": "core.errors",
    # for own solvers
    "solver": "engine.registry",
    "Outcome": "engine.registry",
    "Range": "engine.options",
    "Choice": "engine.options",
    "BIJECTIVE": "core.transforms",
    "LEFT_COMPLETE": "core.transforms",
    "NONPOSITIVE": "core.transforms",
    "ZERO_UNARIES": "core.transforms",
    # for own file formats
    "reader": "io.formats",
    "writer": "io.formats",
}
_ALIASES = {"solve": "gm_solve", "methods": "gm_methods", "batch": "gm_batch"}
_MODULES = {  # public module -> its place
    "io": "io",
    "data": "data",
    "registry": "registry",
    "options": "options",
    "transforms": "transforms",
    "problem": "problem",
    "models": "models",
    "synth": "models.synth",
    "reductions": "models.reductions",
    "plot": "plot",
}

__all__ = ["__version__", *_HOME, *_ALIASES, *_MODULES]


def __getattr__(name):
    if name in _ALIASES:
        value = __getattr__(_ALIASES[name])
    elif name in _HOME:
        value = getattr(import_module(f"gmtoolbox.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"gmtoolbox.{_MODULES[name]}")
    else:
        raise AttributeError(f"module 'gmtoolbox' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
