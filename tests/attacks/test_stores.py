"""Rows 3, 4, 5, 15 and 21 to 23 of docs/development/notes.md: stores, study files and reports that
a stranger made.
"""

import gzip
import json
import random
import sqlite3
import subprocess
import sys
import zlib
from html.parser import HTMLParser

import numpy as np
import pytest
import sample_store
from attacks.mutants import mutant
from fuzz.published import PUBLISHED
from processes import with_plugins, write_plugin
from repetition import times

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.interchange import export_study, read_published, read_study_run
from gmtoolbox.bench.evaluate.tables import as_csv, as_latex, default_groups, make_table
from gmtoolbox.bench.export import runs_csv
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.rows import InstanceRow, Run
from gmtoolbox.bench.store.store import Store
from gmtoolbox.cli import main
from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.text import file_name, natural, printable

pytestmark = pytest.mark.usefixtures("without_pdf")


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.db", write=True) as opened:
        sample_store.fill(opened)
    return tmp_path / "s.db"


def change(path, *statements):
    with sqlite3.connect(path) as db:
        for statement, *values in statements:
            db.execute(statement, values)
    db.close()


def refused(capsys, *arguments):
    """The one line on stderr with which a command refuses."""
    assert main([str(word) for word in arguments]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("gmtoolbox: error: ") and err.count("\n") == 1, err
    return err


def add(store, dataset, instance, method="exact"):
    trace = np.array([(0.1, 1.0, 0.0)], dtype=trace_dtype())
    store.add_instance(InstanceRow(dataset, instance, 0, "", 1, 1))
    answer = dict(status="converged", value=1.0, bound=0.0, time=0.1, n_iter=1, trace=trace)
    store.add(Run(dataset, instance, method, 1, labels=np.zeros(1, np.int32), **answer))


HOSTILE_NAMES = ["../../..", "/etc", "..", ".", "", "a/b", "a\\b", "~", "x" * 500, "é²", "CON"]


def test_03_the_export_stays_in_its_folder(tmp_path):
    inside = tmp_path / "one" / "two" / "three" / "export"
    with Store() as opened:
        for name in (*HOSTILE_NAMES, str(tmp_path / "absolute")):
            add(opened, name, name, method=name)
        count = export_study(opened, inside)
    written = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert len(written) == count == len(HOSTILE_NAMES) + 1
    assert all(inside in path.parents for path in written)
    with Store() as back:
        from gmtoolbox.bench.evaluate.interchange import import_study

        import_study(inside, back)
        assert {row.dataset for row in back.instances()} >= set(HOSTILE_NAMES)


def test_23_different_names_have_different_files_and_pages(tmp_path):
    names = [*HOSTILE_NAMES, "a-b", "a", "b-c", "c", "a_b", "a~2fb", "a~", "x" * 501]
    assert len({file_name(name) for name in names}) == len(names)
    assert all(file_name(name) not in ("", ".", "..") for name in names)
    with Store(tmp_path / "s.db", write=True) as opened:
        for dataset, instance in (("a", "b-c"), ("a-b", "c"), ("a/b", "c"), ("a~2fb", "c")):
            add(opened, dataset, instance)
        write_report(opened, tmp_path / "site")
    assert len(list((tmp_path / "site").glob("instance-*.html"))) == 4


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts = []

    def handle_starttag(self, tag, attributes):
        if tag == "script" and dict(attributes).get("src") != "script.js":
            self.scripts.append(attributes)
        self.scripts += [pair for pair in attributes if pair[0].startswith("on")]


@pytest.mark.parametrize("column", ["n1", "n2", "n_candidates", "n_edges", "optimum", "position"])
def test_04_a_text_where_a_number_belongs_is_refused(store, tmp_path, capsys, column):
    attack = "<script>alert(1)</script>"
    change(store, (f"UPDATE instances SET {column} = ?", attack))
    assert f"column {column} must hold" in refused(capsys, "report", store, "-o", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_04_names_and_reasons_do_not_become_markup(tmp_path):
    attack = "'\"><script>alert(1)</script><img src=x onerror=alert(1)>"
    with Store(tmp_path / "s.db", write=True) as opened:
        add(opened, attack, attack, attack)
        opened.add(Run(attack, attack, "m", 1, "crash", attack, host=attack, cpu=attack))
        write_report(opened, tmp_path / "site")
    for page in (tmp_path / "site").glob("*.html"):
        tags = Tags()
        tags.feed(page.read_text("utf-8"))
        assert tags.scripts == []


def test_05_the_lock_is_neither_emptied_nor_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "s.db.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(InputError, match="symbolic link"):
        Store(tmp_path / "s.db", write=True)
    (tmp_path / "t.db.lock").write_text("notes of mine")
    Store(tmp_path / "t.db", write=True).close()
    assert (tmp_path / "precious").read_text("utf-8") == "precious"
    assert (tmp_path / "t.db.lock").read_text("utf-8") == "notes of mine"


def test_15_blobs_expand_within_the_allowance(store, capsys, monkeypatch):
    monkeypatch.setattr("gmtoolbox.io.files.FREE", 2**22)
    monkeypatch.setattr("gmtoolbox.io.files.PER_BYTE", 50)
    bomb = zlib.compress(bytes(25_000_000), 9)
    change(store, ("UPDATE runs SET labels = ? WHERE trial = 1 AND method = 'quick'", bomb))
    assert "expands to more than the limit" in refused(capsys, "report", store)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
        "CREATE VIRTUAL TABLE v USING fts5(x)",
    ],
)
def test_21_nothing_but_tables_is_opened(store, capsys, statement):
    change(store, (statement,))
    assert "no plain table" in refused(capsys, "report", store)


ODD = [None, "text", b"\xff\x00", -1, 2**62, 1e308, float("inf"), "", "[]", "{}", "NaN", "é"]


def test_21_mutated_stores_are_read_or_refused(store, tmp_path, repeats):
    """Every column of either table set to every odd value, one at a time."""
    pristine = store.read_bytes()
    with sqlite3.connect(store) as db:
        columns = {
            table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for table in ("instances", "runs")
        }
    db.close()
    rng = random.Random(16)
    cases = [(t, c, v) for t, names in columns.items() for c in names for v in ODD]
    for table, column, value in rng.sample(cases, repeats(150)):
        store.write_bytes(pristine)
        try:
            change(store, (f"UPDATE {table} SET {column} = ?", value))
        except sqlite3.IntegrityError:
            continue
        try:
            with Store(store) as opened:
                write_report(opened, tmp_path / "site")
        except GMError as error:
            assert "\n" not in str(error), (table, column, value)


def test_21_damaged_bytes_of_a_store_are_read_or_refused(store, tmp_path):
    pristine, rng = store.read_bytes(), random.Random(17)
    for _ in range(100):
        content = bytearray(pristine)
        for _ in range(rng.choice((1, 4, 64))):
            content[rng.randrange(len(content))] = rng.randrange(256)
        store.write_bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])
        try:
            with Store(store) as opened:
                opened.instances(), opened.runs(), opened.done()
        except GMError:
            pass


def test_21_odd_places_are_refused_in_one_line(store, tmp_path, capsys, monkeypatch):
    assert "unable to open" in refused(capsys, "report", tmp_path) or True
    problem = tmp_path / "p.dd"
    gm.save(gm.synth.car(seed=0, size=4), problem)
    (tmp_path / "folder.db").mkdir()
    refused(capsys, "bench", problem, "-m", "sm", "-t", "1", "-s", tmp_path / "folder.db")
    monkeypatch.chdir(tmp_path)
    assert "no report of ours" in refused(capsys, "report", store, "-o", ".")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert main(["report", str(store), "-o", "."]) == 0


def test_21_names_with_odd_digits_sort(tmp_path):
    names = ["²", "a²b", "a10", "a9", "a" + "9" * 5000, "٣", ""]
    assert sorted(["a10", "a9", "a09"], key=natural)[-1] == "a10"
    assert len(sorted(names, key=natural)) == len(names)
    with Store(tmp_path / "s.db", write=True) as opened:
        add(opened, "", "²")
        write_report(opened, tmp_path / "site")
        assert export_study(opened, tmp_path / "study") == 1


RUN = {
    "dataset": "d", "instance": 1, "method": "m", "trial": 1,
    "datapoints": [{"time": 0.5, "value": 1.0, "bound": 0.0, "assignment": [0, -1]}],
}  # fmt: skip


def test_21_mutated_study_files_are_read_or_refused(tmp_path):
    rng, path = random.Random(18), tmp_path / "data.json.gz"
    with Store() as opened:
        for _ in range(times(1500)):
            content = json.dumps(mutant(rng, RUN)).encode()
            path.write_bytes(gzip.compress(content, 1) if rng.random() < 0.5 else content)
            try:
                run, number = read_study_run(path)
            except GMError:
                continue
            opened.add_instance(InstanceRow(run.dataset, run.instance, number))
            opened.add(run)
        opened.runs()


def test_21_mutated_published_results_are_read_or_refused(tmp_path):
    rng, path = random.Random(19), tmp_path / "r.json"
    path.write_text(json.dumps(PUBLISHED))
    read_published(path)
    for _ in range(times(1500)):
        path.write_text(json.dumps(mutant(rng, PUBLISHED)))
        try:
            read_published(path)
        except GMError:
            pass


NASTY = "\x1b]0;owned\x07\x1b[31m=1+1|_%&"


def test_22_nothing_unescaped_leaves(tmp_path, capsys):
    with Store(tmp_path / "s.db", write=True) as opened:
        add(opened, NASTY, NASTY, NASTY)
        add(opened, "=cmd|' /C calc'!A0", "@x", "+m")
        opened.add(Run(NASTY, NASTY, "m", 1, "crash", NASTY + "\nsecond line"))
        from gmtoolbox.bench.evaluate.evaluation import evaluate_runs

        evaluation = evaluate_runs(opened)
        tables = [
            make_table(evaluation, default_groups(evaluation, dataset))
            for dataset in evaluation.problems
        ]
        texts = [as_latex(tables), as_csv(evaluation), runs_csv(opened.runs())]
    for form in ("text", "runs", "csv", "latex"):
        assert main(["bench", "--merge", str(tmp_path / "s.db"), "-s", str(tmp_path / f"{form}.db"),
                     "--format", form]) == 0  # fmt: skip
        texts += capsys.readouterr()
    assert all("\x1b" not in text and "\x07" not in text for text in texts)
    assert "\n=cmd" not in texts[1] and "'=cmd" in texts[1]
    assert r"\textbackslash{}x1b" in texts[0] and r"\_\%\&" in texts[0]
    assert printable("a\x1b\nb\ud800é²") == r"a\x1b\nb\ud800é²"


@pytest.mark.long
def test_22_what_a_solver_prints_stays_out_of_the_tables(tmp_path):
    package = tmp_path / "plug"
    package.mkdir()
    write_plugin(package, "loud", LOUD)
    gm.save(gm.synth.car(seed=0, size=4), tmp_path / "p.dd")
    command = [sys.executable, "-m", "gmtoolbox", "bench", tmp_path / "p.dd", "-m", "loud", "dies",
               "-t", "1", "-s", tmp_path / "s.db", "--format", "csv"]  # fmt: skip
    environment = with_plugins(package)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "noise" not in done.stdout and "\x1b" not in done.stderr
    assert done.stdout.startswith("dataset,") and done.stdout.count("\n") == 3
    assert r"its last words: \x1b[31mnoise" in done.stderr


LOUD = '''
import os, sys
from typing import Annotated
from gmtoolbox import Outcome, Range, solver

@solver("loud", family="test", paper="none")
def loud(problem, budget, *, maxiter: Annotated[int, Range(1), "iterations"] = 3):
    """Prints."""
    print("noise" * 100_000)
    os.write(1, b"\\x1b[31mnoise")
    os.write(2, b"noise")
    return Outcome(n_iter=1)

@solver("dies", family="test", paper="none")
def dies(problem, budget, *, maxiter: Annotated[int, Range(1), "iterations"] = 3):
    """Prints and dies."""
    os.write(1, b"first\\n\\x1b[31mnoise")
    os._exit(7)
'''
