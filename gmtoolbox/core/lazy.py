"""numpy, scipy and h5py, imported on first use.

Importing numpy and scipy costs about half a second, more than `gmtoolbox --help` or `gmtoolbox
methods` may take, and parts of scipy cost a tenth of a second each. Modules therefore write
`from gmtoolbox.core.lazy import np, sparse` instead of the plain import.
"""

import sys
from importlib import import_module

from gmtoolbox.core.errors import InputError

after_import = []  # functions that are called when a module below has just been imported


class LazyModule:
    """Stands for a module and imports it when an attribute is first asked for."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        is_new = self._name not in sys.modules
        value = getattr(import_module(self._name), attribute)
        for function in after_import if is_new else ():
            function()
        setattr(self, attribute, value)  # the next access is an ordinary one
        return value

    def __reduce__(self):
        return LazyModule, (self._name,)  # a solver that is sent to another process may use it


np = LazyModule("numpy")
sparse = LazyModule("scipy.sparse")
sparse_linalg = LazyModule("scipy.sparse.linalg")
linalg = LazyModule("scipy.linalg")
csgraph = LazyModule("scipy.sparse.csgraph")
optimize = LazyModule("scipy.optimize")
spatial = LazyModule("scipy.spatial")
h5py = LazyModule("h5py")


def upward(module, name=None):
    """A module of gmtoolbox above the caller's layer, or a name in it, imported when it is needed.

    The only upward look of the package: results and problems save and draw themselves.
    """
    found = import_module(f"gmtoolbox.{module}")
    return found if name is None else getattr(found, name)


def optional(module, wanted):
    """A package that few need, for the function `wanted`; InputError if it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{wanted} needs the package {module}, which is not installed") from None
