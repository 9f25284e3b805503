"""Write the files that follow from the list of methods: `python -m gmtoolbox.wrappers.generate`.

wrapper_<method>.m        one per method, one body for all
Contents.m                what `help` of the folder shows: the first help line of every function
functionSignatures.json   what MATLAB's editor completes
"""

import json
import re

from gmtoolbox._version import __version__
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.wrappers import matlab_folder, prints_once, wrapper_name

FOLDER = matlab_folder()

TEMPLATE = """\
function info = {function}(file, varargin)
%{upper}  Solve a graph matching file with {method}, printing the lines of the study's wrappers.
%   {upper}(FILE) reads FILE (.mat, .dd, ...), as it is or with the transforms _b, _bn,
%   _bnz applied, solves it and prints
%     Start optimization:
%     Model: n1: .. n2: ..
%     time: .. upper_bound: .. [lower_bound: ..] labeling: [..]
%   {lines}; labels are 1-based, 0 = none, and costs are minimised.
%   The last line is the answer.
%   INFO = {upper}(FILE, NAME, VALUE, ...) takes the options of GM_SOLVE and returns its INFO.
%   FILE may also be a matrix K or a problem, as in GM_SOLVE.
%
%   Example
%     {function}(kron(eye(3), ones(3)));
%
%   See also GM_SOLVE, GM_METHODS.

%   Made by "python -m gmtoolbox.wrappers.generate" from the list of methods.
  if nargin < 1
    error('gmtoolbox:InputError', '{function}: give the name of a file');
  end
  result = gm_wrapper('{method}', file, varargin);
  if nargout > 0
    info = result;
  end
end
"""


def matlab_files():
    """{file name: text} of all that is generated."""
    wrappers = {f"{wrapper_name(solver.name)}.m": wrapper_text(solver) for solver in gm_methods()}
    return {
        **wrappers,
        "Contents.m": contents(wrappers),
        "functionSignatures.json": json.dumps(signatures(), indent=2) + "\n",
    }


def wrapper_text(solver):
    """The text of wrapper_<method>.m."""
    name = wrapper_name(solver.name)
    lines = "with one such line" if prints_once(solver) else "with one such line per improvement"
    return TEMPLATE.format(function=name, upper=name.upper(), method=solver.name, lines=lines)


def contents(wrappers):
    """Contents.m: the functions by their first help lines."""
    own = sorted(path for path in FOLDER.glob("gm_*.m"))
    rows = [summary_line(path.stem, path.read_text(encoding="utf-8")) for path in own]
    study = [summary_line(name.removesuffix(".m"), text) for name, text in sorted(wrappers.items())]
    head = ["% gmtoolbox: graph matching from MATLAB and Octave", f"% Version {__version__}", "%"]
    middle = ["%", "% The wrappers of the study, one per method"]
    return "\n".join([*head, "% Functions", *rows, *middle, *study]) + "\n"


def summary_line(name, text):
    """A line of Contents.m: the function and the first line of its help."""
    found = re.search(r"^%\s*\w+ {2}(.*)$", text, re.MULTILINE)
    return f"%   {name:<16} - {found[1] if found else ''}"


def signatures():
    """Names and kinds of the arguments of the functions that take the most of them."""
    methods = "choices={" + ", ".join(f"'{solver.name}'" for solver in gm_methods()) + "}"
    named = lambda name, *kinds: {"name": name, "kind": "namevalue", "type": list(kinds)}
    source = {"name": "K", "kind": "required"}
    options = sorted({option.name for solver in gm_methods() for option in solver.options})
    common = [
        named("time_limit", "numeric", "scalar"),
        named("seed", "numeric", "scalar"),
        named("complete", "logical", "scalar"),
        named("sense", "char", "choices={'max', 'min'}"),
        named("Ct", "numeric", "2d"),
        named("shape", "numeric"),
        named("init", "numeric"),
    ]
    watching = [
        named("Display", "char", "choices={'off', 'iter'}"),
        named("OutputFcn", "function_handle"),
    ]
    return {
        "_schemaVersion": "1.0.0",
        "gm_solve": {
            "inputs": [
                source,
                {"name": "method", "kind": "ordered", "type": ["char", methods]},
                *common,
                *watching,
                *(named(option) for option in options),
            ]
        },
        "gm_methods": {
            "inputs": [{"name": "method", "kind": "ordered", "type": ["char", methods]}]
        },
        "gm_load": {
            "inputs": [
                {"name": "file", "kind": "required", "type": ["file=*.mat,*.dd,*.h5,*.dat"]},
                named("complete", "logical", "scalar"),
                named("sense", "char", "choices={'max', 'min'}"),
                named("shape", "numeric"),
                named("key", "char"),
            ]
        },
        "gm_batch": {
            "inputs": [
                {"name": "problems", "kind": "required"},
                {"name": "methods", "kind": "required"},
                named("time_limit", "numeric"),
                named("n_jobs", "numeric", "scalar"),
                named("store", "file=*.db"),
            ]
        },
    }


def main():
    """Write all files, and remove wrappers of methods that are gone."""
    files = matlab_files()
    for stale in FOLDER.glob("wrapper_*.m"):
        if stale.name not in files:
            stale.unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
