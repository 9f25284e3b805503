"""MAT files, versions 4 to 7: the benchmark schema, bare affinities, foreign writers, broken
files.
"""

import numpy as np
import pytest
import scipy.io
from octave_process import needs_octave, run_plain_octave
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.io import mat
from gmtoolbox.io.mat_files import read_variables


def saved(tmp_path, variables, name="x.mat", **options):
    path = tmp_path / name
    scipy.io.savemat(path, variables, **options)
    return path


@pytest.mark.parametrize("version", ["6", "7"])
@pytest.mark.parametrize("settings", [{}, {"complete": True, "offset": -1.5}, {"sense": "max"}])
def test_round_trip(tmp_path, version, settings, random_problem):
    problem = random_problem(**settings)
    gm.save(problem, tmp_path / "x.mat", version=version)
    again = gm.load(tmp_path / "x.mat")
    assert again == problem and again.name == "x"
    gm.save(again, tmp_path / "y.mat", version=version)
    assert (tmp_path / "x.mat").read_bytes() == (tmp_path / "y.mat").read_bytes()


def test_schema_is_the_studys(tmp_path, random_problem):
    problem = random_problem(offset=2.0)
    gm.save(problem, tmp_path / "x.mat")
    v = scipy.io.loadmat(tmp_path / "x.mat")
    labels = np.array(
        [int(problem.right[problem.left == i][0]) if i == 2 else -1 for i in range(4)]
    )
    X = np.zeros(problem.shape)
    X[2, labels[2]] = 1
    x = X.reshape(-1, order="F")
    assert x @ (v["K"] @ x) + v["offset"].item() == pytest.approx(problem.energy(labels))
    assert all(
        sparse.issparse(v[name]) and v[name].dtype == float
        for name in ("K", "Ct", "KP", "KQ", "reducedK")
    )
    G1, H1 = v["gph1"]["G"][0, 0], v["gph1"]["H"][0, 0]
    G2, H2 = v["gph2"]["G"][0, 0], v["gph2"]["H"][0, 0]
    X = np.random.default_rng(0).random(problem.shape) * problem.Ct.toarray()
    x = X.reshape(-1, order="F")
    factored = (v["KP"].toarray() * X).sum() + (
        v["KQ"].toarray() * (G1.T @ X @ G2) * (H1.T @ X @ H2)
    ).sum()
    assert factored == pytest.approx(x @ (v["K"] @ x) + (v["K"].diagonal() * (x - x * x)).sum())


@pytest.mark.parametrize(
    "stem, complete",
    [("a", False), ("a_b", True), ("a_bn", True), ("a_bnz", True), ("a_nb", False)],
)
def test_complete_by_name(tmp_path, stem, complete, random_problem):
    problem = random_problem()
    variables = mat.variables_of(problem, "costs")
    del variables["complete"]
    path = saved(tmp_path, variables, stem + ".mat")
    assert gm.load(path).complete is complete
    assert gm.load(path, complete=not complete).complete is not complete


def test_bare_K_is_an_affinity(tmp_path):
    K = np.random.default_rng(0).random((9, 9))
    problem = gm.load(saved(tmp_path, {"K": K}))
    assert problem == gm.Problem.from_matrix(K)
    assert problem.sense == "max" and problem.complete
    assert "K (9 x 9): affinity matrix, by its name" in problem.origin


def test_only_square_matrix_and_key(tmp_path):
    rng = np.random.default_rng(1)
    A, B = rng.random((4, 4)), rng.random((4, 4))
    path = saved(tmp_path, {"Aff": A, "list": rng.random((3, 5)), "name": "text"})
    assert gm.load(path) == gm.Problem.from_matrix(A)
    path = saved(tmp_path, {"Aff": A, "Other": B})
    with pytest.raises(gm.FileFormatError, match=r"2 square matrices \(Aff, Other\).*key="):
        gm.load(path)
    assert gm.load(path, key="Other") == gm.Problem.from_matrix(B)
    with pytest.raises(gm.FileFormatError, match="no variable 'Nix'; there are Aff 4x4"):
        gm.load(path, key="Nix")


def test_affinity_over_a_list_of_assignments(tmp_path):
    rng = np.random.default_rng(2)
    E12 = (rng.random((4, 5)) < 0.6).astype(float)
    E12[3, 4] = 1
    right, left = np.nonzero(E12.T)
    N = len(left)
    M = rng.random((N, N))
    L12 = np.column_stack([left, right]) + 1.0
    group1, group2 = np.eye(4)[left], np.eye(5)[right]
    truth = np.zeros(N)
    truth[0] = 1
    expected = np.full(4, -1)
    expected[left[0]] = right[0]
    shuffled = rng.permutation(N)
    problems = [
        gm.load(saved(tmp_path, {"M": M, "E12": E12, "gtruth": truth})),
        gm.load(saved(tmp_path, {"M": M, "L12": L12, "E12": E12, "gtruth": truth})),
        gm.load(
            saved(tmp_path, {"M": M, "group1": group1, "group2": group2 == 1, "gtruth": truth})
        ),
        gm.load(
            saved(
                tmp_path,
                {
                    "W": M[np.ix_(shuffled, shuffled)],
                    "L12": L12[shuffled],
                    "gtruth": truth[shuffled],
                    "Ct": E12,
                },
            )
        ),
    ]
    full = np.zeros((20, 20))
    rows = left + 4 * right
    full[np.ix_(rows, rows)] = M
    reference = gm.Problem.from_matrix(full, Ct=E12, ground_truth=expected)
    for problem in problems:
        assert np.allclose(problem.K.toarray(), reference.K.toarray())
        assert (
            problem.Ct.toarray().tolist() == E12.tolist()
            and problem.ground_truth.tolist() == expected.tolist()
        )
    assert (
        "L12" in problems[1].origin
        and "group1" in problems[2].origin
        and "gtruth: ground truth" in problems[3].origin
    )


def test_ground_truth_as_matrix_and_as_labels(tmp_path):
    K = np.ones((9, 9))
    assert gm.load(
        saved(tmp_path, {"K": K, "gtruth": np.eye(3)[[2, 0, 1]]})
    ).ground_truth.tolist() == [2, 0, 1]
    assert gm.load(
        saved(tmp_path, {"K": K, "gtruth": np.array([3, 0, 1])})
    ).ground_truth.tolist() == [2, -1, 0]


def test_factors_without_a_matrix(tmp_path):
    p = gm.synth.flow(seed=0, size=5)
    factors = {"KP": -p.KP, "KQ": -p.KQ, "Ct": p.Ct}
    factors |= {
        name: {"G": graph.G, "H": graph.H} for name, graph in (("gph1", p.gph1), ("gph2", p.gph2))
    }
    problem = gm.load(saved(tmp_path, factors), complete=False)
    assert problem.sense == "max" and "factors" in problem.origin
    assert problem.energy(p.ground_truth) == pytest.approx(-p.energy(p.ground_truth))
    with pytest.raises(gm.FileFormatError, match="gph1 must be a struct with G and H"):
        gm.load(saved(tmp_path, {**factors, "gph1": 1.0}))


def ones(n, m):
    return np.ones((n, m))


SCHEMA = {"Ct": ones(2, 2), "K": np.eye(4), "reducedK": np.eye(4), "offset": 0.0}


BROKEN = [
    ({"K": ones(4, 5)}, "K must be a square matrix, got shape (4, 5)"),
    ({"K": ones(6, 6)}, "6 rows, which is no perfect square"),
    ({"K": ones(4, 4), "Ct": ones(2, 3)}, "asks for n1*n2 = 6"),
    ({"K": ones(4, 4), "Ct": 2 * ones(2, 2)}, "Ct must hold only 0 and 1"),
    ({"K": 1j * ones(4, 4)}, "K must be real"),
    ({"K": np.full((4, 4), np.nan)}, "is NaN"),
    (
        {"K": np.array([[0, np.inf], [0, 0]])[[0, 1, 0, 1]][:, [0, 1, 0, 1]]},
        "only the diagonal may be infinite",
    ),
    ({"K": np.array([["a", "b"]])}, "numeric|square"),
    ({"K": np.full((4, 4), 2**60)}, "within 2**53"),
    ({"K": np.zeros((0, 0))}, "must not be empty"),
    ({"x": 1.0}, "no square matrix"),
    ({"M": ones(3, 3), "L12": ones(2, 2)}, "L12 must be a list of 3 assignments"),
    ({"M": ones(3, 3), "L12": np.array([[1, 1], [1, 2], [0, 1]])}, "L12 must hold integers in 1.."),
    ({"M": ones(2, 2), "L12": np.array([[1, 1], [1, 1]])}, "candidates must not repeat"),
    (
        {"M": ones(2, 2), "group1": ones(2, 2), "group2": np.eye(2)},
        "group1 must have 2 rows with a single one each",
    ),
    (
        {**SCHEMA, "reducedK": ones(3, 3)},
        "reducedK must be 4 x 4 (the number of ones in Ct), got 3 x 3",
    ),
    ({**SCHEMA, "K": ones(5, 5)}, "K must be 4 x 4"),
    ({**SCHEMA, "K": 2 * np.eye(4)}, "K and reducedK disagree, first at K(1,1)"),
    ({**SCHEMA, "offset": ones(2, 2)}, "offset must be a real number"),
    ({**SCHEMA, "offset": np.nan}, "offset must be finite"),
    (
        {**SCHEMA, "Ct": np.zeros((2, 2)), "reducedK": np.zeros((0, 0))},
        "must not be empty|at least one candidate",
    ),
    ({"reducedK": np.eye(4)}, "reducedK needs Ct"),
    ({**SCHEMA, "zero_edges": np.array([[1, 9]])}, "zero_edges must hold integers in 1..4"),
    ({**SCHEMA, "points1": ones(3, 2)}, "points1 must have shape (2, dimensions)"),
    ({**SCHEMA, "sense": "up"}, "sense must be"),
]


@pytest.mark.parametrize("variables, message", BROKEN)
def test_broken_content(tmp_path, variables, message):
    path = saved(tmp_path, variables)
    with pytest.raises(gm.FileFormatError) as caught:
        gm.load(path)
    text = str(caught.value)
    assert text.startswith(str(path)) and any(part in text for part in message.split("|"))


def test_integer_K_is_read_exactly(tmp_path):
    K = np.arange(16, dtype=np.int32).reshape(4, 4)
    assert gm.load(saved(tmp_path, {"K": K})) == gm.Problem.from_matrix(K.astype(float))


@pytest.mark.data
def test_the_converters_files_equal_the_dd_files(data):
    instances = data.parent / "oracle" / "instances"
    for path in instances.glob("*.dd"):
        stem = path.stem.removesuffix("_zerounary").removesuffix("_mixed")
        problem = gm.load(instances / f"{stem}.mat")
        reference = gm.load(path)
        assert (problem.K != reference.K).nnz == 0 and (problem.Ct != reference.Ct).nnz == 0
        assert not problem.complete and gm.load(instances / f"{stem}_bn.mat").complete


@needs_octave
def test_octave_reads_ours_and_we_read_octaves(tmp_path, random_problem):
    problem = random_problem(offset=1.0)
    gm.save(problem, tmp_path / "ours.mat")
    script = (
        "v = load('ours.mat'); assert(issparse(v.K)); assert(v.offset == 1);"
        " assert(isstruct(v.gph1));v.Ct = v.Ct > 0; K = v.K; save('-v7', 'theirs.mat', '-struct',"
        " 'v'); save('-v4', 'four.mat', 'K');"
    )
    run_plain_octave(script, tmp_path)
    assert gm.load(tmp_path / "theirs.mat") == problem


def hostile(tmp_path, content):
    path = tmp_path / "hostile.mat"
    path.write_bytes(content)
    return path


def test_truncated_and_noisy_files_are_refused(tmp_path, random_problem):
    problem = random_problem()
    gm.save(problem, tmp_path / "x.mat", version="6")
    content = (tmp_path / "x.mat").read_bytes()
    for cut in [0, 1, 3, 100, 127, 128, 140, *range(200, len(content) - 8, 997)]:
        with pytest.raises(gm.FileFormatError):
            gm.load(hostile(tmp_path, content[:cut]))


def test_an_affinity_is_written_as_it_is_maximised(tmp_path):
    """gm_save(K, f); load f; gm_solve(K) must not turn the sense around."""
    rng = np.random.default_rng(4)
    K = rng.random((12, 12))
    Ct = np.ones((3, 4))
    Ct[1, 2] = 0
    problem = gm.Problem.from_matrix(K, Ct=Ct, complete=False, offset=2.5, name="k")
    for version in ("6", "7", "7.3"):
        gm.save(problem, tmp_path / "k.mat", version=version)
        variables = read_variables(tmp_path / "k.mat")
        assert variables.keys() == {"K", "Ct", "sense", "complete", "constant"}
        assert variables["K"].max() > 0 and np.array_equal(
            variables["K"].toarray(), problem.K.toarray()
        )
        assert gm.load(tmp_path / "k.mat") == problem
    gm.save(problem, tmp_path / "costs.mat", schema="costs")
    assert "reducedK" in read_variables(tmp_path / "costs.mat")
    assert gm.load(tmp_path / "costs.mat") == problem
    with pytest.raises(gm.InputError, match="schema"):
        gm.save(problem, tmp_path / "k.mat", schema="else")


def test_a_problem_inside_a_struct_variable(tmp_path):
    variables = {"P": {"K": np.eye(4), "Ct": np.ones((2, 2))}, "other": np.eye(3)}
    scipy.io.savemat(tmp_path / "s.mat", variables)
    problem = gm.load(tmp_path / "s.mat", key="P")
    assert problem.shape == (2, 2) and problem.sense == "max"
