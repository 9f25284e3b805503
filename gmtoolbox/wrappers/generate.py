"""Write wrappers/matlab/wrapper_<method>.m for every registered method: `python -m
gmtoolbox.wrappers.generate`.
"""

from pathlib import Path

from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.wrappers import wrapper_name

FOLDER = Path(__file__).resolve().parents[2] / "wrappers" / "matlab"  # of the source tree

TEMPLATE = """\
function info = {function}(file, varargin)
%{upper}  Solve a graph matching file with {method}, printing the lines of the study's wrappers.
%   {upper}(FILE) reads FILE (.mat, .dd, ...), as it is or with the transforms _b, _bn,
%   _bnz applied, solves it and prints
%     Start optimization:
%     Model: n1: .. n2: ..
%     time: .. upper_bound: .. [lower_bound: ..] labeling: [..]
%   with one such line per improvement; labels are 1-based, 0 = none, and costs are minimised.
%   INFO = {upper}(FILE, NAME, VALUE, ...) takes the options of GM_SOLVE and returns its INFO.
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
    """{file name: text} of the wrapper_*.m files."""
    names = {solver.name: wrapper_name(solver.name) for solver in gm_methods()}
    return {
        f"{name}.m": TEMPLATE.format(function=name, upper=name.upper(), method=method)
        for method, name in names.items()
    }


def main():
    files = matlab_files()
    for stale in FOLDER.glob("wrapper_*.m"):
        if stale.name not in files:
            stale.unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
