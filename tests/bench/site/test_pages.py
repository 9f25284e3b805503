"""The page of an instance: gaps, and what is correct, wrong, not judged and unmatched."""

import re
from dataclasses import replace

import pytest
from inline_server import runs_in_this_process
from sample_store import fill

import gmtoolbox as gm
from gmtoolbox.bench.site.pages import (
    HEADINGS,
    count_verdicts,
    dataset_text,
    find_optimum,
    find_winners,
    instance_list,
    instance_text,
    many_headings,
    name_some,
)
from gmtoolbox.bench.site.report import Site, write_report
from gmtoolbox.bench.store.store import Store


def test_page_and_judgement():
    with Store() as store:
        site = Site(fill(store).loaded(), [10.0])
    row = next(row for row in site.rows if row.instance == "points1")
    runs = site.best_runs["points", "points1"]
    wrong = {"correct": 1, "wrong": 2, "unjudged": 1, "unmatched": 4}
    assert count_verdicts(runs["poor"].labels.tolist(), row) == wrong
    text = instance_text(site, row)
    assert "the best: exact" in text  # -100 is better than -99.95
    assert "<td data-key='0.4'>40 %</td>" in text  # poor: -60 of -100
    assert "killed by SIGSEGV" not in text
    assert find_optimum(site, row, runs) == (row.optimum, "")
    unknown = replace(row, optimum=None)
    assert find_optimum(site, unknown, runs) == (None, "")
    runs["exact"] = replace(runs["exact"], status="optimal")
    assert find_optimum(site, unknown, runs) == (None, "")  # a claim that was refuted
    site.proven["points", "points1"] = {"exact"}
    assert find_optimum(site, unknown, runs) == (runs["exact"].value, ", proven by exact")
    assert "optimum -100, proven by exact" in instance_text(site, unknown)
    other = next(row for row in site.rows if row.instance == "points2")
    assert "killed by SIGSEGV" in instance_text(site, other)


def test_no_winner_among_equal_values():
    with Store() as store:
        site = Site(fill(store).loaded(), [10.0])
    row = replace(next(row for row in site.rows if row.instance == "points1"), optimum=None)
    runs = site.best_runs["points", "points1"]
    first, names = runs["exact"], ["exact", "poor", "quick"]
    site.best_runs["points", "points1"] = runs = {
        name: replace(first, value=-100.0 - 1e-13 * k, time=1.0 / (k + 1), status="optimal")
        for k, name in enumerate(names)
    }
    site.proven["points", "points1"] = set(names)
    assert find_winners(row, runs) == names
    text = instance_text(site, row)
    assert text.count("<figure data-group='matching'") == 1  # all found the same one
    assert text.count("<option value='exact'") == 3 and "exact, poor, quick:" in text
    assert "the best: exact, poor and quick" in text and "proven by exact, poor and quick" in text
    assert not re.search(r">[^<]*\de-1\d[^<]*<", text)  # gaps of rounding are 0
    runs["poor"] = replace(first, value=-90.0)
    assert "the best: exact and quick" in instance_text(site, row)
    assert find_winners(replace(row, sense="max"), runs) == ["poor"]
    assert name_some("abcd") == "4 methods" and name_some("a") == "a"


def test_tables_for_every_limit_and_all_instances():
    with Store() as store:
        site = Site(fill(store).loaded(), [1.0, 10.0])
    text = dataset_text(site, "points")
    assert "points at 1 s" in text and "points at 10 s" in text and "value='10' checked" in text
    assert "2 methods tie: they solve all 3 instances" in text
    rows = instance_list(site, "points").split("<tr>")[2:]
    assert [row.split(">")[2].split("<")[0] for row in rows] == ["points1", "points2", "points10"]
    assert all(">quick<" in row for row in rows)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    problems = {"scene": gm.synth.worms_multi(d=4, m=10, seed=1)}
    methods = {"mgm": {"maxiter": 40}, "sync": {"maxiter": 20}}
    with runs_in_this_process():
        gm.gm_batch(problems, methods, time_limit=20.0, store=folder / "bench.db")
    with Store(folder / "bench.db") as store:
        write_report(store, folder / "site")
    return folder / "site"


def test_headings_have_f1_and_consistency_for_accuracy():
    found = many_headings(HEADINGS)
    assert len(found) == len(HEADINGS) + 1 and "accuracy" not in found
    assert found[-3:] == ("F1", "cycle consistency", "status")


def test_the_page_shows_value_bound_f1_consistency_and_tracks(report):
    page = next(report.glob("instance-*scene*.html")).read_text("utf-8")
    assert "4 graphs of" in page and "<h2>Tracks</h2>" in page
    assert page.count("class='track correct'") > 4
    assert re.search(r"<td[^>]*>100 %</td>", page)  # consistent
    for heading in ("F1", "cycle consistency", "bound"):
        assert heading in page
    assert "Value and bound over time" in page


def test_both_methods_can_be_chosen_and_the_best_is_shown(report):
    page = next(report.glob("instance-*scene*.html")).read_text("utf-8")
    figures = re.findall(r"<figure data-group='tracks' data-value='(\w+)'( hidden)?", page)
    assert sorted(name for name, _ in figures) == ["mgm", "sync"]
    assert sum(hidden == "" for _, hidden in figures) == 1
