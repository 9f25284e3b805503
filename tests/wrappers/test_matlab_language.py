"""The .m files keep to the language that MATLAB R2019b and Octave share. No MATLAB runs here, so
this reads them for it.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "wrappers" / "matlab"
FILES = sorted(FOLDER.rglob("*.m"))

OCTAVE_ONLY_SYNTAX = {
    r'"': "a double quoted text is another class in MATLAB",
    r"#": "a comment starts with %",
    r"!": "not is ~",
    r"\*\*": "a power is ^",
    r"[-+*/^|&]=(?!=)": "there are no operators like +=",
    r"\+\+|--": "there is no ++ and --",
    r"\)[({]": "the result of a call cannot be indexed",
    r"\bend_?(if|for|while|switch|function|parfor|try_catch)\b": "no keyword of MATLAB",
    r"\b((end_?)?unwind_protect|do|until)\b": "no keyword of MATLAB",
}
KEYWORDS = set(
    "break case catch continue else elseif end for function if otherwise persistent return switch"
    " try while".split()
)
IN_BOTH = set(
    """addpath all any arrayfun axis cell cellfun cellstr char cla class delete diag dir disp double
    eps equal error exist exp eye false feature fieldnames fileparts find floor fprintf full
    fullfile gca getenv getpref hold ij image imread Inf intmax isa iscell iscellstr ischar
    isempty isfield isfinite isfloat isgraphics ishold islogical ismember isnan isnumeric
    ispc ispref isscalar isstruct isvarname isvector javaMethod javaObject kron legend load
    logical lower magic mat2str matlabroot max mfilename min mlock mod nan nargin nargout
    ndims nnz num2cell num2str numel off on onCleanup ones path pathsep pause plot plot3 pwd
    rand randn randperm regexp regexprep repmat reshape rethrow rmdir rmfield rmpath rmpref
    rng round save setenv setpref sin size sprintf sqrt sscanf stairs str2double strcmp
    strcmpi strjoin strncmp strrep strsplit strtok strtrim struct struct2cell sum system
    tempname tic title toc true unicode2native unique upper usejava vertcat view warning
    which whos xlabel xlim ylabel ylim zeros""".split()
)
OCTAVE_ONLY = {
    "gm_setup.m": {"canonicalize_file_name"},
    "gm_process.m": set("SIG WNOHANG fclear fclose fflush fgets fputs kill popen2 waitpid".split()),
    "gm_server.m": {"fflush", "getpid", "stdout"},
    "gm_rmdir.m": {"confirm_recursive_rmdir"},
}
MATLAB_ONLY = {"gm_inside.m": {"py", "pyargs", "pyenv"}}


def code_of(text):
    """The text with comments taken out and quoted texts emptied. A quote after a value transposes
    it.
    """
    lines = []
    for line in text.splitlines():
        code, k = "", 0
        while k < len(line) and line[k] != "%" and not line.startswith("...", k):
            if line[k] == "'" and not re.search(r"[\w)\]}'.]$", code):
                end = re.compile(r"(?:[^']|'')*'").match(line, k + 1).end()
                code, k = code + "''", end
            else:
                code, k = code + line[k], k + 1
        lines.append(code + (" " if line.startswith("...", k) else "\n"))
    return "".join(lines)


def complaints(text):
    code = code_of(text)
    return [reason for pattern, reason in OCTAVE_ONLY_SYNTAX.items() if re.search(pattern, code)]


def functions_used(text):
    """Names in the code that are neither keywords, fields nor variables of the file."""
    code = code_of(text)
    names = set(re.findall(r"(?<![\w.])[A-Za-z]\w*", code)) - KEYWORDS
    bound = re.findall(r"(?:^|[;,\s])(\w+)(?:[.({][^=\n]*)?\s=\s", code, re.M) + re.findall(
        r"\bcatch (\w+)", code
    )
    lists = (
        re.findall(r"\[([^\]\n]*)\]\s=\s", code)
        + re.findall(r"@\(([^)]*)\)", code)
        + re.findall(r"function.*\(([^)]*)\)", code)
    )
    lists += re.findall(r"persistent (.*)", code)
    bound += [name for some in lists for name in re.findall(r"(?<!\.)\b[A-Za-z]\w*", some)]
    local = re.findall(r"function (?:.*= ?)?(\w+)(?:\(|$)", code, re.M)
    return names - set(bound) - set(local)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(path):
    text = path.read_text("utf-8")
    assert not complaints(text)
    known = (
        IN_BOTH
        | {file.stem for file in FILES}
        | OCTAVE_ONLY.get(path.name, set())
        | MATLAB_ONLY.get(path.name, set())
    )
    assert not functions_used(text) - known, "is it in both? then add it to IN_BOTH"
    assert max(map(len, text.splitlines())) <= 140 and text.isascii()


@pytest.mark.parametrize(
    "line",
    [
        "x = 1; # one",
        "if x != 1",
        "y = !x;",
        "x += 1;",
        "x++;",
        "y = f(1)(2);",
        "y = f(1){2};",
        's = "text";',
        "endif",
        "end_try_catch",
        "unwind_protect",
        "do",
        "y = 2 ** 3;",
    ],
)
def test_what_octave_alone_understands_is_found(line):
    assert complaints(f"  {line}\n")


@pytest.mark.parametrize(
    "line",
    [
        "x = a' * b'; % it's !",
        "error('#1! \"2\" %d', a{1}(2)); ",
        "x = [f(1) (2)]; y = ~x; z = x.'; ",
        "if a ~= b && c <= d",
    ],
)
def test_what_both_understand_is_let_pass(line):
    assert not complaints(line)


def test_foreign_functions_are_found():
    text = (
        "function y = f(x)\n  [a, b] = size(x);\n  y.print = columns(x) + a(b) + x.rows;\n "
        " fdisp(y);\nend\n"
    )
    assert functions_used(text) == {"size", "columns", "fdisp"}


@pytest.mark.skipif(
    shutil.which("mh_lint") is None,
    reason="MISS_HIT, a parser of MATLAB, is not installed: pip install miss_hit",
)
def test_a_parser_of_matlab_takes_them(tmp_path):
    bad = tmp_path / "bad.m"
    bad.write_text("function bad()\n  x = 1; # one\nend\n")
    for path, code in ((bad, 1), (FOLDER, 0)):
        done = subprocess.run(["mh_lint", str(path)], capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stdout


def takes_complete(path):
    """Whether a function has the argument 'complete': its own, or those of gm_request."""
    code = re.sub(r"^\s*%.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    return "'complete'" in code or "gm_request(" in code


@pytest.mark.parametrize(
    "path", [path for path in FOLDER.glob("gm_*.m") if takes_complete(path)], ids=lambda p: p.stem
)
def test_every_help_states_the_default_of_complete(path):
    help_text = " ".join(re.findall(r"^%(.*)$", path.read_text("utf-8"), flags=re.MULTILINE))
    assert re.search(r"'complete'.{0,160}default", help_text, flags=re.IGNORECASE), path.name


def test_functions_that_take_complete_are_found():
    found = {path.stem for path in FOLDER.glob("gm_*.m") if takes_complete(path)}
    assert found >= {"gm_solve", "gm_load", "gm_save", "gm_points", "gm_graphs", "gm_verify"}
