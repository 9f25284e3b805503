"""plot from the command line: pictures of a solve and of a store."""

import re

import numpy as np
import pytest
from sample_store import fill
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.store.store import Store


@pytest.mark.parametrize("kind", ["profile", "cactus"])
@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_plot_draws_a_store(tmp_path, kind, suffix):
    if suffix == "pdf":
        pytest.importorskip("matplotlib")
    with Store(tmp_path / "s.db", write=True) as store:
        fill(store)
    picture = tmp_path / f"p.{suffix}"
    given = ["plot", str(tmp_path / "s.db"), "--kind", kind, "-o", str(picture)]
    assert cli.main([*given, "--dataset", "points"]) == 0
    start = picture.read_bytes()
    if suffix == "pdf":
        assert start.startswith(b"%PDF") and len(start) > 3000
    else:
        names = {b"quick", b"exact"}  # the third solved none
        assert names <= set(re.findall(rb"class='curve' data-method='(\w+)'", start))
    assert cli.main([*given, "--dataset", "none"]) == 2


@pytest.mark.parametrize("kind", ["matching", "trace"])
def test_plot_draws_one_solve(tmp_path, capsys, kind):
    problem = random_problem(
        np.random.default_rng(1), 4, 4, points1=np.random.rand(4, 2), points2=np.random.rand(4, 2)
    )
    gm.save(problem, tmp_path / "p.dd")
    assert cli.main(f"plot {tmp_path}/p.dd -m fw --kind {kind} -o {tmp_path}/p.svg".split()) == 0
    assert ("class='node" in (tmp_path / "p.svg").read_text("utf-8")) == (kind == "matching")


def test_plot_draws_graphs_without_coordinates_and_k(tmp_path, capsys):
    file, out = str(tmp_path / "tiny.dd"), str(tmp_path / "p.svg")
    gm.save(random_problem(np.random.default_rng(1), 4, 4), file)
    assert cli.main(["plot", file, "-m", "fw", "--kind", "matching", "-o", out]) == 0
    assert "common edges" in (tmp_path / "p.svg").read_text("utf-8")
    assert cli.main(["plot", file, "--kind", "affinity", "-o", out]) == 0
    assert "<title>K, " in (tmp_path / "p.svg").read_text("utf-8")


def test_plot_refuses_what_it_cannot_draw(tmp_path, capsys):
    file, out = str(tmp_path / "tiny.dd"), str(tmp_path / "p.svg")
    gm.save(random_problem(np.random.default_rng(1), 4, 4), file)
    assert cli.main(["plot", file, "-m", "fw", "sm", "--kind", "matching", "-o", out]) == 2
    assert "one method" in capsys.readouterr().err and not (tmp_path / "p.svg").exists()
    assert cli.main(["plot", file, "-m", "fw", "--kind", "affinity", "-o", out]) == 2
    assert "--method does not go with --kind affinity" in capsys.readouterr().err
