"""Several stores, or folders of the study's files, as one store."""

from pathlib import Path

from gmtoolbox.bench.evaluate.interchange import import_study
from gmtoolbox.bench.run.plan import entries_of
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError


def merge(parts, target, datasets=()):
    """Gather stores, or folders of the study's files, in one store; a run that is in several comes
    from the last of them.
    """
    for part in parts:  # before the target is created
        if not Path(part).exists():
            raise InputError(f"{part}: no such store")
    with Store(target, write=True) as store:
        for entry in entries_of(list(datasets)):
            store.add_instance(entry.row)
        for part in parts:
            if Path(part).is_dir():
                import_study(part, store)
                continue
            with Store(part) as source:
                store.copy(source)
