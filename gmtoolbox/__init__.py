"""gmtoolbox: find which nodes of two graphs correspond, and prove that no matching is better.

>>> import gmtoolbox as gm
>>> r = gm.gm_solve(gm.data.load("car-1"))      # r.labels, r.value, r.bound, r.status

Names load on first use, so that `import gmtoolbox` costs nothing.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder


def _find_installed():
    """Return the folders of the installed package, [] if there is none besides this one."""
    own = os.path.realpath(__path__[0])
    inside = lambda folder: os.path.realpath(os.path.join(folder, "gmtoolbox"))
    spec = PathFinder.find_spec("gmtoolbox", [one for one in sys.path if inside(one) != own])
    places = list(spec.submodule_search_locations or []) if spec else []
    return places if PathFinder.find_spec("gmtoolbox._cext", places) else []


if PathFinder.find_spec("gmtoolbox._cext", __path__) is None:
    # A source tree that was not built: after `pip install .` the installed package works here, too.
    __path__ = _find_installed() or __path__

from gmtoolbox._version import __version__  # noqa: E402

_HOME = {  # public name -> module that defines it
    "gm_solve": "driver",
    "gm_solve_many": "many",
    "assign": "assignment",
    "align_graphs": "alignment",
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
    "accuracy": "core.quality",
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
    "UnknownArgumentError": "core.errors",
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
        # Python adds the name that is meant if it is one of this module
        text = f"module 'gmtoolbox' has no attribute {name!r}{_name_place(name)}"
        raise AttributeError(text, name=name, obj=sys.modules[__name__])
    globals()[name] = value
    return value


def _name_place(name):
    """Return ' (did you mean 'gmtoolbox.models.name'?)' for a name of a public module, or ''."""
    public = [] if name.startswith("_") else sorted(set(_MODULES.values()))
    modules = (import_module(f"gmtoolbox.{place}") for place in public)
    places = (module.__name__ for module in modules if name in getattr(module, "__all__", ()))
    place = next(places, None)
    return f" (did you mean '{place}.{name}'?)" if place else ""


def __dir__():
    return sorted(__all__)
