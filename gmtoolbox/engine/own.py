"""Solvers of one's own: from a file, and into the processes of a benchmark."""

import pickle
import sys
from importlib import machinery, util
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.registry import adopt, get_solver, is_own


class SourceLoader(machinery.SourceFileLoader):
    """A loader that compiles the file as it is now: Python takes its stored compilation for that of
    a file of the same size that was changed within the same second.
    """

    def get_code(self, fullname):
        """Return the compiled file."""
        return self.source_to_code(self.get_data(self.path), self.path)


def import_file(path):
    """Run a Python file whose solvers then are methods like all others; a second time replaces
    them.
    """
    path = Path(path)
    if path.suffix != ".py" or not path.is_file():
        raise InputError(f"{path}: a Python file with solvers is needed")
    name = f"gmtoolbox_own_{path.stem}"
    spec = util.spec_from_file_location(name, path, loader=SourceLoader(name, str(path)))
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{path}: {type(error).__name__}: {error}") from error
    return module


def pack_solver(name):
    """An own solver as bytes that any process can take; None for those that it has itself."""
    solver = get_solver(name)
    if not is_own(solver):
        return None
    import cloudpickle

    module = sys.modules.get(solver.function.__module__)
    by_value = module is not None and module.__name__ != "__main__"
    if by_value:  # the process cannot import modules that only this one has
        cloudpickle.register_pickle_by_value(module)
    try:
        return cloudpickle.dumps(solver)
    except (pickle.PicklingError, TypeError) as error:
        raise InputError(f"method {name!r} cannot be sent to another process: {error}") from error
    finally:
        if by_value:
            cloudpickle.unregister_pickle_by_value(module)


def unpack_solver(content):
    """Make the solver that `packed` wrote a method of this process."""
    adopt(pickle.loads(content))
