"""The page of an instance: gaps, and what is correct, wrong, not judged and unmatched."""

from sample_store import fill

from gmtoolbox.bench.site.instance_pages import instance_text, judged
from gmtoolbox.bench.site.report import Site
from gmtoolbox.bench.store.store import Store


def test_page_and_judgement():
    with Store() as store:
        site = Site(fill(store).loaded(), [10.0])
    row = next(row for row in site.rows if row.instance == "points1")
    runs = site.best_runs["points", "points1"]
    wrong = {"correct": 1, "wrong": 2, "unjudged": 1, "unmatched": 4}
    assert judged(runs["poor"].labels.tolist(), row) == wrong
    text = instance_text(site, row)
    assert "the best: exact" in text  # -100 is better than -99.95
    assert "<td data-key='0.4'>40 %</td>" in text  # poor: -60 of -100
    assert "killed by SIGSEGV" not in text
    other = next(row for row in site.rows if row.instance == "points2")
    assert "killed by SIGSEGV" in instance_text(site, other)
