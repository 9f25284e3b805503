"""Options come from the signature; presets change defaults; bad ones are refused by name."""

from typing import Annotated

import numpy as np
import pytest
from bad_options import bad_values

import gmtoolbox as gm
from gmtoolbox.core.errors import OptionError
from gmtoolbox.engine.options import Choice, Range, options_of
from gmtoolbox.engine.registry import solver_of


def example(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "rounds"] = 10,
    share: Annotated[float, Range(0, 1), "of something"] = 0.5,
    start: Annotated[str, Choice(("flat", "steep"))] = "flat",
    careful: Annotated[bool, "double check"] = False,
    tol: Annotated[float, Range(0)] = None,
    init=None,
):
    """Example."""


OPTIONS = options_of(example)


def test_signature_is_the_list():
    assert [option.name for option in OPTIONS] == ["maxiter", "share", "start", "careful", "tol"]
    assert OPTIONS[0].doc == "rounds" and OPTIONS[0].default == 10


def test_values_convert_without_loss():
    checked = solver_of(example).check(
        {"maxiter": 3.0, "share": np.float32(1), "careful": 1, "tol": None}
    )
    assert checked == {"maxiter": 3, "share": 1.0, "start": "flat", "careful": True, "tol": None}
    assert isinstance(checked["maxiter"], int) and isinstance(checked["share"], float)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_generated_bad_value_is_refused(option):
    bad = bad_values(option)
    assert len(bad) >= 3
    for value in bad:
        with pytest.raises(OptionError, match=option.name):
            solver_of(example).check({option.name: value})


def test_unknown_name_gets_a_suggestion():
    with pytest.raises(OptionError, match="did you mean 'maxiter'"):
        solver_of(example).check({"max_iter": 3})
    with pytest.raises(OptionError, match="did you mean 'method'"):
        gm.gm_solve([[1.0]], solver="fm")


def test_option_without_annotation_is_a_programming_error():
    def careless(problem, budget, *, maxiter=3): ...

    with pytest.raises(TypeError, match="Annotated"):
        options_of(careless)


def test_methods_and_options_print_on_one_line():
    from gmtoolbox.engine.registry import get_solver

    rrwm = get_solver("rrwm")
    assert repr(rrwm) == f"<Solver rrwm: {rrwm.summary}>"
    assert str(rrwm.options[0]) == "c = 0.2 (float, in 0 .. 1): " + rrwm.options[0].doc and repr(
        rrwm.options[0]
    ).startswith("<Option c = ")
