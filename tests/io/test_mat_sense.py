"""Costs or affinities: the sense of a .mat file or struct does not depend on redundant ones."""

import warnings
from itertools import combinations

import numpy as np
import pytest
import scipy.io
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.io import mat
from gmtoolbox.io.mat_files import read_variables

NAMES = ("K", "Ct", "KP", "KQ", "reducedK", "gph1", "gph2", "offset")
SUBSETS = [set(chosen) for r in range(1, 9) for chosen in combinations(NAMES, r)]
OURS = ("sense", "reported", "complete", "constant", "zero_edges")
SOURCES = ({"K"}, {"reducedK", "Ct"}, {"KP", "KQ", "gph1", "gph2"})  # each is all of a problem


def costs(shape=(3, 4), signs="any", **fields):
    """A problem of costs of both signs, or of one."""
    rng = np.random.default_rng(3)
    return random_problem(rng, *shape, density=0.8, signs=signs, offset=1.5, **fields)


FOREIGN = {
    "square": costs((4, 4)),
    "both signs": costs(),
    "negative": costs(signs="nonpositive"),
    "positive": costs(signs="positive"),
}
OF_OURS = {
    **{name: (problem, "costs") for name, problem in FOREIGN.items()},
    "maximised": (costs(sense="max", complete=True), "affinity"),
    "maximised square": (costs((4, 4), sense="max"), "affinity"),
    "maximised as costs": (costs(sense="max"), "costs"),
}


def matchings(problem, rng, count=6):
    """Random matchings of allowed pairs."""
    for _ in range(count):
        labels = np.full(problem.shape[0], -1)
        for k in rng.permutation(problem.n_candidates):
            i, s = problem.left[k], problem.right[k]
            if labels[i] < 0 and s not in labels and rng.random() < 0.7:
                labels[i] = s
        yield labels


def same_differences(made, problem):
    """Whether all matchings of a problem are worth the same in another, but for a constant."""
    rng = np.random.default_rng(0)
    values = [[p.energy(labels) for p in (made, problem)] for labels in matchings(problem, rng)]
    shift = np.subtract(*np.transpose(values))
    return np.allclose(shift, shift[0])


def variables_in_a_file(folder, problem, schema):
    """What a file of ours holds."""
    gm.save(problem, folder / "x.mat", schema=schema)
    return read_variables(folder / "x.mat")


def read_or_refuse(variables, **settings):
    """The problem, or None if it is refused in one line."""
    try:
        return mat.problem_of(variables, **settings)
    except gm.InputError as error:
        assert str(error) and "\n" not in str(error)
        return None


@pytest.mark.parametrize("name", OF_OURS)
def test_the_sense_of_our_files_survives_every_removal(tmp_path, name):
    """Of the 255 subsets of one file none turns around: costs stay costs, and their differences."""
    problem, schema = OF_OURS[name]
    whole = variables_in_a_file(tmp_path, problem, schema)
    if schema == "affinity":  # factors beside an affinity, as FGM's users have them
        for field in ("KP", "KQ"):
            whole[field] = getattr(problem, field)
        for field in ("gph1", "gph2"):
            graph = getattr(problem, field)
            whole[field] = {"G": graph.G, "H": graph.H}
    kept = {field: whole[field] for field in OURS if field in whole}
    loaded = 0
    for subset in SUBSETS:
        variables = {field: whole[field] for field in subset if field in whole} | kept
        with warnings.catch_warnings():
            warnings.simplefilter("error", gm.SenseWarning)
            warnings.simplefilter("ignore", gm.ShapeWarning)
            made = read_or_refuse(variables)
        complete = any(source <= variables.keys() for source in SOURCES)
        shaped = "Ct" in variables or "KP" in variables or problem.shape[0] == problem.shape[1]
        if made is None:
            assert not complete or not shaped or unclear(subset), subset
            continue
        loaded += 1
        assert made.sense == problem.sense and made.complete == problem.complete, subset
        assert same_differences(made, problem), subset
    assert loaded >= 70


def unclear(subset):
    """Whether K or reducedK is there without the mask that both need."""
    return "Ct" not in subset and ("K" in subset or "reducedK" in subset)


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_follow_the_schema_or_warn(tmp_path, name):
    """Without `sense`: reducedK or offset means costs, with a warning if it is the offset alone;
    otherwise affinities, with a warning where entries are negative. `sense=` decides in silence.
    """
    problem = FOREIGN[name]
    whole = {
        field: value
        for field, value in variables_in_a_file(tmp_path, problem, "costs").items()
        if field in NAMES
    }
    for subset in SUBSETS:
        variables = {field: whole[field] for field in subset}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", gm.SenseWarning)
            warnings.simplefilter("ignore", gm.ShapeWarning)
            made = read_or_refuse(variables)
            senses = [one for one in caught if one.category is gm.SenseWarning]
            told = read_or_refuse(variables, sense="min")
        assert (made is None) == (told is None)
        if made is None:
            continue
        costs = bool(subset & {"reducedK", "offset"})
        negative = problem.cost.min() < 0 or problem.edge_cost.min(initial=0) < 0
        assert made.sense == ("min" if costs else "max"), subset
        assert made.complete == (not costs), subset
        by_offset = "offset" in subset and "reducedK" not in subset
        assert len(senses) == (by_offset or (not costs and negative)), subset
        assert told.sense == "min" and same_differences(told, problem)


def test_a_key_does_not_turn_the_sense(tmp_path):
    """gm_load(F, 'key', 'K') maximised what gm_load(F) minimises."""
    problem = random_problem(np.random.default_rng(1), 3, 4, density=0.8, offset=2.0)
    gm.save(problem, tmp_path / "ours.mat")
    foreign = {
        name: value
        for name, value in variables_in_a_file(tmp_path, problem, "costs").items()
        if name in NAMES
    }
    scipy.io.savemat(tmp_path / "foreign.mat", foreign)
    for file in ("ours.mat", "foreign.mat"):
        whole = gm.load(tmp_path / file)
        assert whole.sense == "min" and not whole.complete
        for key in ("K", "reducedK"):
            assert gm.load(tmp_path / file, key=key) == whole
    scipy.io.savemat(tmp_path / "more.mat", {**foreign, "M": np.eye(12)})
    with pytest.warns(gm.SenseWarning, match="more: M is minimised, since reducedK"):
        assert gm.load(tmp_path / "more.mat", key="M").sense == "min"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gm.load(tmp_path / "more.mat", key="M", sense="min").sense == "min"


def test_a_stated_sense_cannot_be_contradicted(tmp_path):
    gm.save(random_problem(np.random.default_rng(1), 3, 3), tmp_path / "p.mat")
    gm.save(random_problem(np.random.default_rng(1), 3, 3), tmp_path / "p.dd")
    for file in ("p.mat", "p.dd"):
        assert gm.load(tmp_path / file, sense="min").sense == "min"
        with pytest.raises(gm.InputError, match="its sense is 'min', got sense='max'"):
            gm.load(tmp_path / file, sense="max")
    with pytest.raises(gm.InputError, match="reducedK holds costs"):
        mat.problem_of({"reducedK": np.eye(4), "Ct": np.ones((2, 2))}, sense="max")
    with pytest.raises(gm.InputError, match="reported must be"):
        mat.problem_of({"K": np.eye(4), "sense": "min", "reported": "up"})


def test_files_of_older_versions(tmp_path):
    """They wrote a maximised problem as costs with sense = 'max', reducedK and offset."""
    problem = random_problem(np.random.default_rng(5), 3, 3, sense="max", offset=1.0)
    variables = variables_in_a_file(tmp_path, problem, "costs")
    assert variables["sense"] == "min" and variables.pop("reported") == "max"
    variables["sense"] = "max"
    assert mat.problem_of(variables) == problem


def test_a_constant_added_to_an_affinity_does_not_turn_it():
    """P = gm_load(...); P.offset = 3 on a struct that is maximised."""
    K = np.diag([1.0, 5.0, 5.0, 1.0])
    made = mat.problem_of(
        {"K": K, "sense": "max", "complete": np.array([[1.0]]), "offset": np.array([[3.0]])}
    )
    assert made.sense == "max" and gm.gm_solve(made).value == 13.0


def test_factors_and_masks_are_never_taken_for_the_matrix():
    for name in ("KP", "KQ", "Ct", "reducedK"):
        with pytest.raises(gm.InputError):
            mat.problem_of({name: np.ones((4, 4))})


def test_shape_of_a_file(tmp_path):
    K = np.diag(np.arange(6.0))
    scipy.io.savemat(tmp_path / "k.mat", {"K": K})
    with pytest.raises(gm.InputError, match="give shape"):
        gm.load(tmp_path / "k.mat")
    assert gm.load(tmp_path / "k.mat", shape=(2, 3)).shape == (2, 3)
    assert gm.gm_solve(tmp_path / "k.mat", shape=(2, 3)).shape == (2, 3)
    gm.save(random_problem(np.random.default_rng(0), 2, 3), tmp_path / "p.mat")
    with pytest.raises(gm.InputError, match="of a problem"):
        gm.load(tmp_path / "p.mat", shape=(3, 2))
    gm.save(random_problem(np.random.default_rng(0), 2, 3), tmp_path / "p.dd")
    with pytest.raises(gm.InputError, match="shape= goes with"):
        gm.load(tmp_path / "p.dd", shape=(2, 3))
