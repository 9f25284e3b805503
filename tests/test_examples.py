"""The examples in the docstrings of everything public give what is printed there."""

import doctest
import inspect

import pytest

import gmtoolbox as gm

PLACES = {"gm": gm, "models": gm.models, "plot": gm.plot, "reductions": gm.reductions}
FOUND = {
    f"{place}.{name}": getattr(module, name)
    for place, module in PLACES.items()
    for name in module.__all__
    if name not in gm._ALIASES  # other names of the same functions
    and (inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name)))
}
SECTIONS = ("Parameters", "Returns", "Examples")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("name", FOUND)
def test_examples(name, tmp_path, monkeypatch, own_registry):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder(recurse=True).find(FOUND[name], name, globs={}):
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", [name for name in FOUND if inspect.isfunction(FOUND[name])])
def test_public_functions_say_what_goes_in_and_what_comes_out(name):
    text = inspect.getdoc(FOUND[name])
    missing = [section for section in SECTIONS if f"{section}\n-----" not in text]
    assert missing == [], f"{name}: {missing}"
