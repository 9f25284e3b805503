"""Modules that fill a registry: a package's own, and entry points that may be broken."""

import sys
from importlib import metadata

import pytest

from gmtoolbox.core.plugins import import_modules, load_plugins


def test_public_modules_of_a_package_are_imported(tmp_path, monkeypatch):
    package = tmp_path / "filled_registry"
    package.mkdir()
    for name in ("__init__", "one", "two", "_helper"):
        (package / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    import_modules("filled_registry")
    found = {name for name in sys.modules if name.startswith("filled_registry.")}
    assert found == {"filled_registry.one", "filled_registry.two"}


class Entry:
    value = "module"

    def __init__(self, name, load):
        self.name, self.load = name, load


@pytest.mark.parametrize("error", [ImportError("no module"), SystemExit(3), KeyError("x")])
def test_half_a_plug_in_is_none(monkeypatch, error):
    registered = {"ours": 1}

    def fail():
        registered["half"] = 2
        registered["ours"] = "replaced"
        raise error

    entries = [Entry("broken", fail), Entry("sound", lambda: registered.update(sound=3))]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == "x" else [])
    with pytest.warns(UserWarning, match="plug-in 'broken' .* left out"):
        load_plugins("x", registered)
    assert registered == {"ours": 1, "sound": 3}
