"""The identity of a problem: shared by all forms of one problem, by no two different ones."""

import doctest
import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from multi_cases import random_multi
from repetition import times
from scipy import sparse
from small import FORMS, problem_with, random_problem

import gmtoolbox as gm
from gmtoolbox.core import edges
from gmtoolbox.core import fingerprint as module
from gmtoolbox.core.candidates import Dummies
from gmtoolbox.core.fingerprint import fingerprint
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.multiproblem import turn
from gmtoolbox.core.products import Products

VALUES = (-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.0 + 2**-52, 2.0)

# ---- plain descriptions, compared without the library


def draw(rng):
    """A problem as a dict: pairs -> cost, pairs of pairs -> cost, and the rest."""
    shape = rng.randint(1, 3), rng.randint(1, 3)
    cells = list(itertools.product(range(shape[0]), range(shape[1])))
    chosen = rng.sample(cells, rng.randint(1, len(cells)))
    joined = [pair for pair in itertools.combinations(sorted(chosen), 2) if rng.random() < 0.6]
    return {
        "shape": shape,
        "cost": {cell: rng.choice(VALUES) for cell in chosen},
        "edges": {pair: rng.choice(VALUES) for pair in joined},
        "sense": rng.choice(("min", "max")),
        "complete": rng.random() < 0.5,
        "offset": rng.choice(VALUES),
    }


def changed(description, rng):
    """The same with one thing drawn again, which may come out as before."""
    new = {**description, "cost": dict(description["cost"]), "edges": dict(description["edges"])}
    kind = rng.choice(("cost", "edge", "candidate", "sense", "complete", "offset", "shape"))
    if kind == "cost":
        new["cost"][rng.choice(sorted(new["cost"]))] = rng.choice(VALUES)
    elif kind == "edge" and len(new["cost"]) > 1:
        pair = tuple(sorted(rng.sample(sorted(new["cost"]), 2)))
        new["edges"][pair] = rng.choice(VALUES)
    elif kind == "candidate":
        cell = tuple(rng.randrange(n) for n in new["shape"])
        if cell not in new["cost"]:
            new["cost"][cell] = rng.choice(VALUES)
        elif len(new["cost"]) > 1:
            del new["cost"][cell]
            new["edges"] = {pair: x for pair, x in new["edges"].items() if cell not in pair}
    elif kind == "shape":
        new["shape"] = (new["shape"][0] + rng.randrange(2), new["shape"][1] + rng.randrange(2))
    elif kind in ("sense", "complete", "offset"):
        new[kind] = draw(rng)[kind]
    return new


def is_same(one, other):
    """Whether two descriptions are one problem: an edge of cost 0 is none, and 0.0 == -0.0."""
    joined = [{pair: x for pair, x in d["edges"].items() if x != 0} for d in (one, other)]
    rest = [{name: value for name, value in d.items() if name != "edges"} for d in (one, other)]
    return joined[0] == joined[1] and rest[0] == rest[1]


def problem_of(description, rng):
    """The Problem, everything given in a random order."""
    cells = list(description["cost"])
    rng.shuffle(cells)
    number = {cell: k for k, cell in enumerate(cells)}
    joined = [rng.sample(pair, 2) + [x] for pair, x in description["edges"].items()]
    rng.shuffle(joined)
    return gm.Problem(
        description["shape"],
        *np.array(cells).T,
        [description["cost"][cell] for cell in cells],
        np.array([number[p] for p, _, _ in joined], dtype=int),
        np.array([number[q] for _, q, _ in joined], dtype=int),
        [x for _, _, x in joined],
        sense=description["sense"],
        complete=description["complete"],
        offset=description["offset"],
    )


def test_two_problems_share_it_if_and_only_if_they_are_the_same():
    rng = random.Random(29)
    same = different = 0
    for _ in range(400):
        one = draw(rng)
        found = fingerprint(problem_of(one, rng))
        assert fingerprint(problem_of(one, rng)) == found
        for _ in range(4):
            other = changed(one, rng)
            equal = is_same(one, other)
            assert (fingerprint(problem_of(other, rng)) == found) == equal, (one, other)
            same, different = same + equal, different + (not equal)
    assert same > 150 and different > 800


def test_no_two_of_many_problems_share_it():
    rng = random.Random(1)
    seen = {}
    n = times(3000)
    for _ in range(n):
        description = draw(rng)
        found = fingerprint(problem_of(description, rng))
        assert is_same(seen.setdefault(found, description), description)
    assert len(seen) > 0.8 * n


# ---- forms


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_every_form_of_edges_has_the_same(form, seed, monkeypatch):
    p = problem_with(form, np.random.default_rng(seed), 5, 4, complete=bool(seed % 2))
    found = fingerprint(p)
    assert found == fingerprint(p.explicit())
    monkeypatch.setattr(module, "PORTION", 3)  # where the portions end changes nothing
    assert found == fingerprint(p) == fingerprint(p.explicit())
    listed = p.explicit()
    cost = listed.edge_cost.copy()
    cost[len(cost) // 2] *= 1 + 2**-50
    assert fingerprint(replace(listed, edge_cost=cost)) != found


def test_a_matrix_dense_sparse_struct_and_file(tmp_path):
    rng = np.random.default_rng(0)
    K = rng.normal(size=(12, 12)) * (rng.random((12, 12)) < 0.6)
    Ct = np.ones((3, 4))
    Ct[1, 2] = 0
    p = gm.Problem.from_matrix(K, Ct=Ct)
    found = fingerprint(p)
    for other in (sparse.csr_array(K), sparse.coo_matrix(K), K.T, (K + K.T) / 2):
        assert fingerprint(gm.Problem.from_matrix(other, Ct=Ct)) == found
    assert fingerprint(gm.Problem.from_matrix(2 * K, Ct=Ct)) != found
    assert fingerprint(gm.Problem.from_matrix(-K, Ct=Ct, sense="min")) != found
    assert fingerprint(gm.Problem.from_matrix(K, Ct=Ct, complete=False)) != found
    for name in ("a.mat", "a.dd", "a.dd.gz", "a.dd.xz", "a.h5", "other/b.mat"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        gm.save(p, tmp_path / name)
        assert fingerprint(gm.load(tmp_path / name)) == found, name


def test_quadratic_assignment_from_a_dat_file_and_listed(tmp_path):
    rng = np.random.default_rng(2)
    A, B = rng.integers(0, 5, (2, 6, 6))
    text = "\n".join(" ".join(map(str, row)) for row in [[6], *A.tolist(), *B.tolist()])
    (tmp_path / "a.dat").write_text(text)
    p = gm.load(tmp_path / "a.dat")
    assert isinstance(p.edges, Products)
    gm.save(p, tmp_path / "a.dd")
    assert fingerprint(gm.load(tmp_path / "a.dd")) == fingerprint(p)


def test_labels_for_people_do_not_count():
    p = random_problem(np.random.default_rng(0), 3, 3)
    named = replace(
        p, name="x", origin="y", nodes1="abc", nodes2="def", points1=np.eye(3), points2=np.eye(3),
        ground_truth=[0, 1, 2], neighbours1=[[0, 1]], neighbours2=[[0, 1]],
    )  # fmt: skip
    assert fingerprint(named) == fingerprint(p)


def test_pairs_that_are_not_stored():
    A = np.arange(16.0).reshape(4, 4)
    seeded = Products(A, A).over(FreePairs((4, 4), [-1, 2, -1, -1]))
    free = gm.Problem((4, 4), None, None, None, edges=seeded)
    listed = gm.Problem((4, 4), free.left, free.right, free.cost, free.a, free.b, free.edge_cost)
    assert fingerprint(free) == fingerprint(listed)
    p = gm.Problem((3, 3), [0, 1], [0, 1], [1.0, 2.0], [0], [1], [3.0])
    wide = replace(p, dummies=Dummies((3, 3), 2, 2))
    assert fingerprint(wide) == fingerprint(wide.materialise()) != fingerprint(p)


def test_edges_that_cannot_be_written_out(monkeypatch):
    """Their own form is hashed, dense and sparse alike."""
    monkeypatch.setattr(module, "MAX_EDGES", 10)
    monkeypatch.setattr(edges, "MAX_EDGES", 10)
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, 9, 9)) * (rng.random((2, 9, 9)) < 0.7)
    of = gm.models.from_koopmans_beckmann
    found = fingerprint(of(A, B))
    assert fingerprint(of(sparse.csr_array(A), sparse.coo_array(B))) == found
    changed = A.copy()
    changed[3, 5] += 1e-9
    assert fingerprint(of(changed, B)) != found != fingerprint(of(B, A))
    p = problem_with("factors", rng, 5, 4)
    assert fingerprint(p) == fingerprint(p.changed()) != found
    KQ = p.edges.KQ.copy()
    KQ.data[4] += 1e-9
    assert fingerprint(p.changed(edges=p.edges.changed(KQ=KQ))) != fingerprint(p)


def test_many_graphs(tmp_path):
    m = random_multi(1, (2, 3, 2), density=1.0)
    found = fingerprint(m)
    pairs = dict(m.pairs)
    pairs[2, 0] = turn(pairs.pop((0, 2)))
    assert fingerprint(gm.MultiProblem(pairs, name="x")) == found
    gm.save(m, tmp_path / "m.dd")
    assert fingerprint(gm.load(tmp_path / "m.dd")) == found
    for changes in ({"offset": 1.0}, {"cost": 2 * m[0, 1].cost}):
        other = {**m.pairs, (0, 1): replace(m[0, 1], **changes)}
        assert fingerprint(gm.MultiProblem(other)) != found
    assert fingerprint(gm.MultiProblem({**m.pairs, (0, 1): None})) != found
    maximised = {pair: replace(p, sense="max") for pair, p in m.pairs.items()}
    assert fingerprint(gm.MultiProblem(maximised)) != found


def test_examples_in_docstrings():
    failed, tried = doctest.testmod(module)
    assert tried and not failed
