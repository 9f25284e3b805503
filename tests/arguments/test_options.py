"""Every option of every method changes an answer somewhere: generated from the annotations, with a
table for those that need another problem or another value.
"""

import numpy as np
import pytest
from argument_table import observed
from small import random_problem

import gmtoolbox as gm

RNG = np.random.default_rng(4)
COMPLETE = random_problem(RNG, 6, 6, complete=True)
PARTIAL = random_problem(RNG, 5, 7, density=0.8)
PRODUCTS = gm.models.from_koopmans_beckmann(*np.round(9 * RNG.random((2, 7, 7))))
POINTS = gm.synth.hotel(seed=1, size=7)
PROBES = (COMPLETE, PARTIAL, PRODUCTS, POINTS)
COMPARED = ("labels", "value", "bound", "n_iter", "status", "scores")
# options that never change an answer, with a value that is refused
SILENT = {"n_jobs": 0, "aj memory": -1, "aj checkpoint": 5, "aj cluster": 5}
# (method, option) -> (problem, values, other options), if the generated ones show nothing
ROOT = {"branch": False, "sdp": "off"}
NETWORKS = gm.models.from_graphs(*(np.triu(RNG.random((2, 60, 60)) < 0.2, 1).astype(float)))
HOTEL = gm.synth.hotel(seed=0, size=12)


def drawn(n, **kind):
    """A random problem of one size, always the same."""
    return random_problem(np.random.default_rng(n), n, n, **kind)


FEW = drawn(5, edges=0.2, complete=True)
SOME = drawn(5, edges=0.5, complete=True)
SMALL = drawn(4, edges=1.0, complete=True)
DDLS = ("dd-ls0", "dd-ls3", "dd-ls4")
SHRINKING = {"maxiter": 300, "patience": 2}
SPECIAL = {
    ("aj", "lift"): (drawn(5, edges=0.2, signs="nonpositive", complete=True), [0], ROOT),
    ("auto", "memory"): (NETWORKS, [0.0], {"maxiter": 1}),
    ("dd-ls0", "local"): (FEW, [3], {"maxiter": 20}),
    **{(method, "tol"): (FEW, [1.0], SHRINKING) for method in DDLS},
    **{(method, "step"): (SOME, [0.3], {"maxiter": 20}) for method in DDLS},
    **{(method, "patience"): (SOME, [1], {"maxiter": 200}) for method in DDLS},
    ("ilp", "relax"): (SMALL, [True], {}),
    ("ilp", "maxiter"): (SMALL, [1], {"relax": True}),
    ("ga", "tolB"): (SMALL, [0.5], {"bMax": 5.0}),
    ("ga", "bStep"): (SMALL, [2.0], {"bMax": 5.0}),
    ("pm", "precision"): (SMALL, [0.5], {}),
    ("fm", "improve"): (drawn(16, edges=0.3), [0], {"maxiter": 200}),
    ("fm-bca", "improve"): (drawn(7, edges=0.5), [50], {"maxiter": 50}),
    ("mp", "frank_wolfe"): (SOME, [True], {"maxiter": 3}),
    ("mp-fw", "frank_wolfe"): (SOME, [False], {"maxiter": 3}),
    ("mp-mcf", "frank_wolfe"): (SOME, [True], {"maxiter": 3}),
    ("smac", "maxiter"): (HOTEL, [1], {}),
    ("smac", "tol"): (HOTEL, [0.0], {}),
}


def options():
    return [(method.name, option) for method in gm.gm_methods() for option in method.options]


def values_of(option):
    """Values besides the default, most unlike it first."""
    default, rule = option.default, option.rule
    if option.type is bool:
        return [not default]
    if option.type is str:
        return [name for name in rule.names if name != default]
    low = 0 if rule is None or rule.low is None else rule.low
    high = np.inf if rule is None or rule.high is None else rule.high
    start = 1 if default is None else default
    tried = [low, min(high, 10 * start + 1), max(low, start / 10), min(high, 2 * start), 1]
    found = [option.type(value) for value in tried if low <= value <= high and np.isfinite(value)]
    return [value for value in found if value != default]


def answer(problem, method, **given):
    result = gm.gm_solve(problem, method, **given)
    kept = {name: observed(getattr(result, name)) for name in COMPARED}
    told = {name: part for name, part in result.extra.items() if name not in ("seconds", "ran")}
    return kept, sorted(told)


@pytest.mark.parametrize(
    "method, option", options(), ids=[f"{name} {option.name}" for name, option in options()]
)
def test_an_option_changes_an_answer_or_is_looked_at(method, option):
    refused = SILENT.get(option.name, SILENT.get(f"{method} {option.name}"))
    if refused is not None:
        with pytest.raises(gm.OptionError, match=option.name):
            gm.gm_solve(COMPLETE, method, **{option.name: refused})
        return
    special = SPECIAL.get((method, option.name))
    cases = (
        [(problem, values_of(option), {}) for problem in PROBES] if special is None else [special]
    )
    for problem, values, more in cases:
        plain = answer(problem, method, **more)
        assert plain == answer(problem, method, **more), "no function of problem and options"
        for value in values:
            if answer(problem, method, **more, **{option.name: value}) != plain:
                return
    pytest.fail(f"{option.name} of {method} changes nothing")


@pytest.mark.parametrize("run", ["aj", "fm-bca", "faq"])
@pytest.mark.parametrize("option", ["cells", "cutoff", "memory", "n_jobs", "maxiter"])
def test_auto_refuses_what_the_chosen_method_does_not_take(run, option):
    value = {"cells": 5, "cutoff": 0.0, "memory": 1.0, "n_jobs": 2, "maxiter": 1}[option]
    taken = {"maxiter"} | ({"cutoff", "n_jobs"} if run == "aj" else set())
    if option in taken:
        gm.gm_solve(COMPLETE, run=run, **{option: value})
        return
    with pytest.raises(gm.InputError, match=option):
        gm.gm_solve(COMPLETE, run=run, **{option: value})


def test_auto_hands_its_limit_on():
    assert gm.gm_solve(PRODUCTS, run="faq", maxiter=1) != gm.gm_solve(PRODUCTS, run="faq")


def test_the_table_names_options_that_exist():
    known = {(name, option.name) for name, option in options()}
    assert SPECIAL.keys() <= known
