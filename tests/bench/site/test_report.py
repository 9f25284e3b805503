"""The report: whole or not at all, complete without a network."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sample_store import fill

from gmtoolbox.bench.site import report
from gmtoolbox.bench.site.report import MARK, write_report
from gmtoolbox.bench.store import store as store_module
from gmtoolbox.bench.store.store import Store
from gmtoolbox.core.errors import InputError

pytestmark = pytest.mark.usefixtures("without_pdf")


class Links(HTMLParser):
    VOID = {"meta", "link", "input", "br"}

    def __init__(self):
        super().__init__()
        self.targets, self.open = [], []

    def handle_starttag(self, tag, attributes):
        self.targets += [value for name, value in attributes if name in ("href", "src")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.targets += [value for name, value in attributes if name in ("href", "src")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_pages_are_balanced_and_every_link_leads_somewhere(site):
    pages = sorted(site.glob("*.html"))
    assert len(pages) == 1 + 2 + 6
    for page in pages:
        parser = Links()
        parser.feed(page.read_text("utf-8"))
        assert parser.open == []
        for target in parser.targets:
            if target.startswith("#"):
                assert f"id='{target[1:]}'" in page.read_text("utf-8")
                continue
            assert target.startswith("data:") or (site / target).is_file(), (page.name, target)
        # nothing comes from a network
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page.read_text("utf-8"))


def test_runs_are_decoded_and_profiles_computed_once(monkeypatch, tmp_path):
    calls = Counter()

    def counted(module, name):
        function = getattr(module, name)

        def call(*given, **options):
            calls[name] += 1
            return function(*given, **options)

        monkeypatch.setattr(module, name, call)

    counted(store_module, "unpack_run")
    counted(report, "performance_profile")
    with Store() as store:
        fill(store)
        runs, datasets = len(store.runs()), len({row.dataset for row in store.instances()})
        calls.clear()
        write_report(store, tmp_path / "site")
    assert calls == {"unpack_run": runs, "performance_profile": datasets + 1}  # one of them all


def test_names_are_escaped(site):
    for page in site.glob("*.html"):
        assert "<b>&'" not in page.read_text("utf-8") and "a <b>" not in page.read_text("utf-8")


def test_data_to_download(site):
    names = {path.name for path in (site / "data").iterdir()}
    assert {"runs.csv", "gaps.csv", "tables.csv", "tables.tex", "store.db", "cactus.svg"} <= names
    assert {"profile-all.svg", "table-points.tex"} <= names
    with Store(site / "data" / "store.db") as copy:
        assert len(copy.runs()) == 36


def test_a_report_is_replaced_but_nothing_else_is(site, tmp_path):
    with Store() as store:
        fill(store)
        write_report(store, tmp_path / "a")
        (tmp_path / "a" / "stale.html").write_text("")
        write_report(store, tmp_path / "a")
        assert not (tmp_path / "a" / "stale.html").exists() and (tmp_path / "a" / MARK).exists()
        precious = tmp_path / "home"
        precious.mkdir()
        (precious / "thesis.tex").write_text("years of work")
        with pytest.raises(InputError, match="no report of ours"):
            write_report(store, precious)
    with Store() as empty, pytest.raises(InputError, match="no runs"):
        write_report(empty, tmp_path / "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "home"]


def test_overview_stays_small(site):
    assert (site / "index.html").stat().st_size < 400_000 and Path(
        site / "script.js"
    ).stat().st_size < 20_000


def test_figures_are_files_and_instances_have_neighbours(site):
    data = {path.name for path in (site / "data").iterdir()}
    assert {"cactus.svg", "profile-all.svg", "profile-points.svg"} <= data
    if {"cactus.pdf"} & data:
        content = (site / "data" / "cactus.pdf").read_bytes()
        assert content.startswith(b"%PDF") and b"/Type3" not in content
    page = (site / "instance-points-points2.html").read_text("utf-8")
    assert "href='instance-points-points1.html'>previous: points1<" in page
    assert "href='instance-points-points10.html'>next: points10<" in page
    assert "previous" not in (site / "instance-points-points1.html").read_text("utf-8")


def test_one_order_of_methods_on_the_first_page(site):
    text = (site / "index.html").read_text("utf-8")
    assert "Dolan and Moré" in text and "Shifted geometric mean" in text
    legend = text.split("<ul class='legend'")[1].split("</ul>")[0]
    order = re.findall("data-method='(.*?)'", legend)
    heat = text.split("class='heat'")[1].split("</table>")[0]
    assert re.findall("data-method='(.*?)'", heat) == order
    means = text.split("Shifted geometric means and ranks</caption>")[1].split("</table>")[0]
    assert re.findall("scope='row' data-key='(.*?)'", means) == order
