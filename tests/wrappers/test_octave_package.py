"""The .m files as people install them: the folder, Octave's pkg, examples, tests inside files.

Of the findings of the second round (the others: tests/octave/test_habits.m):
4   test_matlab_path_is_printed, test_an_installed_copy_finds_its_own_python,
    test_a_python_is_remembered_and_forgotten
5   test_the_server_imports_where_windows_lacks_modules, test_a_python_that_hangs_is_given_up
6   test_a_session_without_pipes_uses_the_python_inside
8   tests/octave/test_errors.m, tests/core/test_matrix.py
11  test_stop_returns_the_best_answer_so_far in test_server.py, for Ctrl-C
12  test_the_package_holds_every_function, test_octave_installs_the_package, test_examples_run,
    test_the_tests_inside_the_functions
15  test_a_forked_session_starts_its_own_process, test_originals_that_hide_our_wrappers_are_told,
    test_dead_python in test_octave.py
16  test_a_large_dense_matrix_is_solved_in_two_seconds in tests/core/test_matrix.py
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
from octave_process import OCTAVE, ROOT, needs_octave, octave_environment, run_octave

from gmtoolbox import __version__, cli
from gmtoolbox.wrappers import matlab_folder
from gmtoolbox.wrappers.octave_package import write_package

MATLAB = ROOT / "wrappers" / "matlab"
EXAMPLES = sorted((MATLAB / "examples").glob("*.m"))
TESTED = sorted(path.stem for path in MATLAB.glob("gm_*.m") if "\n%!" in path.read_text("utf-8"))


def test_matlab_path_is_printed(capsys):
    assert cli.main(["matlab-path"]) == 0
    assert capsys.readouterr().out.strip() == str(matlab_folder()) == str(MATLAB)


def test_the_package_holds_every_function(tmp_path):
    with tarfile.open(write_package(tmp_path)) as archive:
        names = archive.getnames()
        root = names[0].split("/")[0]
        index = archive.extractfile(f"{root}/INDEX").read().decode()
    for path in MATLAB.rglob("*.m"):
        if path.stem != "Contents" and not {"examples", "doc"} & set(path.parts):
            assert f"{root}/inst/{path.relative_to(MATLAB).as_posix()}" in names
    assert " gm_solve\n" in index and " wrapper_rrwm\n" in index


def test_the_package_remembers_who_wrote_it(tmp_path):
    with tarfile.open(write_package(tmp_path)) as archive:
        root = archive.getnames()[0].split("/")[0]
        text = archive.extractfile(f"{root}/inst/private/gm_written_by.m").read().decode()
        assert f"python = '{sys.executable}';" in text
        licence = archive.extractfile(f"{root}/COPYING").read().decode()
    assert (
        licence
        == (ROOT / "LICENSE").read_text("utf-8")
        == (MATLAB / "license.txt").read_text("utf-8")
    )


def test_the_folder_has_what_file_exchange_asks_for():
    head = (MATLAB / "Contents.m").read_text("utf-8").splitlines()[1]
    assert re.fullmatch(r"% Version \d+\.\d+\.\d+ \d\d-[A-Z][a-z][a-z]-\d{4}", head)
    for name in ("license.txt", "doc/GettingStarted.m", "demos.xml"):
        assert (MATLAB / name).is_file()
    known = json.loads((MATLAB / "resources" / "functionSignatures.json").read_text("utf-8"))
    functions = {path.stem for path in MATLAB.glob("*.m")} - {"Contents"}
    assert functions == known.keys() - {"_schemaVersion"}


@needs_octave
def test_a_toolbox_file_is_made_where_matlab_is(tmp_path):
    """With stand-ins for the two functions of MATLAB that write it."""
    code = (
        f"addpath('{ROOT}/tests/octave/standins', '{ROOT}/scripts'); file = package_toolbox(pwd());"
        "o = load(file); assert(exist(o.ToolboxGettingStartedGuide, 'file') == 2);"
        "assert(exist(o.ToolboxMatlabPath{2}, 'dir') == 7); disp(o.ToolboxVersion)"
    )
    assert run_octave(code, tmp_path).strip() == __version__


def test_lines_of_the_ported_programs_are_those_of_the_page():
    page = (ROOT / "docs" / "matlab.md").read_text("utf-8")
    shown = dict(re.findall(r"\| `(\w+\.m)` \| (\d+) \|", page))
    assert shown.keys() == {"study_wrapper.m", "rrwm_demo.m", "fgm_demo.m"}
    for name, count in shown.items():
        lines = (MATLAB / "examples" / name).read_text("utf-8").splitlines()
        code = [line for line in lines if line.strip() and not line.strip().startswith("%")]
        assert len(code) == int(count), name


@needs_octave
def test_lines_to_paste(tmp_path):
    """Those of a wheel, with this Python and without pip; and those of a checkout, which parse."""
    page = (ROOT / "docs" / "matlab.md").read_text("utf-8")
    wheel, checkout = re.findall(r"```matlab\n(python = .*?)```", page, re.DOTALL)
    code = wheel.replace("'python3'", f"'{sys.executable}'").replace(
        "'remember', true", "'remember', false"
    )
    code = "\n".join(line for line in code.splitlines() if "pip install" not in line)
    out = run_octave(f"rmpath('{MATLAB}'); {code}", tmp_path, PYTHONPATH=str(ROOT))
    assert "gmtoolbox " in out and "Diagonal Matrix" not in out and "1   0" in out
    (tmp_path / "lines.m").write_text(checkout)
    run_octave("__parse_file__('lines.m');", tmp_path)


@pytest.mark.long
@needs_octave
def test_octave_installs_the_package(tmp_path):
    """pkg install, pkg load, a call; nothing of the source tree is on the path."""
    package = write_package(tmp_path)
    code = (
        f"pkg prefix {tmp_path}/packages {tmp_path}/packages; pkg local_list {tmp_path}/list;"
        f"pkg install -local {package}; pkg load gmtoolbox; disp(which('gm_solve'));"
        "disp(gm_solve([5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5], 'fw')); lookfor graph"
    )
    done = subprocess.run(
        [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", code],
        cwd=tmp_path,
        env={**octave_environment(tmp_path / "tmp"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(tmp_path / "packages") in done.stdout and "Diagonal" not in done.stdout
    assert "gm_solve" in done.stdout.split("gm_solve.m", 1)[1]  # lookfor graph finds it


@pytest.mark.long
@needs_octave
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example, tmp_path):
    assert run_octave(f"run('{example}')", tmp_path).strip()


@pytest.mark.long
@needs_octave
def test_the_tests_inside_the_functions(tmp_path):
    code = "".join(f"[n, m] = test('{name}', 'quiet'); assert(n == m && m > 0);" for name in TESTED)
    run_octave(code + "disp('passed')", tmp_path)


@pytest.mark.long
@needs_octave
def test_an_installed_copy_finds_its_own_python(tmp_path):
    """.../site-packages/gmtoolbox/wrappers/matlab knows the interpreter of that environment."""
    site = tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    shutil.copytree(MATLAB, site / "gmtoolbox" / "wrappers" / "matlab")
    python = tmp_path / "env" / "bin" / "python3.11"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\nSTARTED_BY=own exec '{sys.executable}' \"$@\"\n")
    python.chmod(0o755)
    code = (
        f"rmpath('{MATLAB}'); addpath('{site}/gmtoolbox/wrappers/matlab'); about = gm_setup();"
        "text = fileread(sprintf('/proc/%d/environ', about.pid));"
        "disp(regexp(text, 'STARTED_BY=(\\w+)', 'tokens', 'once'){1})"
    )
    common = {"PYTHONPATH": str(ROOT), "GMTOOLBOX_PYTHON": ""}
    assert run_octave(code, tmp_path, **common).strip() == "own"


@pytest.mark.long
@needs_octave
def test_a_python_is_remembered_and_forgotten(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    common = {"HOME": str(home), "GMTOOLBOX_PYTHON": "", "PYTHONPATH": str(ROOT)}
    shown = "about = gm_setup(); disp(about.python)"
    run_octave(f"gm_setup('python', '{sys.executable}', 'remember', true)", tmp_path, **common)
    assert run_octave(shown, tmp_path, **common).strip() == sys.executable
    assert any("gmtoolbox" in path.read_text("utf-8") for path in home.glob(".octave_prefs*"))
    run_octave("gm_setup('remember', false)", tmp_path, **common)
    assert not any("python" in path.read_text("utf-8") for path in home.glob(".octave_prefs*"))


@pytest.mark.long
@needs_octave
def test_a_python_that_hangs_is_given_up(tmp_path):
    slow = tmp_path / "python"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    code = (
        "try, gm_solve(eye(4)); catch problem, disp(problem.identifier); disp(problem.message); end"
    )
    out = run_octave(code, tmp_path, GMTOOLBOX_PYTHON=str(slow), GMTOOLBOX_START_SECONDS="1")
    assert out.startswith("gmtoolbox:NoPython") and "within 1 seconds" in out


@needs_octave
def test_originals_that_hide_our_wrappers_are_told(tmp_path):
    (tmp_path / "wrapper_rrwm.m").write_text("function wrapper_rrwm(file)\nend\n")
    done = subprocess.run(
        [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval",
         f"addpath('{MATLAB}'); gm_setup('bridge', 'process');"],
        cwd=tmp_path, env=octave_environment(tmp_path / "tmp"),
        capture_output=True, text=True, timeout=150,
    )  # fmt: skip
    assert "hidden by other files on the path" in done.stderr and "wrapper_rrwm.m" in done.stderr


@needs_octave
def test_functions_of_the_user_are_not_hidden_silently(tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name in ("wrapper_rrwm", "gm_load"):
        (theirs / f"{name}.m").write_text(f"function {name}(varargin)\nend\n")
    code = f"addpath('{MATLAB}'); addpath('{theirs}'); gm_setup; gm_setup;"
    done = subprocess.run(
        [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", code],
        cwd=tmp_path, env=octave_environment(tmp_path / "tmp"),
        capture_output=True, text=True, timeout=150,
    )  # fmt: skip
    assert done.stderr.count("2 functions of yours are hidden by those of gmtoolbox") == 1
    assert "theirs/gm_load.m" in done.stderr


@needs_octave
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_the_server_has_no_pool_of_threads_unless_the_user_asks(tmp_path):
    """Two threads: the calls, and the listener."""
    code = (
        "unsetenv('OMP_NUM_THREADS'); unsetenv('OPENBLAS_NUM_THREADS'); a = gm_setup();"
        "gm_solve(rand(100), 'rrwm', 'shape', [10 10]);"
        "disp(numel(dir(sprintf('/proc/%d/task', a.pid))) - 2)"
    )
    assert run_octave(code, tmp_path).split() == ["2"]


@needs_octave
def test_a_session_without_pipes_uses_the_python_inside(tmp_path):
    """MATLAB without Java; pyenv is the stand-in of tests/octave/inside."""
    inside = f"addpath('{ROOT}/tests/octave/inside');"
    code = f"{inside} disp(gm_solve(eye(4), 'fw')); gm_solve(eye(4), 'fw');"
    out = run_octave(code, tmp_path, GMTOOLBOX_PIPES="none")
    assert out.count("the Python inside MATLAB (pyenv) is used") == 1


@pytest.mark.long
@needs_octave
def test_a_forked_session_starts_its_own_process(tmp_path):
    """As parcellfun's workers do: the child must not speak into its parent's pipes."""
    (tmp_path / "forked.m").write_text(
        "function forked()\n"
        "  about = gm_setup();\n"
        "  pid = fork();\n"
        "  if pid == 0\n"
        "    mine = gm_setup();\n"
        "    printf('%d\\n', mine.pid ~= about.pid); fflush(stdout);\n"
        "    gm_setup('stop');\n"
        "    kill(getpid(), 9);\n"
        "  end\n"
        "  waitpid(pid);\n"
        "  again = gm_setup();\n"
        "  assert(again.pid == about.pid);\n"
        "  disp('parent')\n"
        "end\n"
    )
    assert run_octave("forked", tmp_path).split() == ["1", "parent"]


def test_the_server_imports_where_windows_lacks_modules(tmp_path):
    """fcntl and resource are missing there: solving works, a batch says what is missing."""
    for name in ("fcntl", "resource"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name} here')\n")
    code = (
        "import numpy as np, gmtoolbox as gm, gmtoolbox.wrappers.server;"
        "print(gm.gm_solve(np.eye(4), 'fw').labels.tolist());"
        "from gmtoolbox.wrappers.batch_calls import batch_modules\n"
        "try: batch_modules()\n"
        "except gm.InputError as error: print(error)\n"
        "else: print('batch works')"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=100
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "[0, 1]", done.stderr
    assert "does not work on this system" in lines[1] or lines[1] == "batch works"
