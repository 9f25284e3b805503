"""The MATLAB functions, run by GNU Octave: each tests/octave/test_*.m is one test, against what
Python says.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from octave_process import (
    OCTAVE,
    ROOT,
    needs_octave,
    octave_command,
    octave_environment,
    run_octave,
    wait_until,
)
from scipy.io import savemat
from small import random_problem
from wrapper_log import parse, without_times

import gmtoolbox as gm
from gmtoolbox.core.problem import Problem
from gmtoolbox.io.mat_files import save_variables

SUITE = sorted((ROOT / "tests" / "octave").glob("test_*.m"))
METHODS = [method.name for method in gm.gm_methods()]
pytestmark = needs_octave


def method_options(method):
    """A sequence of iterates that no clock can cut, so that two runs are equal."""
    maxiter = next(
        option for option in gm.registry.get_solver(method).options if option.name == "maxiter"
    )
    return {"maxiter": min(maxiter.default or 20, 20)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Problems and Python's answers, for the .m files to compare with: cases.mat holds a struct
    array `cases`.
    """
    folder = tmp_path_factory.mktemp("octave")
    rng = np.random.default_rng(9)
    square = random_problem(rng, 5, 5, complete=True)
    partial = random_problem(rng, 4, 6, density=0.7)
    K, rectangle = -square.K, -partial.K
    gm.save(partial, folder / "partial.dd")
    cases = []
    for method in METHODS:
        options = method_options(method)
        for kind, problem, arguments in (
            ("matrix", K, {}),
            ("mask", rectangle, {"Ct": partial.Ct, "complete": False}),
            ("file", str(folder / "partial.dd"), {}),
        ):
            result = gm.gm_solve(problem, method, seed=3, **arguments, **options)
            expected = {
                name: value
                for name, value in result.to_matlab().items()
                if name not in ("time", "trace")
            }
            cases.append(
                {
                    "method": method,
                    "kind": kind,
                    "maxiter": options["maxiter"],
                    "expected": expected,
                }
            )
    variables = {
        "K": K,
        "rectangle": rectangle,
        "Ct": partial.Ct,
        "file": str(folder / "partial.dd"),
        "cases": cases,
    }
    save_variables(folder / "cases.mat", variables)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("script", [path.stem for path in SUITE])
def test_suite(script, folder):
    if script == "test_plot" and "blind" in run_octave(
        "try, figure('visible', 'off'); axes(); catch, disp('blind'), end", folder
    ):
        pytest.skip(
            "this Octave cannot draw (Debian: apt-get install gnuplot-nox fonts-freefont-otf)"
        )
    seconds = 900 if script == "test_fuzz" else 200
    assert run_octave(f"{script}; disp('passed')", folder, seconds).rstrip().endswith("passed")


INSIDE = f"addpath('{ROOT}/tests/octave/inside'); gm_setup('bridge', 'py');"


@pytest.mark.long
@pytest.mark.parametrize("script", ["test_arguments", "test_batch", "test_errors", "test_methods"])
def test_suite_with_python_inside(script, folder):
    """The code that uses MATLAB's py., run by Octave with a stand-in for py. that calls the same
    Python functions.
    """
    assert run_octave(f"{INSIDE} {script}; disp('passed')", folder).rstrip().endswith("passed")


def test_python_inside(tmp_path):
    """A call leaves no folder, prints as it goes and changes no current folder; going back and
    forth works.
    """
    code = f"""
    {INSIDE} inside = gm_setup(); assert(isempty(dir(fullfile(getenv('TMPDIR'), 'gmtoolbox-*'))))
    here = python_call('os.getcwd'); mkdir('deeper'); cd('deeper');
    wrapper_fw(eye(4));
    try, gm_solve('no.dd', 'fw'); catch problem, disp(problem.identifier); end
    gm_save(eye(4), 'k.dd')
    assert(exist(fullfile(pwd, 'k.dd'), 'file') && strcmp(python_call('os.getcwd'), here))
    process = gm_setup('bridge', 'process'); assert(inside.pid ~= process.pid)
    again = gm_setup('bridge', 'py'); assert(inside.pid == again.pid)
    """
    lines = run_octave(code, tmp_path).splitlines()
    assert (
        lines[1:3] == ["Start optimization: ", "Model: n1: 2 n2: 2 "]
        and lines[-1] == "gmtoolbox:FileNotFoundError"
    )


def test_python_inside_that_is_not_there(tmp_path):
    """Octave has no py.; a Python without gmtoolbox is named, with what to do."""
    code = (
        "try, gm_setup('bridge', 'py'); catch problem, disp(problem.identifier);"
        " disp(problem.message); end"
    )
    out = run_octave(code, tmp_path)
    assert (
        out.startswith("gmtoolbox:NoPython")
        and "for MATLAB" in out
        and "gm_setup('bridge', 'process')" in out
    )
    side = tmp_path / "python"
    side.write_text(
        "#!/bin/sh\nread request; echo 'error ModuleNotFoundError: No module named gmtoolbox'; cat"
        " > /dev/null\n"
    )
    side.chmod(0o755)
    out = run_octave(
        f"addpath('{ROOT}/tests/octave/inside'); {code}", tmp_path, GMTOOLBOX_PYTHON=str(side)
    )
    assert (
        out.startswith("gmtoolbox:NoPython")
        and str(side) in out
        and "No module named gmtoolbox" in out
        and "pyenv" in out
    )


@pytest.mark.skipif(
    shutil.which("java") is None, reason="the way MATLAB starts Python wants a Java runtime"
)
def test_the_java_pipes_of_matlab(folder):
    """Octave can go the way that MATLAB has to go."""
    if run_octave("disp(usejava('jvm'))", folder).split() != ["1"]:
        pytest.skip("this Octave is built without Java")
    code = (
        "assert(isequal(gm_solve([3 0 0 1; 0 0 0 0; 0 0 0 0; 1 0 0 3], 'fw'), eye(2)));"
        " test_errors; disp('passed')"
    )
    assert run_octave(code, folder, GMTOOLBOX_PIPES="java").rstrip().endswith("passed")
    code = (
        "a = gm_setup(); disp(regexp(fileread(sprintf('/proc/%d/environ', a.pid)),"
        " 'LD_LIBRARY_PATH=([^\\0]*)', 'tokens', 'once'){1})"
    )
    libraries = f"/nowhere:{run_octave('disp(matlabroot())', folder).strip()}/bin/glnxa64"
    # MATLAB's own are left out
    assert (
        run_octave(code, folder, GMTOOLBOX_PIPES="java", LD_LIBRARY_PATH=libraries).strip()
        == "/nowhere"
    )


@pytest.mark.long
def test_wrapper_prints_as_python_does(folder, capsys):
    """The head and the last line; how many improvements come between may depend on the clock."""
    from gmtoolbox import wrappers

    calls = [
        (wrappers.wrapper_name(method), method_options(method)["maxiter"]) for method in METHODS
    ]
    for name, maxiter in calls:
        getattr(wrappers, name)(folder / "partial.dd", maxiter=maxiter)
    ours = capsys.readouterr().out
    theirs = run_octave(
        "; ".join(f"{name}('partial.dd', 'maxiter', {maxiter})" for name, maxiter in calls), folder
    )
    logs = [
        [without_times(log).splitlines() for log in text.split("Start optimization: \n")]
        for text in (ours, theirs)
    ]
    for python, octave in zip(*logs, strict=True):
        assert python[:1] == octave[:1] and python[-1:] == octave[-1:]
    assert len(parse(theirs)[1]) == len(theirs.splitlines()) - 2 * len(METHODS)


LONG_CALL = "K = randn(100); wrapper_fw(K + K', 'maxiter', 1e12, 'restarts', 1e9)"


def busy_octave(folder):
    """Octave in the middle of a solve, in a session of its own as a terminal gives it; and its
    temporary folder.
    """
    temporary = folder / "tmp"
    octave = subprocess.Popen(
        octave_command(LONG_CALL),
        cwd=folder,
        env=octave_environment(temporary),
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_solve(octave)
    return octave, temporary


def wait_for_solve(octave):
    """Until the wrapper has printed its first line."""
    for line in octave.stdout:
        if "Start optimization" in line:  # after a prompt, perhaps
            return
    raise AssertionError("Octave ended without a word")


def processes_in(session):
    """Process ids of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("how", ["ctrl-c", "kill"])
def test_nothing_is_left_behind(how, tmp_path):
    """Ctrl-C in the middle of a call, and a killed Octave: neither a file nor a process stays."""
    octave, temporary = busy_octave(tmp_path)
    try:
        if how == "ctrl-c":
            os.killpg(octave.pid, signal.SIGINT)  # what a terminal does
        else:
            octave.kill()
        octave.wait(timeout=30)
        wait_until(
            lambda: not list(temporary.iterdir()), f"left behind: {list(temporary.iterdir())}"
        )
        wait_until(lambda: not processes_in(octave.pid), "a process is left behind")
    finally:
        for pid in processes_in(octave.pid):
            os.kill(pid, signal.SIGKILL)
        octave.communicate(timeout=30)


def test_ctrl_c_leaves_octave_usable(tmp_path):
    """At a prompt, Ctrl-C ends the call, its best answer is kept, and the next one works."""
    after = (
        "[X, info] = gm_last(); printf('%s with %d pairs\\n', info.status, sum(X(:)));"
        "x = gm_solve(eye(4), 'fw'); assert(isequal(x, eye(2))); disp('recovered'); exit(0)"
    )
    temporary = tmp_path / "tmp"
    commands = f"addpath('{ROOT}/wrappers/matlab');\n{LONG_CALL};\n"
    octave = subprocess.Popen(
        [OCTAVE, "--no-gui", "--norc", "--quiet", "--interactive", "--no-line-editing"],
        cwd=tmp_path,
        env=octave_environment(temporary),
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        octave.stdin.write(commands)
        octave.stdin.flush()
        wait_for_solve(octave)
        os.killpg(octave.pid, signal.SIGINT)
        out, _ = octave.communicate(after + "\n", timeout=60)
    finally:
        octave.kill()
        octave.wait(timeout=30)
    assert "recovered" in out and "interrupted with 10 pairs" in out, out
    wait_until(lambda: not list(temporary.iterdir()), "left behind")


def test_python_that_cannot_run_gmtoolbox(folder, tmp_path):
    """The error says which Python, where it came from, what it said and what to do."""
    code = (
        "try, gm_solve(eye(4), 'fw'); catch problem, disp(problem.identifier);"
        " disp(problem.message); end_try_catch"
    )
    out = run_octave(code, folder, GMTOOLBOX_PYTHON=str(tmp_path / "nowhere" / "python"))
    assert (
        out.startswith("gmtoolbox:NoPython")
        and "nowhere/python" in out
        and "GMTOOLBOX_PYTHON" in out
        and "pip install" in out
    )
    fake = tmp_path / "python"
    fake.write_text(
        "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'gmtoolbox'\" >&2\nexit 1\n"
    )
    fake.chmod(0o755)
    out = run_octave(code, folder, GMTOOLBOX_PYTHON=str(fake))
    assert (
        out.startswith("gmtoolbox:NoPython")
        and "No module named 'gmtoolbox'" in out
        and str(fake) in out
    )


def test_functions_are_written_in_the_language_of_matlab(tmp_path):
    """Octave's parser finds none of its own extensions in them; in a file that has one, it does."""
    bad = tmp_path / "bad.m"
    bad.write_text("x = 1;\nx += 1;\n")
    files = [bad, *(ROOT / "wrappers" / "matlab").rglob("*.m")]
    code = "warning('on', 'Octave:language-extension');" + "".join(
        f"__parse_file__('{path}');" for path in files
    )
    done = subprocess.run(
        [OCTAVE, "--norc", "--quiet", "--eval", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found = re.findall(r"extension used: .* of\s*file (.*)", done.stderr)
    assert [path for path in found if Path(path) in files] == [str(bad)]


@pytest.mark.long
def test_where_python_is_looked_for(tmp_path):
    """GMTOOLBOX_PYTHON, then .venv beside wrappers, then python3 on the PATH."""
    shutil.copytree(ROOT / "wrappers" / "matlab", tmp_path / "wrappers" / "matlab")
    places = {name: tmp_path / name / "bin" / "python3" for name in ("variable", "path")} | {
        "venv": tmp_path / ".venv" / "bin" / "python"
    }
    for name, python in places.items():
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\nSTARTED_BY={name} exec '{sys.executable}' \"$@\"\n")
        python.chmod(0o755)
    common = {"PYTHONPATH": str(ROOT), "PATH": f"{places['path'].parent}:{os.environ['PATH']}"}
    code = f"rmpath('{ROOT}/wrappers/matlab'); addpath('wrappers/matlab'); about = gm_setup();"
    code += (
        "text = fileread(sprintf('/proc/%d/environ', about.pid)); disp(regexp(text,"
        " 'STARTED_BY=(\\w+)', 'tokens', 'once'){1})"
    )
    looked = []
    for variable in (str(places["variable"]), ""):
        looked.append(run_octave(code, tmp_path, GMTOOLBOX_PYTHON=variable, **common).strip())
    places["venv"].unlink()
    looked.append(run_octave(code, tmp_path, GMTOOLBOX_PYTHON="", **common).strip())
    assert looked == ["variable", "venv", "path"]


def test_a_relative_path_may_be_left(tmp_path):
    """'addpath wrappers/matlab' is relative in Octave; after gm_setup one can go elsewhere."""
    (tmp_path / "wrappers").symlink_to(ROOT / "wrappers")
    code = "addpath wrappers/matlab; gm_setup; mkdir deeper; cd deeper; gm_setup"
    command = [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", code]
    environment = octave_environment(tmp_path / "tmp")
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100
    )
    assert done.stdout.count("gmtoolbox ") == 2 and "warning" not in done.stderr, done.stderr


@pytest.mark.long
def test_dead_python(folder):
    """A process that died between two calls is started anew without a word; one that dies in a call
    is an error, and the next call works.
    """
    code = (
        "about = gm_setup(); kill(about.pid, 9); pause(0.3); disp(gm_solve(eye(4), 'fw'));"
        "about = gm_setup(); dies = @(event) kill(about.pid, 9) == 0;"
        "try, gm_solve(rand(100), 'fw', 'OutputFcn', dies, 'restarts', 1e9, 'maxiter', 1e12);"
        " catch problem, disp(problem.identifier); end_try_catch;"
        "disp(gm_solve(eye(4), 'fw'))"
    )
    out = run_octave(code, folder)
    assert out.count("gmtoolbox:PythonDied") == 1 and out.count("1") >= 4, out


def test_matrix_survives_bit_for_bit(folder):
    """K -> Octave -> Python -> file: every bit of it."""
    rng = np.random.default_rng(1)
    K = rng.normal(size=(36, 36)) * 10.0 ** rng.integers(-300, 300, size=(36, 36))
    K = (K + K.T) * (rng.random((36, 36)) < 0.3)
    K = np.triu(K) + np.triu(K, 1).T
    savemat(folder / "bits.mat", {"K": K})
    run_octave("load bits.mat; gm_save(sparse(K), 'bits.dd', 'sense', 'min')", folder)
    back = gm.load(folder / "bits.dd")
    assert back == Problem.from_matrix(K, sense="min")


@pytest.mark.long
def test_documentation(tmp_path):
    """The examples of docs/matlab.md, one session, print what the page shows, whatever the bundled
    instances' numbers are.
    """
    page = (ROOT / "docs" / "matlab.md").read_text("utf-8")
    examples = re.findall(r"```matlab\n((?:(?!```).)*)```\n+```text\n(.*?)```", page, re.DOTALL)
    (tmp_path / "matfiles").symlink_to(ROOT / "matfiles")
    code = "".join(code for code, _ in examples)
    printed, shown = (
        re.sub(r"-?\d+(\.\d+)?", "#", text)
        for text in (run_octave(code, tmp_path), "".join(shown for _, shown in examples))
    )
    assert len(examples) == 2 and printed.split() == shown.split()
