"""The generators match the study's dataset table; matfiles/ is what they made."""

import csv
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gmtoolbox as gm

MATFILES = Path(__file__).resolve().parents[2] / "matfiles"

BIJECTIVE, NONPOSITIVE, ZERO_UNARY = "bijective", "non-pos.", "0-unary"
TABLE = {  # |V|, |L|/|V|, density %, diagonal density %, properties: the study's dataset table
    "caltech-large": ((36, 219), (0.4, 2.3), 0.55, 18.1, {NONPOSITIVE, ZERO_UNARY}),
    "caltech-small": ((9, 117), (0.4, 3), 0.99, 26.8, {NONPOSITIVE, ZERO_UNARY}),
    "car": ((19, 49), (1, 1), 2.9, 100, {BIJECTIVE, NONPOSITIVE}),
    "flow": ((48, 126), (0.9, 1.1), 0.39, 15.8, set()),
    "hotel": ((30, 30), (1, 1), 12.8, 100, {BIJECTIVE}),
    "house-dense": ((30, 30), (1, 1), 12.6, 100, {BIJECTIVE}),
    "house-sparse": ((30, 30), (1, 1), 1.5, 100, {BIJECTIVE, NONPOSITIVE, ZERO_UNARY}),
    "motor": ((15, 52), (1, 1), 3.8, 100, {BIJECTIVE, NONPOSITIVE}),
    "opengm": ((19, 20), (1, 1), 74.8, 100, {BIJECTIVE}),
    "pairs": ((511, 565), (0.9, 1.1), 0.0019, 3.7, set()),
    "worms": ((558, 558), (2.3, 2.5), 0.00038, 1.6, set()),
}
HEAVY = ("pairs", "worms", "caltech-large")


@pytest.mark.parametrize(
    "shape",
    [pytest.param(shape, marks=pytest.mark.slow if shape in HEAVY else ()) for shape in TABLE],
)
def test_shape_is_that_of_the_study(shape):
    nodes, ratio, density, diagonal, properties = TABLE[shape]
    densities = []
    for seed in range(2 if shape in HEAVY else 20 if BIJECTIVE in properties else 5):
        p = gm.synth.generate(shape, seed)
        n1, n2 = p.shape
        assert nodes[0] <= n1 <= nodes[1] and ratio[0] - 0.02 <= n2 / n1 <= ratio[1] + 0.02
        assert 100 * p.n_candidates / (n1 * n2) == pytest.approx(diagonal, rel=0.1)
        densities.append(100 * p.reducedK.nnz / (n1 * n2) ** 2)
        check_properties(p, properties)
        others = (
            [np.random.default_rng(k).permutation(n2) for k in range(5)]
            if p.complete
            else [np.full(n1, -1)]
        )
        # planted, allowed, and good
        assert np.mean(p.ground_truth >= 0) >= 0.5 and p.energy(p.ground_truth) < min(
            map(p.energy, others)
        )
    # within a factor of two where |V| varies between instances, else close
    factor = np.mean(densities) / density
    assert 0.9 < factor < 1.1 if nodes[0] == nodes[1] else 0.5 < factor < 2


def check_properties(p, properties):
    assert p.complete == (BIJECTIVE in properties) and (not p.complete or p.shape[0] == p.shape[1])
    assert (max(p.cost.max(), p.edge_cost.max()) <= 0) == (NONPOSITIVE in properties)
    assert np.any(p.cost) == (ZERO_UNARY not in properties)


@pytest.mark.parametrize("shape", TABLE)
def test_small_ones_have_the_properties_too(shape):
    for seed in range(5):
        check_properties(gm.synth.generate(shape, seed, size=16), TABLE[shape][-1])


@pytest.mark.parametrize("shape", TABLE)
def test_seeds(shape):
    first, again, other = (gm.synth.generate(shape, seed, size=9) for seed in (1, 1, 2))
    assert first == again and first != other and first.shape[0] == 9
    assert getattr(gm.synth, shape.replace("-", "_"))(seed=1, size=9) == first


def test_bad_arguments():
    with pytest.raises(gm.InputError, match="shape must be one of"):
        gm.synth.generate("cars")
    with pytest.raises(gm.InputError, match="size must be an integer in 4..10000"):
        gm.synth.worms(size=2)


def rows():
    with open(MATFILES / "index.csv", newline="") as file:
        return list(csv.DictReader(file))


def small_rows():
    return [row for row in rows() if row["sha256_h5"]]


def real_rows():
    """Instances of the study's size, each in one file."""
    return [row for row in rows() if row["sha256_dd.xz"]]


def test_instances_of_real_size():
    for row in real_rows():
        path = MATFILES / row["dataset"] / f"{row['instance']}.dd.xz"
        assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256_dd.xz"]
        problem = gm.load_dataset(MATFILES / row["dataset"])[row["instance"]]
        nodes = TABLE[row["dataset"]][0]
        assert nodes[0] <= problem.shape[0] <= nodes[1] and problem.ground_truth is not None
        seed = int(row["instance"].rsplit("-", 1)[1])
        size = 48 if row["dataset"] == "flow" else None  # the smallest of the study
        made = gm.synth.generate(row["dataset"], seed, size)
        assert np.array_equal(made.left, problem.left)
        assert np.abs(made.edge_cost - problem.edge_cost).max() <= 2e-6
        r = gm.gm_solve(problem, "aj", time_limit=100)
        assert r.gap <= 1e-9 and r.value == pytest.approx(float(row["optimum"]), abs=2e-6)
    assert {row["dataset"] for row in real_rows()} >= {"car", "motor", "flow", "caltech-small"}
    assert len(small_rows()) + len(real_rows()) == len(rows())


def test_matfiles_are_what_the_index_says():
    known = {path.name for path in MATFILES.glob("*/*") if path.suffix in (".dd", ".mat", ".h5")}
    for row in small_rows():
        stem = MATFILES / row["dataset"] / row["instance"]
        problems = {}
        for suffix in ("dd", "mat", "h5"):
            path = stem.with_name(f"{stem.name}.{suffix}")
            assert hashlib.sha256(path.read_bytes()).hexdigest() == row[f"sha256_{suffix}"], path
            problems[suffix] = gm.load(path)
            known.discard(path.name)
        whole = problems["h5"]
        assert problems["mat"] == whole
        assert problems["dd"] == replace(whole, ground_truth=None)
        shape = [str(n) for n in (*whole.shape, whole.n_candidates, whole.n_edges)]
        assert shape == [row[name] for name in ("n1", "n2", "candidates", "edges")]
        instance = gm.load_dataset(MATFILES / row["dataset"]).instances[row["instance"]]
        assert instance.load() == whole and instance.optimum == float(row["optimum"])
        facts = json.loads((stem.with_name(stem.name + ".json")).read_text("utf-8"))
        assert [
            -1 if label is None else label for label in facts["ground_truth"]
        ] == whole.ground_truth.tolist()
    assert not known
    assert (
        len(small_rows()) >= 2 * len(TABLE) and {row["dataset"] for row in rows()} == TABLE.keys()
    )
    assert sum(path.stat().st_size for path in MATFILES.rglob("*") if path.is_file()) <= 5_000_000


@pytest.mark.parametrize("row", small_rows()[::5], ids=lambda row: row["instance"])
def test_matfiles_are_made_by_the_generators(row):
    name, seed = row["instance"].rsplit("-", 1)
    made = gm.synth.generate(name, int(seed), size=int(row["n1"]))
    kept = gm.load(MATFILES / name / f"{row['instance']}.h5")
    assert np.array_equal(made.left, kept.left) and np.array_equal(made.a, kept.a)
    # another libm may round the sixth decimal the other way
    assert np.abs(made.edge_cost - kept.edge_cost).max() <= 2e-6


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=() if k % 10 == 0 else pytest.mark.slow)
        for k, row in enumerate(small_rows())
    ],
)
def test_optimum_is_proven(row):
    problem = gm.load(MATFILES / row["dataset"] / f"{row['instance']}.h5")
    r = gm.gm_solve(problem, "ilp", time_limit=100)
    assert r.gap <= 1e-9 and r.value == pytest.approx(float(row["optimum"]), abs=2e-6)


def test_sparse_problems_are_seeded_planted_and_sparse():
    easy, again = (gm.synth.sparse(seed=2, size=60, candidates=6) for _ in range(2))
    hard = gm.synth.sparse(seed=2, size=60, candidates=6, hard=True)
    assert easy.edge_cost.tolist() == again.edge_cost.tolist()
    assert easy.n_candidates == hard.n_candidates == 360 and not easy.complete
    assert easy.edge_cost.max() < 0 and hard.n_edges > easy.n_edges
    assert len(np.unique(easy.left * 60 + easy.right)) == 360
    r = gm.gm_solve(easy)
    assert r.status == "optimal" and np.count_nonzero(r.labels >= 0) > 50
    with pytest.raises(gm.GMError, match="candidates"):
        gm.synth.sparse(size=60, candidates=61)
