"""What every registered format must do; test_format_contract.py walks the list with it.

A check is a function of a Format and a folder that raises AssertionError.
"""

import os
import signal
import sys
import warnings
from pathlib import Path

from format_cases import cases, differences
from graph_cases import (
    UNLABELLED_EDGES,
    UNLABELLED_NODES,
    WRITERS,
    content_of,
    good_files,
    prepare,
    random_graph,
)

import gmtoolbox as gm
from gmtoolbox.core.errors import GMError
from gmtoolbox.io import formats
from gmtoolbox.io.formats import FIELDS, FOLDER, GRAPH, RESULT
from gmtoolbox.io.kept import carried_fields

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))
import random  # noqa: E402

from mutants import mutant  # noqa: E402

OPTIONS = {  # further ways to write a format
    ("problem", ".mat"): ({"version": "6"}, {"version": "7.3"}, {"schema": "costs"}),
    ("problem of many graphs", FOLDER): ({"suffix": ".h5"}, {"suffix": ".mat"}),
}


def file_of(form, folder, k):
    """A new name for a file of the format."""
    return folder / (f"x{k}" if form.suffix == FOLDER else f"x{k}{form.suffix}")


def read(form, path):
    readers = {RESULT: gm.load_result, GRAPH: gm.load_graphs}
    return readers.get(form.holds, gm.load)(path)


def keep_one(form, thing, path, **options):
    """Save and load one thing; (what came back, None if it was refused, fields that the LossWarning
    named).
    """
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            gm.save(thing, path, **options)
        except gm.InputError as error:
            assert "\n" not in str(error) and str(path) in str(error)
            assert not path.exists(), f"{form.suffix}: refused, but a file is there"
            return None, ()
        losses = [str(w.message) for w in seen if issubclass(w.category, gm.LossWarning)]
    return read(form, path), set(" ".join(losses).split())


def check_kept(form, folder, count=40, seed=0):
    """What the format says to keep comes back, and what it does not keep is reported; the number of
    things that were kept.
    """
    kept = 0
    for options in ({}, *OPTIONS.get((form.holds, form.suffix), ())):
        for k, thing in enumerate(cases(form.holds, seed, count)):
            path = file_of(form, folder, f"{k}{''.join(options.values())}")
            back, reported = keep_one(form, thing, path, **options)
            if back is None:
                continue
            kept += 1
            lost = differences(thing, back)
            wrong = [name for name in lost if form.keeps_field(name)]
            assert not wrong, f"{form.suffix} says to keep {wrong}, but they came back changed"
            silent = [name for name in lost if name not in reported]
            assert not silent, f"{form.suffix} loses {silent} without a LossWarning"
            told = [name for name in carried_fields(thing) if not form.keeps_field(name)]
            found = [name for name in told if name not in lost]
            assert not found, f"{form.suffix} keeps {found}, which is not declared in keeps"
    assert kept, f"{form.suffix} refuses every {form.holds} that is tried"
    return kept


def check_declared(form):
    """keeps names fields of the kind, and the functions have a docstring."""
    if form.keeps != formats.EVERYTHING and form.holds in FIELDS:
        assert set(form.keeps) <= set(FIELDS[form.holds])
    for function in (form.reader, form.writer):
        assert function is None or (function.__doc__ or "").strip()


def check_graphs(form, folder, count=40, seed=0):
    """Graphs that are written in a dialect of the format come back, with the labels it has."""
    rng, path = random.Random(seed), file_of(form, folder, "graph")
    for _ in range(count):
        n, edges, labels = graph = random_graph(rng)
        path.write_bytes(WRITERS[form.suffix](graph, rng))
        [found] = read(form, path)
        known = {frozenset(pair): label for pair, label in edges.items()}
        if form.suffix in UNLABELLED_EDGES:
            known = dict.fromkeys(known, "None")
        if form.suffix in UNLABELLED_NODES:
            labels = [None] * n
        assert content_of(found) == (n, known, labels)


def check_hostile(form, folder, count=120, seed=0):
    """Files that are cut off or changed are read or refused in one line, in bounded memory."""
    good = good_contents(form, folder, seed)
    assert good
    said = in_child(lambda: read_mutants(form, folder, good, count, seed))
    assert said == "", f"{form.suffix}: {said}"


def good_contents(form, folder, seed):
    """Files that can be read: from the format's own writer, or written by the tests."""
    if form.holds == GRAPH:
        prepare(folder)
        return good_files(form.suffix, random.Random(seed))
    good = []
    for k, thing in enumerate(cases(form.holds, seed, 12)):
        path = file_of(form, folder, k)
        if keep_one(form, thing, path)[0] is not None:
            good.append(path.read_bytes())
    return good


def read_mutants(form, folder, good, count, seed):
    """What was wrong with the first mutant that was neither read nor refused, or ''."""
    rng, path = random.Random(seed), file_of(form, folder, "mutant")
    warnings.simplefilter("ignore")
    for k in range(count):
        content = rng.choice(good)
        changed = content[: rng.randrange(len(content))] if k % 3 == 0 else mutant(rng, good)
        path.write_bytes(changed)
        try:
            read(form, path)
        except (GMError, OSError) as error:
            if "\n" in str(error):
                return f"mutant {k}: several lines: {error}"
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            return f"mutant {k}: {type(error).__name__}: {error}"
    return ""


MEMORY = 3 * 2**30  # bytes beyond those that a child begins with: three times what a file may take
SECONDS = 60  # of CPU


def in_child(work, limits=()):
    """The text that work() returns in a child process, or how it ended; limits: (resource, n)."""
    import resource  # POSIX only, as is fork

    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # Python 3.12 warns of threads, which the child leaves alone
        pid = os.fork()
    if pid == 0:
        text = "it raised"
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            if Path("/proc/self/statm").exists():
                pages = int(Path("/proc/self/statm").read_text("utf-8").split()[0])
                size = pages * resource.getpagesize()
                resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY,) * 2)
            for name, n in limits:
                resource.setrlimit(name, (n, n))
            text = work()
        except BaseException as error:  # noqa: BLE001 - the parent shows it
            text = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, text.encode("utf-8", "replace")[:4000])
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read().decode("utf-8", "replace")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return said if status == 0 else f"the process ended with {status}"


def check_no_room(form, things, folder, limits=()):
    """On a full disk saving is one line that names the file; the old one stays, nothing else."""
    for k, thing in enumerate(things):
        path = file_of(form, folder, k)
        is_folder = form.suffix == FOLDER
        if not is_folder:
            path.write_bytes(b"old")
        said = in_child(lambda thing=thing, path=path: save_without_room(form, thing, path), limits)
        assert said == "", f"{form.suffix}: {said}"
        left = sorted(p.name for p in folder.iterdir())
        assert left == ([] if is_folder else [path.name]), f"{form.suffix}: it left {left}"
        if not is_folder:
            assert path.read_bytes() == b"old", f"{form.suffix}: the old file is gone"
            path.unlink()


def save_without_room(form, thing, path):
    """What is wrong with the error, or ''."""
    warnings.simplefilter("ignore")
    try:
        formats.save_file(thing, path, holds=form.holds)
    except OSError as error:
        text = str(error)
        return "" if str(path) in text and "\n" not in text else f"the error is {text!r}"
    return "it was saved: the disk is not full"
