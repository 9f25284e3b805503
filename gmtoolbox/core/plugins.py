"""The modules that fill a registry: those of a package of ours, and plug-ins of other packages.

Solvers (engine/registry.py) and file formats (io/formats.py) are found in the same way.
"""

import pkgutil
import warnings
from importlib import import_module


def import_modules(name):
    """Import every public module of the package `name`."""
    package = import_module(name)
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            import_module(f"{name}.{module.name}")


def load_plugins(group, registered):
    """Load the entry points of a group, which add to the dict `registered`. One that cannot be
    loaded is dropped with a warning.
    """
    from importlib import metadata  # takes a while

    for entry in metadata.entry_points(group=group):
        before = dict(registered)
        try:
            entry.load()
        except (Exception, SystemExit) as error:  # code of another package: continue without it
            registered.clear()
            registered.update(before)  # half a plug-in is none
            warnings.warn(
                f"plug-in {entry.name!r} ({entry.value}) cannot be loaded and is left out:"
                f" {type(error).__name__}: {error}",
                stacklevel=3,
            )
