"""The page of a dataset."""

from sample_store import fill

from gmtoolbox.bench.site.dataset_pages import dataset_text, instance_list
from gmtoolbox.bench.site.report import Site
from gmtoolbox.bench.store.store import Store


def test_tables_for_every_limit_and_all_instances():
    with Store() as store:
        site = Site(fill(store).loaded(), [1.0, 10.0])
    text = dataset_text(site, "points")
    assert "points at 1s" in text and "points at 10s" in text and "value='10' checked" in text
    assert "2 methods tie: they solve all 3 instances" in text
    rows = instance_list(site, "points").split("<tr>")[2:]
    assert [row.split(">")[2].split("<")[0] for row in rows] == ["points1", "points2", "points10"]
    assert all(">quick<" in row for row in rows)
