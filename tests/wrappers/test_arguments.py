"""MATLAB's values at the border: whole doubles are integers, names are found, kinds are said."""

import re

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError, OptionError
from gmtoolbox.wrappers import matlab_folder
from gmtoolbox.wrappers.arguments import (
    as_flag,
    as_integer,
    as_labels,
    as_number,
    as_text,
    as_vector,
    driver_arguments,
    plain,
    settings_of,
    spell_options,
    suggestion,
)
from gmtoolbox.wrappers.calls import VERBS

ODD = [{}, [1.0], "x", 1j, np.ones((2, 2)), sparse.csc_array((2, 2)), np.array([[{}]])]


def test_init_is_zero_based_inside():
    given = {"init": np.array([2.0, 0.0, 1.0])}
    assert driver_arguments(given, "fw")["init"].tolist() == [1, -1, 0]
    with pytest.raises(InputError, match="whole numbers"):
        driver_arguments({"init": np.array([0.5])}, "fw")


def test_a_matrix_stands_for_its_labels():
    assert as_labels("init", np.array([[0, 1, 0], [0, 0, 0]])).tolist() == [1, -1]
    assert as_labels("init", sparse.csc_array(np.eye(2))).tolist() == [0, 1]
    with pytest.raises(InputError, match="at most a single 1"):
        as_labels("init", np.ones((2, 2)))


def test_numbers_of_matlab_are_doubles():
    assert as_integer("seed", 3.0) == 3 and as_flag("resume", 1.0) is True
    assert as_vector("time_limit", 2.0) == [2.0]
    for value in (3.5, np.nan, np.inf, 1e300, *ODD):
        with pytest.raises(InputError, match="seed must be a whole number"):
            as_integer("seed", value)


@pytest.mark.parametrize("check", [as_flag, as_integer, as_number, as_text])
@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_odd_values_are_named(check, value):
    if check is as_text and isinstance(value, str):
        return
    with pytest.raises(InputError, match="it must be .*, got "):
        check("it", value)


def test_every_whole_option_takes_a_double(tmp_path):
    """'maxiter', 3 and 'k', 3 arrive as 3.0."""
    for method in gm.gm_methods():
        for option in method.options:
            if option.type is int:
                given = spell_options(method.name, {option.name.upper(): 3.0})
                assert method.check(given) is not None


@pytest.mark.parametrize(
    "name, meant",
    [
        ("TimeLimit", "time_limit"), ("time-limit", "time_limit"), ("sence", "sense"),
        ("mask", "Ct"), ("ct_", "Ct"), ("maxIterations", "maxiter"), ("maxitre", "maxiter"),
        ("outputfnc", "OutputFcn"), ("display_", "Display"), ("x0", "init"),
    ],
)  # fmt: skip
def test_what_is_meant_is_named(name, meant):
    with pytest.raises(OptionError, match=f"did you mean '{meant}'"):
        spell_options("rrwm", {name: 1.0})


def test_unknown_settings_are_refused():
    with pytest.raises(OptionError, match="there is no argument 'sed' .did you mean 'seed'"):
        settings_of({"sed": 1.0}, {"seed": as_integer})
    assert settings_of({"seed": 1.0}, {"seed": as_integer}) == {"seed": 1}
    assert suggestion("banana", ("seed",)) == ""


def test_scalars_are_plain():
    assert plain({"a": np.array([[2.0]]), "b": {"c": np.array(["x"], dtype=object)}}) == {
        "a": 2.0, "b": {"c": ["x"]},
    }  # fmt: skip


def test_the_m_files_ask_for_what_there_is():
    text = "".join(path.read_text("utf-8") for path in matlab_folder().rglob("*.m"))
    assert set(re.findall(r"gm_call\('(\w+)'", text)) == set(VERBS)
