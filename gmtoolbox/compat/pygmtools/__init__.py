"""The calls of pygmtools, answered by the solvers of this package: see docs/migration.md.

Arrays are numpy arrays or torch tensors, with or without a batch dimension; answers have the same
kind. torch is not imported.
"""

from gmtoolbox.compat.pygmtools import utils
from gmtoolbox.compat.pygmtools.arrays import set_backend
from gmtoolbox.compat.pygmtools.classic import ipfp, rrwm, sm
from gmtoolbox.compat.pygmtools.linear import hungarian, sinkhorn
from gmtoolbox.compat.pygmtools.missing import refuse_missing

__all__ = ["hungarian", "ipfp", "rrwm", "set_backend", "sinkhorn", "sm", "utils"]
__getattr__ = refuse_missing(__name__, __all__)
