"""Many graphs in HDF5 and folders, libmgm's solutions, builders, pictures and the command line."""

import json

import numpy as np
import pytest
from multi_cases import random_multi

import gmtoolbox as gm
from gmtoolbox.cli import main
from gmtoolbox.io import libmgm


@pytest.fixture
def scene():
    return gm.synth.worms_multi(d=4, m=12, seed=2)


@pytest.mark.parametrize("name", ["m.h5", "folder"])
def test_hdf5_and_folders_keep_everything(tmp_path, scene, name):
    gm.save(scene, tmp_path / name)
    again = gm.load(tmp_path / name)
    assert again == scene and again.truth is not None and again.points is not None
    sparse = random_multi(0, (2, 3, 2), density=0.2)
    gm.save(sparse, tmp_path / f"other-{name}")
    assert gm.load(tmp_path / f"other-{name}") == sparse


def test_folders_refuse_what_is_wrong(tmp_path, scene):
    gm.save(scene, tmp_path / "f")
    with pytest.raises(gm.InputError, match="new or an empty"):
        gm.save(scene, tmp_path / "f")
    index = tmp_path / "f" / "multi.json"
    record = json.loads(index.read_text())
    for change, said in (
        ({"format": "x"}, "format"),
        ({"pairs": {"0 1": "../x.dd"}}, "plain file name"),
        ({"pairs": {"0": None}}, "keyed by"),
        ({"sizes": [1, 2, 3, 4]}, "one size"),
    ):
        index.write_text(json.dumps({**record, **change}))
        with pytest.raises(gm.InputError, match=said):
            gm.load(tmp_path / "f")


def test_truth_beside_a_dd_file(tmp_path, scene):
    gm.save(scene, tmp_path / "s.dd.xz")
    facts = {"nodes": list(scene.sizes), "tracks": [own.tolist() for own in scene.truth]}
    (tmp_path / "s.json").write_text(json.dumps(facts))
    assert gm.track_f1(gm.load(tmp_path / "s.dd.xz").truth, scene.truth) == 1.0


def test_libmgm_solutions(tmp_path):
    m = random_multi(1, (3, 2, 4))
    r = gm.gm_solve_multi(m, bound="pairs")
    path = tmp_path / "solution.json"
    libmgm.write_solution(r, path)
    tracks = libmgm.read_solution(path)
    assert all(np.array_equal(x, y) for x, y in zip(tracks, r.tracks, strict=True))
    record = json.loads(path.read_text())
    assert record["graph orders"] == [3, 2, 4] and record["energy"] == r.value
    record["labeling"] = {"0, 1": [0, 1, None], "0, 2": [0, 1, None], "1, 2": [1, 0]}
    path.write_text(json.dumps(record))
    with pytest.raises(gm.FileFormatError, match="not consistent"):
        libmgm.read_solution(path)
    matchings, sizes = libmgm.read_matchings(path)
    assert gm.synchronise(matchings, sizes).value == 4
    for labeling, said in (
        ({"0; 1": []}, "keyed by"),
        ({"0, 1": [0]}, "a label for each"),
        ({"0, 1": [0, 9, None]}, "or null"),
        (None, "must be an object"),
    ):
        path.write_text(json.dumps({**record, "labeling": labeling}))
        with pytest.raises(gm.FileFormatError, match=said):
            libmgm.read_solution(path)


def test_builders():
    rng = np.random.default_rng(0)
    base = rng.uniform(0, 100, (8, 2))
    frames = [base + 5 * t + rng.normal(0, 0.3, base.shape) for t in range(4)]
    m = gm.models.multi_from_points(frames, both=True, width=20.0, unary=0.2)
    assert m.d == 4 and not m[0, 1].complete and m[0, 1].cost.max() == pytest.approx(0.2)
    r = gm.gm_solve_multi(m)
    assert gm.track_f1(r.tracks, [np.arange(8)] * 4) == 1.0
    descriptors = rng.normal(size=(8, 6))
    images = [descriptors[rng.permutation(8)] for _ in range(3)]
    f = gm.models.from_feature_sets(images, points=frames[:3])
    assert f.n_edges > 0 and gm.models.from_feature_sets(images).n_edges == 0
    truth = [np.argmin(np.linalg.norm(x[:, None] - descriptors, axis=2), axis=1) for x in images]
    plain = gm.models.from_feature_sets(images, truth=truth)
    assert gm.track_f1(gm.gm_solve_multi(plain).tracks, truth) == 1.0
    for wrong in ([frames[0]], [frames[0], frames[1][:, :1], frames[2] * np.nan]):
        with pytest.raises(gm.InputError):
            gm.models.multi_from_points(wrong)


def test_worms_multi_is_seeded_and_matches_its_truth(scene):
    assert gm.synth.worms_multi(d=4, m=12, seed=2) == scene
    assert gm.synth.worms_multi(d=4, m=12, seed=3) != scene
    m = gm.synth.worms_multi(d=4, m=40)
    r = gm.gm_solve_multi(m, maxiter=300)
    assert gm.track_f1(r.tracks, m.truth) > 0.9
    with pytest.raises(gm.InputError, match="d must be"):
        gm.synth.worms_multi(d=1)


def test_picture_of_tracks(scene):
    r = gm.gm_solve_multi(scene, maxiter=60)
    svg = gm.plot.tracks(scene.points, r.tracks, scene.truth)
    links = sum(len(clique) - 1 for clique in r.cliques)
    assert svg.count("<line class='track") == links
    assert svg.count("<circle") == scene.n_nodes


def test_command_line(tmp_path, scene, capsys):
    path, copy, picture = (str(tmp_path / name) for name in ("s.dd", "s.h5", "s.svg"))
    gm.save(scene, path)
    assert main(["convert", path, copy]) == 0 and gm.load(copy).pairs == gm.load(path).pairs
    assert main(["convert", path, str(tmp_path / "folder")]) == 0
    assert gm.load(tmp_path / "folder").pairs == scene.pairs
    assert main(["convert", path, copy, "--nonpositive"]) == 2
    capsys.readouterr()
    assert main(["info", path, str(tmp_path / "folder")]) == 0
    said = capsys.readouterr().out
    assert "graphs" in said and str(scene.n_edges) in said
    assert main(["info", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["graphs"] == 4
    kept = str(tmp_path / "r.json")
    assert main(["solve", path, "-t", "0.2", "-o", kept]) == 0
    assert "mgm" in capsys.readouterr().out
    assert gm.load_result(kept).sizes == scene.sizes
    assert main(["solve", path, "-t", "0.2", "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert gm.load(path).energy(last["tracks"]) == pytest.approx(last["value"])
    assert main(["solve", path, "-m", "rrwm"]) == 2
    assert main(["solve", path, "-m", "sync", "-t", "0.2", "--labels"]) == 0
    assert main(["plot", path, "-t", "0.2", "-o", picture]) == 0
    assert "<svg" in (tmp_path / "s.svg").read_text()
