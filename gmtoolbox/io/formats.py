"""The one list of file formats. A module adds its own with @reader and @writer; nothing else lists
suffixes.

    @reader(".gmj", keeps=("sense", "complete", "offset", "nodes1", "nodes2"))
    def read_gmj(path):                 Problem of a file
    @writer(".gmj")
    def gmj_bytes(problem):             bytes of the file that keeps a Problem

`keeps` names the optional fields (FIELDS) that come back from a file. On saving, a field that the
problem has and the format does not keep is refused if the file would hold another problem without
it, and reported by a LossWarning otherwise (io/kept.py). tests/io/test_format_contract.py walks the
list and compares.
"""

import inspect
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.plugins import import_modules, load_plugins
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import BaseResult
from gmtoolbox.io.files import read_json, refuse_errors, write_bytes
from gmtoolbox.io.kept import DESCRIPTION, MEANING, OF_MANY, refuse_another, warn_of_loss

ENTRY_POINT_GROUP = "gmtoolbox.formats"
# the kinds of objects in files
PROBLEM, MULTI, RESULT = "problem", "problem of many graphs", "result"
GRAPH, MATRIX = "graph", "matrix"
DISTANCES, RUNS, PICTURE = "distance matrix", "list of runs", "picture"
FIELDS = {
    PROBLEM: (*MEANING, *DESCRIPTION),
    MULTI: ("sense", "offset", *OF_MANY, *DESCRIPTION),
}
EVERYTHING = "everything"
FOLDER = "/"  # the suffix of a format that is a folder
_registered = {}  # (kind of object, suffix) -> Format


@dataclass(frozen=True)
class Format:
    """One kind of file: its suffix, the object and the fields it keeps, and the functions that read
    and write it; None if it cannot be read or written.
    """

    suffix: str
    holds: str
    keeps: tuple = ()
    reader: object = None
    writer: object = None
    recognise: object = None  # path -> whether the file holds this kind, if others have its suffix
    preference: int = 10  # if several files could be meant, the lowest is used

    @property
    def module(self):
        """The name of the module that registered it."""
        return (self.reader or self.writer).__module__

    @property
    def is_ours(self):
        """Whether it belongs to this package."""
        functions = [f for f in (self.reader, self.writer) if f is not None]
        return all(f.__module__.startswith("gmtoolbox.") for f in functions)

    def keeps_field(self, name):
        """Whether a field comes back from a file."""
        return self.keeps == EVERYTHING or name in self.keeps


def reader(*suffixes, holds=PROBLEM, keeps=None, recognise=None, preference=None):
    """Register the decorated function as the reader of files with these suffixes.

    The function takes a path and returns the object in the file; a file that breaks the format is a
    FileFormatError. Decorating again (running a notebook's cell once more) replaces it; the
    suffixes of this package are taken.

    Parameters
    ----------
    *suffixes : str
        ".gmj"; the longest one that a file's name ends with decides.
    holds : str
        "problem" (the default), "problem of many graphs", "result", "graph", ...
    keeps : "everything" or tuple of str, optional
        The optional fields that come back from a file: sense, complete, offset, points1, points2,
        neighbours1, neighbours2, ground_truth, nodes1, nodes2. Written once, here or at the writer.
    recognise : function, optional
        Of a path: whether the file holds this kind, if another has its suffix, too.
    preference : int, optional
        If an instance of a dataset has several files, the lowest is used; default 10.

    Returns
    -------
    function
        The decorator, which returns the function as it is.

    Examples
    --------
    >>> import gmtoolbox as gm, pathlib
    >>> @gm.reader(".pairs")
    ... def read_pairs(path):
    ...     '''A line for each pair: two nodes and a cost.'''
    ...     rows = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    ...     left, right = ([int(row[k]) for row in rows] for k in range(2))
    ...     shape = max(left) + 1, max(right) + 1
    ...     return gm.Problem(shape, left, right, [float(row[2]) for row in rows])
    >>> _ = pathlib.Path("two.pairs").write_text("0 0 -1.5\\n1 1 2.0\\n")
    >>> gm.load("two.pairs").shape
    (2, 2)
    """
    facts = dict(keeps=keeps, recognise=recognise, preference=preference)
    return lambda function: add(function, "reader", suffixes, holds, facts)


def writer(*suffixes, holds=PROBLEM, keeps=None):
    """Register the decorated function as the writer of files with these suffixes.

    The function takes the object and returns the bytes of the file, which gm.save puts on disk
    whole or not at all, compressed if the suffix ends in .gz or .xz. Its keyword arguments are
    options of gm.save. It refuses objects that it cannot keep with an InputError.

    Parameters
    ----------
    *suffixes, holds, keeps
        As of `reader`.

    Returns
    -------
    function
        The decorator, which returns the function as it is.

    Examples
    --------
    >>> import gmtoolbox as gm, pathlib
    >>> @gm.writer(".unaries")
    ... def unaries_bytes(problem):
    ...     '''A line for each pair: two nodes and a cost; no edges.'''
    ...     if problem.n_edges:
    ...         raise gm.InputError("a .unaries file has no room for edges")
    ...     rows = zip(problem.left, problem.right, problem.cost)
    ...     return "".join(f"{i} {s} {cost!r}\\n" for i, s, cost in rows).encode()
    >>> gm.save(gm.Problem((1, 1), [0], [0], [2.5]), "one.unaries")
    >>> pathlib.Path("one.unaries").read_text().split()[:2]
    ['0', '0']
    """
    return lambda function: add(function, "writer", suffixes, holds, dict(keeps=keeps))


def add(function, role, suffixes, holds, facts):
    """Put a function into the list as reader or writer."""
    facts = {name: value for name, value in facts.items() if value is not None}
    if "keeps" in facts and facts["keeps"] != EVERYTHING:
        facts["keeps"] = check_keeps(holds, facts["keeps"])
    ours = function.__module__.startswith("gmtoolbox.")
    if not ours:
        discover_ours()  # so that a suffix that is taken is known
    for suffix in suffixes:
        known = _registered.get((holds, suffix), Format(suffix, holds))
        if known.is_ours and (known.reader or known.writer) and not ours:
            raise InputError(f"{suffix!r} is a format already; give yours another suffix")
        if not suffix.startswith((".", FOLDER)) or suffix != suffix.lower():
            raise InputError(f"a suffix is lower case and starts with a dot, got {suffix!r}")
        _registered[holds, suffix] = replace(known, **{role: function}, **facts)
    return function


def check_keeps(holds, keeps):
    """The fields as a tuple; InputError for one that this kind does not have."""
    keeps = (keeps,) if isinstance(keeps, str) else tuple(keeps)
    unknown = [name for name in keeps if holds in FIELDS and name not in FIELDS[holds]]
    if unknown:
        raise InputError(
            f"keeps must be {EVERYTHING!r} or some of {' '.join(FIELDS[holds])}, got {unknown[0]!r}"
        )
    return keeps


# ---- finding formats


@cache
def discover_ours():
    """Import every module of gmtoolbox.io, once."""
    import_modules("gmtoolbox.io")


@cache
def discover():
    """Import the plug-ins, too, once."""
    discover_ours()
    load_plugins(ENTRY_POINT_GROUP, _registered)


def gm_formats(*holds):
    """Every registered format, or those that hold something.

    Parameters
    ----------
    *holds : str
        "problem", "problem of many graphs", "result", "graph", ...

    Returns
    -------
    list of Format
        Records with suffix, holds, keeps, reader and writer, by preference.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> [form.suffix for form in gm.gm_formats("result")]
    ['.json', '.mat', '.csv', '.h5', '.npz']
    """
    discover()
    found = [form for form in _registered.values() if not holds or form.holds in holds]
    # Equal preferences: as their module registers them, whichever module was imported first.
    return sorted(found, key=lambda form: (form.preference, form.module))


def suffixes_of(*holds, role="reader"):
    """The suffixes of the files that can be read (or written: role="writer"), by preference."""
    known = (form for form in gm_formats(*holds) if getattr(form, role) is not None)
    return list(dict.fromkeys(form.suffix for form in known if form.suffix != FOLDER))


def format_of(path, *holds, role="reader"):
    """The Format of a file name, among those that can be read or written and hold one of these,
    the first of them if several do.
    """
    name = Path(path).name.lower()
    is_folder = Path(path).is_dir() and (MULTI in holds or GRAPH in holds)
    if is_folder or (MULTI in holds and role == "writer" and "." not in name):
        name = FOLDER
    known = [form for form in gm_formats(*holds) if getattr(form, role) is not None]
    found = [form for form in known if name.endswith(form.suffix)]
    if not found:
        listed = " ".join(suffixes_of(*holds, role=role))
        is_table = PROBLEM in holds and name.endswith(tuple(suffixes_of(MATRIX)))
        hint = "; gm.assign and models.from_costs read tables of costs" if is_table else ""
        raise InputError(f"{path}: unknown file type of a {holds[0]}; known are {listed}{hint}")
    return max(found, key=lambda form: (len(form.suffix), -holds.index(form.holds)))


def stem_of(path):
    """The name of an instance: its file's, without the suffix."""
    name = Path(path).name
    return name[: -len(format_of(path, PROBLEM, MULTI).suffix)]


def is_multi(path):
    """Whether a file or folder holds many graphs; most formats look at its beginning only."""
    if not Path(path).exists():
        return False
    try:
        form = format_of(path, MULTI)
    except InputError:
        return False
    look = form.recognise or (lambda path: isinstance(form.reader(path), MultiProblem))
    return bool(look(path))


# ---- reading


def load_file(path, *, complete=None, **reading):
    """Problem or MultiProblem from a file or folder; reading: key, sense and shape, None if not
    given.
    """
    form = format_of(path, PROBLEM, MULTI)
    options = {name: value for name, value in reading.items() if value is not None}
    sense = options.get("sense")
    if "sense" not in option_names(form.reader):
        options.pop("sense", None)
    check_options(path, form, "reader", options)
    problem = read_file(form, path, **options)
    if sense is not None and sense != problem.sense:
        raise InputError(f"{path}: its sense is {problem.sense!r}, got sense={sense!r}")
    if isinstance(problem, MultiProblem):
        if complete:
            raise InputError(f"{path}: complete=True does not go with many graphs")
        return problem
    if complete is not None:
        return replace(problem, complete=complete)
    if not problem.complete and is_declared_complete(path, stem_of(path)):
        reason = "complete, as its dataset.json says"
        origin = f"{problem.origin}; {reason}" if problem.origin else reason
        return replace(problem, complete=True, origin=origin)
    return problem


def read_file(form, path, **options):
    """Return the object in a file; any error of a reader of another package is one line."""
    if form.is_ours:
        return form.reader(path, **options)
    with open(path, "rb"):  # a missing file is the operating system's error
        pass
    with refuse_errors(path, f"is no readable {form.suffix} file"):
        found = form.reader(path, **options)
        if form.holds in (PROBLEM, MULTI) and not isinstance(found, (Problem, MultiProblem)):
            raise TypeError(f"its reader returned a {type(found).__name__}, not a Problem")
        return found


def check_options(path, form, role, options):
    """InputError for an option that a format's function does not take."""
    taken = option_names(getattr(form, role))
    for name in options:
        if name not in taken:
            others = [
                other.suffix
                for other in gm_formats(form.holds)
                if getattr(other, role) and name in option_names(getattr(other, role))
            ]
            goes = f"{name}= goes with {' and '.join(others)} files only" if others else ""
            raise InputError(f"{path}: {goes or f'there is no option {name!r}'}")


@cache
def option_names(function):
    """The names of all parameters but the first positional ones, which have no default."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.default is not inspect.Parameter.empty]


# ---- writing


def save_file(thing, path, holds=None, **options):
    """Write a Problem, MultiProblem, result or other object of a format; it appears whole or not at
    all.
    """
    holds = holds or kind_of(thing)
    form = format_of(path, holds, role="writer")
    check_options(path, form, "writer", options)
    if holds == PROBLEM:
        thing = thing.materialise()
    described = holds in (PROBLEM, MULTI, RESULT)
    if described:
        refuse_another(thing, path, form)
    if form.suffix == FOLDER:
        form.writer(thing, path, **options)
    else:
        try:
            content = form.writer(thing, **options)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        write_bytes(path, content)
    if described:
        warn_of_loss(thing, path, form)


def kind_of(thing):
    """Return the kind of an object in files."""
    for kind, known in ((PROBLEM, Problem), (MULTI, MultiProblem), (RESULT, BaseResult)):
        if isinstance(thing, known):
            return kind
    raise InputError(f"a {type(thing).__name__} is neither a problem nor a result")


def is_declared_complete(path, name):
    """Return whether a dataset.json next to the file lists it and declares its problem as
    complete.
    """
    folder = Path(path).parent
    if not (folder / "dataset.json").is_file():
        return False
    description = read_json(folder / "dataset.json")
    if not isinstance(description.get("instances"), list) or name not in description["instances"]:
        return False
    side = folder / f"{name}.json"
    facts = read_json(side) if side.is_file() else {}
    return facts.get("complete", description.get("complete")) is True
