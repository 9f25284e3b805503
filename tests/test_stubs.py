"""Editors and type checkers see what the package is: stubs, mypy --strict, jedi."""

import ast
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

import gmtoolbox as gm

ROOT = Path(__file__).resolve().parent.parent
USER = """
import numpy as np

import gmtoolbox as gm

r = gm.gm_solve(np.eye(9), "rrwm", time_limit=1.0)
total: float = r.value + r.gap
by_name: dict[object, object] = r.mapping
p = gm.models.from_points(np.zeros((3, 2)), np.zeros((3, 2)), width=1.0)
q: gm.Problem = gm.load("car1.dd")
print(q.energy(r.labels), gm.evaluate(r, [0, 1, 2]).f1, r.summary(), p.shape[0])
r.save("r.json")
gm.solve(gm.synth.worms(seed=0)).labels
reveal_type(gm.gm_solve)
reveal_type(gm.gm_solve_multi(gm.synth.worms_multi(3, 10)))
reveal_type(gm.graph_edit_distance([[0]], [[0]]))
reveal_type(gm.edit_distances([]).values)
reveal_type(gm.maximum_common_subgraph([[0]], [[0]]))
"""


@pytest.fixture(scope="module")
def make_stubs():
    loader = SourceFileLoader("make_stubs", str(ROOT / "scripts" / "make_stubs"))
    module = module_from_spec(spec_from_loader("make_stubs", loader))
    loader.exec_module(module)
    return module


def test_stubs_are_what_the_package_says(make_stubs):
    for name in make_stubs.MODULES:
        path, text = make_stubs.stub(name)
        same = ast.dump(ast.parse(path.read_text("utf-8"))) == ast.dump(ast.parse(text))
        assert same, f"{path.name} of gmtoolbox.{name} is old: run scripts/make_stubs"


def test_every_public_name_is_typed():
    stub = ast.parse((ROOT / "gmtoolbox" / "__init__.pyi").read_text("utf-8"))
    named = {getattr(node, "name", None) for node in stub.body}
    named |= {alias.asname for node in stub.body for alias in getattr(node, "names", ())}
    for node in stub.body:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        named |= {target.id for target in targets if isinstance(target, ast.Name)}
    assert set(gm.__all__) <= named
    assert (ROOT / "gmtoolbox" / "py.typed").is_file()


@pytest.mark.long
def test_mypy_strict_on_a_users_script(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER)
    environment = {"MYPYPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "user.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
    )
    assert "Success: no issues" in done.stdout, done.stdout + done.stderr
    assert "time_limit: float | None" in done.stdout.replace("builtins.float", "float")
    for kind in (
        "gmtoolbox.MultiResult",
        "gmtoolbox.EditResult",
        "numpy.ndarray[",
        "CommonSubgraph",
    ):
        assert f'Revealed type is "{kind}' in done.stdout.replace('"gmtoolbox.Common', '"Common')
    (tmp_path / "user.py").write_text("import gmtoolbox as gm\ngm.gm_solve(1).vlaue\n")
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
    )
    assert 'has no attribute "vlaue"' in done.stdout


@pytest.mark.long
def test_jedi_completes():
    jedi = pytest.importorskip("jedi")
    project = jedi.Project(str(ROOT))
    text = "import gmtoolbox as gm\nr = gm.gm_solve(1)\nr."
    names = {one.name for one in jedi.Script(text, project=project).complete()}
    assert {"labels", "value", "mapping", "pairs", "save", "summary"} <= names
    text = "import gmtoolbox as gm\ngm."
    names = {one.name for one in jedi.Script(text, project=project).complete()}
    assert {"gm_solve", "solve", "models", "load", "evaluate"} <= names
    text = "import gmtoolbox as gm\ngm.gm_solve("
    (signature,) = jedi.Script(text, project=project).get_signatures()
    assert "time_limit" in [parameter.name for parameter in signature.params]
