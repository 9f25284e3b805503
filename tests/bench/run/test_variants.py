"""Methods as a benchmark names them."""

import pytest

from gmtoolbox.bench.run.variants import choose_methods, split_variant
from gmtoolbox.core.errors import GMError, InputError, OptionError
from gmtoolbox.engine.registry import gm_methods


def test_names_methods_and_options():
    found = choose_methods(["fw", "fm:maxiter=3", "quick=fm:maxiter=1,tol=0.5"][:2])
    assert list(found) == ["fw", "fm:maxiter=3"]
    assert found["fm:maxiter=3"].solver == "fm" and found["fm:maxiter=3"].options["maxiter"] == 3
    named = choose_methods({"quick": ("fm", {"maxiter": 1}), "fw": {"maxiter": 2}})
    assert [(name, v.solver, v.options["maxiter"]) for name, v in named.items()] == [
        ("quick", "fm", 1),
        ("fw", "fw", 2),
    ]
    assert {m.name for m in gm_methods() if not m.chooses} == set(choose_methods("all"))


@pytest.mark.parametrize(
    "text, parts",
    [
        ("fm", (None, "fm", {})),
        ("fm:a=1,b=x", ("fm:a=1,b=x", "fm", {"a": 1, "b": "x"})),
        ("quick=fm", ("quick", "fm", {})),
        ("quick=fm:a=true,b=null", ("quick", "fm", {"a": True, "b": None})),
    ],
)
def test_split(text, parts):
    assert split_variant(text) == parts


@pytest.mark.parametrize("text", ["fm:", "fm:a", "=fm", ":a=1", "quick=:a=1", "fm:=3"])
def test_what_is_no_variant(text):
    with pytest.raises(InputError):
        split_variant(text)


def test_refused():
    with pytest.raises(InputError, match="two methods are called"):
        choose_methods(["fw", "fw=fm"])
    with pytest.raises(OptionError):
        choose_methods(["fm:no_such=1"])
    with pytest.raises(GMError):
        choose_methods(["no-such:maxiter=1"])
    with pytest.raises(InputError):
        choose_methods({"x": ("fm",)})


def test_all_stands_in_a_list():
    every = set(choose_methods("all"))
    assert "auto" not in every and set(choose_methods(["all", "auto"])) == every | {"auto"}
