"""A report of one file: everything inside, links that lead to its other pages."""

import re

import pytest
from browser import AVAILABLE, chromium
from sample_store import fill

from gmtoolbox.bench.site import report
from gmtoolbox.bench.site.one_file import join_pages
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import Store


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "report.html"
    with Store() as store:
        assert write_report(fill(store), path, [1.0, 10.0]) == path
    return path


def test_nothing_is_outside_the_file(file):
    text = file.read_text()
    assert [path.name for path in file.parent.iterdir()] == ["report.html"]
    assert "<style>" in text and "style.css" not in text and "script.js" not in text
    targets = set(re.findall(r"(?:href|src)='([^'#]+)'", text)) - {"data:,"}
    inside = set(re.findall(r"data-page='([^']+)'", text))
    assert targets <= inside and "index.html" in inside and len(inside) == 1 + 2 + 6
    assert "data/" not in text


def test_many_instances_stay_outside_and_their_links_are_text(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "MOST_INSTANCES", 2)
    with Store() as store:
        text = write_report(fill(store), tmp_path / "r.html").read_text()
    assert len(re.findall("<template ", text)) == 1 + 2
    assert "href='instance-" not in text and ">points10<" in text


def test_pages_are_joined_in_order():
    page = "<!doctype html><html><head><title>{0}</title></head><body>{1}</body></html>".format
    main = "<main id='content' tabindex='-1'>{0}</main>".format
    pages = {
        "index.html": page("First", main("<a href='b.html'>b</a> <a href='c.html'>c</a>")),
        "b.html": page("Second", "<nav aria-label='x'>up</nav>" + main("two")),
    }
    text = join_pages(pages, "p {}", "let x")
    assert "<title>First</title>" in text and "<a href='b.html'>b</a> c</main>" in text
    assert "data-title='Second'><nav aria-label='x'>up</nav>two</template>" in text


@pytest.mark.long
@pytest.mark.skipif(not AVAILABLE, reason="no chromium")
def test_links_change_the_page_and_the_address_names_it(file, tmp_path):
    with chromium(tmp_path) as browser:
        browser.open(file)
        browser.run("document.querySelector(\"a[href='dataset-points.html']\").click()")
        heading = "return document.querySelector('h1').textContent"
        assert browser.run(heading) == "points"
        assert "page=dataset-points.html" in browser.run("return location.hash")
        browser.run("document.querySelector(\"a[href='instance-points-points2.html']\").click()")
        assert browser.run(heading) == "points2"
        browser.run("location.reload()")
        assert browser.run(heading) == "points2"
        assert browser.run("return document.querySelectorAll('table .x, .tools button').length") > 2
        browser.run("history.back()")
        for _ in range(50):
            if browser.run(heading) == "points":
                break
        assert browser.run(heading) == "points" and not browser.complaints()
