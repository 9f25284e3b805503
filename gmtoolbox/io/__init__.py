"""Files to Problems and back: the suffix decides the format."""

from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import BaseResult
from gmtoolbox.core.text import show
from gmtoolbox.io.formats import is_multi, load_file, save_file

__all__ = ["is_multi", "load", "save"]

MATRIX_OPTIONS = ("shape", "Ct", "sense", "complete")  # options that describe a bare K


def load(path, *, complete=None, key=None, sense=None, shape=None):
    """Problem from a file; MultiProblem from one that holds many graphs.

    Parameters
    ----------
    path : str or Path
        A .dd, .dd.gz, .dd.xz, .mat, .h5 or .dat file, or a folder of many graphs.
    complete : bool, optional
        Overrides the file and the dataset.json next to it.
    key : str, optional
        Name of the matrix in a .mat or .h5 file, or of the struct that holds the problem.
    sense : "min" or "max", optional
        For a .mat file that does not state it: "min" if its matrices are costs, "max" if they are
        affinities. Default: `reducedK` or `offset` means costs, anything else affinities. A
        SenseWarning says so if affinities have negative entries, or only `offset` means costs. A
        file that has `sense` (all that gmtoolbox writes have it) cannot be given another.
    shape : (int, int), optional
        (n1, n2) of a matrix in a .mat file without `Ct`.

    Returns
    -------
    Problem or MultiProblem

    Raises
    ------
    FileFormatError
        If the file breaks its format; the message says where.

    Examples
    --------
    >>> import gmtoolbox as gm, pathlib
    >>> _ = pathlib.Path("two.dd").write_text("p 2 2 2 1\\na 0 0 0 -1\\na 1 1 1 -2\\ne 0 1 -3\\n")
    >>> gm.load("two.dd")
    <Problem 'two' 2x2, 2 candidates, 1 edges, partial, min>
    """
    return load_file(path, complete=complete, key=key, sense=sense, shape=shape)


def save(what, path, **options):
    """Write a Problem, a bare affinity matrix K or a result; it appears whole or not at all.

    Parameters
    ----------
    what : Problem, MultiProblem, matrix, Result, EditResult or MultiResult
        A matrix K is taken as gm_solve takes it: an affinity, maximised over complete matchings.
    path : str or Path
        Problems and matrices: .dd .dd.gz .dd.xz .mat .h5, and .dat for a Koopmans-Beckmann problem;
        many graphs: .dd .h5 or a folder (a name without suffix); results: .json .mat .csv .h5 .npz.
        docs/files.md lists the fields that each keeps.
    **options
        shape, Ct, sense, complete of a bare K; version of a .mat file ("6", "7" or "7.3").

    Returns
    -------
    None

    Examples
    --------
    >>> import gmtoolbox as gm, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "small.dd")
    >>> gm.save([[1.0]], path)
    >>> gm.load(path).sense
    'max'
    """
    if isinstance(what, (str, Path)):
        raise InputError(f"the order is save(what, path); what must not be the text {show(what)}")
    if not isinstance(what, (Problem, MultiProblem, BaseResult)):
        described = {name: options.pop(name) for name in MATRIX_OPTIONS if name in options}
        what = Problem.from_matrix(what, **described)
    save_file(what, path, **options)
