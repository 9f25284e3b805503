"""The import path of 0.1; the module itself is engine/registry.py."""

from gmtoolbox.engine.registry import ENTRY_POINT_GROUP, Outcome, Solver, get_solver, gm_methods, solver  # noqa: F401
