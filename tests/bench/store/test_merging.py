"""Stores gathered in one."""

import pytest
from sample_store import fill

from gmtoolbox.bench.store.merging import merge
from gmtoolbox.bench.store.store import Command, Store
from gmtoolbox.core.errors import InputError


def test_parts_become_one(tmp_path):
    for name in ("a.db", "b.db"):
        with Store(tmp_path / name, write=True) as store:
            fill(store)
            store.add_command(Command("now", "h", name, [1.0]))
    merge([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "all.db")
    with Store(tmp_path / "all.db") as store:
        assert len(store.runs()) == 36 and len(store.instances()) == 6
        assert [command.command for command in store.commands()] == ["a.db", "b.db"]
    with pytest.raises(InputError, match="no such store"):
        merge([tmp_path / "none.db"], tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()
