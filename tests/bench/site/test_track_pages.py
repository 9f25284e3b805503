"""The report's page of many graphs."""

import re

import pytest

import gmtoolbox as gm
from gmtoolbox.bench.site.instance_pages import HEADINGS
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.site.track_pages import many_headings
from gmtoolbox.bench.store.store import Store


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    problems = {"scene": gm.synth.worms_multi(d=4, m=10, seed=1)}
    methods = {"mgm": {"maxiter": 40}, "sync": {"maxiter": 20}}
    gm.gm_batch(problems, methods, time_limit=20.0, store=folder / "bench.db")
    with Store(folder / "bench.db") as store:
        write_report(store, folder / "site")
    return folder / "site"


def test_headings_have_f1_and_consistency_for_accuracy():
    found = many_headings(HEADINGS)
    assert len(found) == len(HEADINGS) + 1 and "accuracy" not in found
    assert found[-3:] == ("F1", "cycle consistency", "status")


def test_the_page_shows_value_bound_f1_consistency_and_tracks(report):
    page = next(report.glob("instance-*scene*.html")).read_text()
    assert "4 graphs of" in page and "<h2>Tracks</h2>" in page
    assert page.count("class='track correct'") > 4
    assert re.search(r"<td[^>]*>100%</td>", page)  # consistent
    for heading in ("F1", "cycle consistency", "bound"):
        assert heading in page
    assert "Value and bound over time" in page


def test_both_methods_can_be_chosen_and_the_best_is_shown(report):
    page = next(report.glob("instance-*scene*.html")).read_text()
    figures = re.findall(r"<figure data-group='tracks' data-value='(\w+)'( hidden)?", page)
    assert sorted(name for name, _ in figures) == ["mgm", "sync"]
    assert sum(hidden == "" for _, hidden in figures) == 1
