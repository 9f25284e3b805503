"""gmtoolbox: graph matching, every solver of the comparative study behind one call.

>>> import gmtoolbox as gm
>>> r = gm.gm_solve(K, "rrwm")      # K: affinity, maximised

Names load on first use, so that `import gmtoolbox` costs nothing.
"""

from importlib import import_module

from gmtoolbox._version import __version__

_HOME = {  # public name -> module that defines it
    "gm_solve": "solve",
    "gm_methods": "registry",
    "gm_batch": "bench.runner",
    "load": "io",
    "save": "io",
    "load_dataset": "io.datasets",
    "Problem": "problem",
    "Result": "result",
    "accuracy": "result",
    "GMError": "errors",
    "InputError": "errors",
    "FileFormatError": "errors",
    "OptionError": "errors",
    "UnknownMethodError": "errors",
    "InfeasibleError": "errors",
}
_MODULES = ("io", "registry", "models", "synth", "plot")

__all__ = ["__version__", *_HOME, *_MODULES]


def __getattr__(name):
    if name in _HOME:
        value = getattr(import_module(f"gmtoolbox.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"gmtoolbox.{name}")
    else:
        raise AttributeError(f"module 'gmtoolbox' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
