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
    if inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name))
}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", FOUND)
def test_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder(recurse=True).find(FOUND[name], name, globs={}):
        runner.run(test)
    assert runner.failures == 0
