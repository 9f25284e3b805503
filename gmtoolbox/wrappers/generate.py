"""Write the files that follow from the list of methods: `python -m gmtoolbox.wrappers.generate`.

wrapper_<method>.m                  one per method, one body for all
Contents.m                          the `help` of the folder: the first help line of every
                                    function
demos.xml                           the examples, for MATLAB's Help browser
resources/functionSignatures.json   the completions of MATLAB's editor: see signatures.py
"""

import json
import re
from datetime import date

from gmtoolbox._version import __version__
from gmtoolbox.core.text import markup
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.wrappers import RELEASED, matlab_folder, prints_once, wrapper_name
from gmtoolbox.wrappers.signatures import signatures

FOLDER = matlab_folder()

DEMOS_HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<demos>
  <name>gmtoolbox</name>
  <type>toolbox</type>
  <description>Graph matching: points, graphs, batches, and the classic programs.</description>
  <demosection>
    <label>Examples</label>"""
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
        "demos.xml": demos(),
        "resources/functionSignatures.json": json.dumps(signatures(FOLDER), indent=1) + "\n",
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
    head = [
        "% gmtoolbox: graph matching from MATLAB and Octave",
        f"% Version {__version__} {contents_date()}",
        "%",
    ]
    middle = ["%", "% The wrappers of the study, one per method"]
    return "\n".join([*head, "% Functions", *rows, *middle, *study]) + "\n"


def contents_date():
    """Return the date of the release as Contents.m writes it: 18-Nov-2026."""
    return date.fromisoformat(RELEASED).strftime("%d-%b-%Y")


def summary_line(name, text):
    """A line of Contents.m: the function and the first line of its help."""
    found = re.search(r"^%\s*\w+ {2}(.*)$", text, re.MULTILINE)
    return f"%   {name:<16} - {found[1] if found else ''}"


def demos():
    """Return demos.xml, the list of Examples in MATLAB's Help browser."""
    items = []
    for path in sorted((FOLDER / "examples").glob("*.m")):
        title = path.read_text(encoding="utf-8").splitlines()[0].lstrip("% ").rstrip(".")
        items.append(
            "    <demoitem>\n"
            f"      <label>{markup(title, quote=False)}</label>\n"
            "      <type>M-file</type>\n"
            f"      <source>{path.stem}</source>\n"
            "    </demoitem>"
        )
    return "\n".join([DEMOS_HEAD, *items, "  </demosection>", "</demos>"]) + "\n"


def main():
    """Write all files, and remove wrappers of methods that are gone."""
    files = matlab_files()
    for stale in FOLDER.glob("wrapper_*.m"):
        if stale.name not in files:
            stale.unlink()
    for name, text in files.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
