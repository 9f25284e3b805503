"""Many graphs at once, as MATLAB asks for them: a d x d cell of matrices and problem structs."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.driver import as_problem
from gmtoolbox.io import load
from gmtoolbox.io.mat_files import read_variables
from gmtoolbox.multi import as_multi
from gmtoolbox.wrappers.arguments import as_path, as_text, as_vector
from gmtoolbox.wrappers.problems import problem_of_variables


def multi_problem(request):
    """The MultiProblem of a request: a path, or matrices named K_g_h and problem structs in files,
    both for g < h, counted from 1.
    """
    if "path" in request:
        for name in ("sense", "sizes"):
            if request.get(name) is not None:
                raise InputError(f"{name} goes with a cell of matrices, not with a file")
        return as_multi(load(as_path("file", request["path"])))
    d = int(request["d"])
    sizes = check_sizes(request.get("sizes"), d)
    pairs = {(g, h): pair_problem(request, g, h, d, sizes) for g, h in combinations(range(d), 2)}
    empty = all(pair is None for pair in pairs.values())
    return MultiProblem(pairs, sizes=sizes, sense=request.get("sense", "max") if empty else None)


def check_sizes(sizes, d):
    """The nodes of each graph as int; None as given."""
    if sizes is None:
        return None
    sizes = as_vector("sizes", sizes)
    if len(sizes) != d or not all(n.is_integer() and n >= 1 for n in sizes):
        raise InputError(f"sizes must hold {d} whole numbers, the nodes of each graph")
    return tuple(int(n) for n in sizes)


def pair_problem(request, g, h, d, sizes):
    """Return one cell: a matrix, a struct, or None if it is empty."""
    where = f"K{{{g + 1}, {h + 1}}}"
    K, file = request.get(f"K_{g + 1}_{h + 1}"), f"{request['stem']}.problem{g * d + h + 1}.mat"
    shape = None if sizes is None else (sizes[g], sizes[h])
    sense = as_text("sense", request["sense"]) if "sense" in request else None
    try:
        if K is not None:
            return as_problem(K, shape, None, sense, False)
        if Path(file).is_file():
            problem = problem_of_variables(read_variables(file), sense, shape)
            return replace(problem, complete=False)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    return None


def multi_variables(result):
    """TRACKS and INFO of gm_solve_multi."""
    info = result.to_matlab()
    return {"tracks": info.pop("tracks"), "info": info}
