"""Every documented argument of every public function changes something where it applies, and is
refused where it does not. A new function, or a new argument, needs a line in a table.
"""

import inspect
from pathlib import Path

import pytest
from argument_table import parameters
from arguments_of_compat import GRASPOLOGIC, PYGMTOOLS, PYGMTOOLS_UTILS
from arguments_of_files import FILES
from arguments_of_gm import GM
from arguments_of_models import MODELS
from arguments_of_places import DATA, PLOT, REDUCTIONS, SYNTH
from inline_server import runs_in_this_process

import gmtoolbox as gm
from gmtoolbox.compat import graspologic, pygmtools  # noqa: F401 - by name

TESTS = Path(__file__).parents[1]
TABLES = {
    "graspologic": GRASPOLOGIC,
    "pygmtools": PYGMTOOLS,
    "pygmtools.utils": PYGMTOOLS_UTILS,
    "gm": GM,
    "gm.data": DATA,
    "gm.io": FILES,
    "gm.models": MODELS,
    "gm.plot": PLOT,
    "gm.reductions": REDUCTIONS,
    "gm.synth": SYNTH,
}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Calls write where they like, and batches run in this process."""
    monkeypatch.chdir(tmp_path)
    with runs_in_this_process():
        yield


def public_functions(place):
    """{name: function} of a namespace, with the methods that have optional arguments."""
    space = eval(place)
    listed = {name: getattr(space, name) for name in space.__all__}
    methods = {
        f"{name}.{method}": function
        for name, one in listed.items()
        if inspect.isclass(one) and not issubclass(one, Warning)
        for method, function in methods_with_a_choice(one).items()
    }
    return {name: one for name, one in listed.items() if inspect.isfunction(one)} | methods


def methods_with_a_choice(kind):
    """{name: function} of the public methods of a class that have optional arguments of ours."""
    found = {}
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        function = getattr(method, "__func__", method)
        is_ours = inspect.isfunction(function) and function.__module__.startswith("gmtoolbox")
        if not name.startswith("_") and is_ours and parameters(function)[1]:
            found[name] = function
    return found


LISTED = [(place, name) for place in TABLES for name in public_functions(place)]
ALIASES = ("solve", "batch", "methods")
KNOWN = [(place, name) for place, table in TABLES.items() for name in table if name not in ALIASES]


def every(kind):
    """(place, function, argument, value, more arguments) of all cases of a kind."""
    cases = []
    for place, name in KNOWN:
        calls = TABLES[place][name]
        for argument, found in getattr(calls, kind).items():
            for value, more, *instead in found if isinstance(found, list) else [found]:
                case = (calls, argument, value, more, *((instead,) if kind == "changes" else ()))
                cases.append(pytest.param(*case, id=f"{place}.{name} {argument}"))
    return cases


def shown_in(calls):
    """The tables that show what an argument does."""
    return calls.changes, calls.effects, calls.silent, calls.elsewhere


@pytest.mark.parametrize("place, name", LISTED)
def test_every_argument_has_a_case(place, name):
    assert name in TABLES[place], f"{place}.{name} has no line in the table of arguments"
    calls = TABLES[place][name]
    function = public_functions(place)[name]
    assert (calls.public or calls.function) is function
    needed, optional = parameters(function)
    assert set(needed) <= calls.base.keys()
    for argument in optional:
        applies = any(argument in table for table in shown_in(calls))
        assert applies, f"{argument}: say in `changes` what it does"
        placed = argument in calls.refused or argument in calls.always or argument in calls.silent
        assert placed, f"{argument}: say in `refused` where it is not used, or that it `always` is"
    known = {*needed, *optional}
    for argument, path in calls.elsewhere.items():
        assert f"{argument}=" in (TESTS / path).read_text("utf-8")
    for table in (*shown_in(calls), calls.refused, calls.always):
        assert set(table) <= known, f"{set(table) - known}: no arguments of {name}"


@pytest.mark.parametrize("calls, argument, value, more, instead", every("changes"))
def test_where_it_applies_it_changes_something(calls, argument, value, more, instead):
    given = value if argument in variable_keywords(calls.function) else {argument: value}
    without = {argument: instead[0]} if instead else {}
    plain = calls.observe(**{**more, **without})
    assert plain == calls.observe(**{**more, **without}), "no function of its arguments"
    assert plain != calls.observe(**{**more, **given})


@pytest.mark.parametrize("calls, argument, value, more", every("refused"))
def test_where_it_does_not_apply_it_is_refused(calls, argument, value, more):
    given = {argument: value}
    if argument in variable_keywords(calls.function):
        given, argument = value, next(iter(value))
    calls.observe(**more)  # without it all is well
    with pytest.raises(gm.GMError) as caught:
        calls.observe(**{**more, **given})
    assert argument in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "calls, argument",
    [
        pytest.param(TABLES[place][name], argument, id=f"{place}.{name} {argument}")
        for place, name in KNOWN
        for argument in TABLES[place][name].silent
    ],
)
def test_what_never_changes_an_answer_is_looked_at(calls, argument):
    with pytest.raises((gm.GMError, TypeError)):
        calls.observe(**{argument: calls.silent[argument]})


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(
            check,
            id=f"{place}.{name} {argument}",
            marks=[pytest.mark.long] if name == "gm_batch" else [],  # processes
        )
        for place, name in KNOWN
        for argument, check in TABLES[place][name].effects.items()
    ],
)
def test_it_does_what_is_not_in_the_answer(check):
    check()


def variable_keywords(function):
    """Names of the **arguments of a function."""
    return [
        p.name for p in inspect.signature(function).parameters.values() if p.kind == p.VAR_KEYWORD
    ]
