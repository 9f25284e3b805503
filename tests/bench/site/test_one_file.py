"""A report of one file: everything inside, links that lead to its other pages."""

import re
import time
from urllib.parse import quote

import numpy as np
import pytest
from browser import AVAILABLE, chromium
from sample_store import add, fill

from gmtoolbox.bench.site import report
from gmtoolbox.bench.site.one_file import join_pages
from gmtoolbox.bench.site.pages import dataset_page, instance_page
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import InstanceRow, Store


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "report.html"
    with Store() as store:
        assert write_report(fill(store), path, [1.0, 10.0]) == path
    return path


def test_nothing_is_outside_the_file(file):
    text = file.read_text("utf-8")
    assert [path.name for path in file.parent.iterdir()] == ["report.html"]
    assert "<style>" in text and "style.css" not in text and "script.js" not in text
    assert set(re.findall(r"(?:href|src)='([^'#]+)'", text)) == {"data:,"}
    targets = set(re.findall(r"href='#page=([^']+)'", text))
    inside = set(re.findall(r"data-page='([^']+)'", text))
    assert targets == inside and "index.html" in inside and len(inside) == 1 + 2 + 6
    assert "data/" not in text


def test_many_instances_stay_outside_and_their_links_are_text(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "MOST_INSTANCES", 2)
    with Store() as store:
        text = write_report(fill(store), tmp_path / "r.html").read_text("utf-8")
    assert len(re.findall("<template ", text)) == 1 + 2
    assert "href='#page=instance-" not in text and ">points10<" in text


def test_pages_are_joined_in_order():
    page = "<!doctype html><html><head><title>{0}</title></head><body>{1}</body></html>".format
    main = "<main id='content' tabindex='-1'>{0}</main>".format
    pages = {
        "index.html": page("First", main("<a href='b.html'>b</a> <a href='c.html'>c</a>")),
        "b.html": page("Second", "<nav aria-label='x'>up</nav>" + main("two")),
    }
    text = join_pages(pages, "p {}", "let x")
    assert "<title>First</title>" in text and "<a href='#page=b.html'>b</a> c</main>" in text
    assert "data-title='Second'><nav aria-label='x'>up</nav>two</template>" in text


ODD = "a / b &?#=%41 \u00fc\u5bf8"  # a name for a dataset, for an instance and for a method


@pytest.fixture(scope="module")
def odd_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "report.html"
    with Store() as store:
        fill(store)
        P = np.random.default_rng(0).random((6, 2))
        for k in (1, 2):
            row = InstanceRow(ODD, f"{ODD}{k}", k, "", 6, 6, 36, 90, points1=P, points2=P)
            store.add_instance(row)
            for method in (f"{ODD},1", "plain"):
                add(store, ODD, k, method, 1, [(0.1, -9.0, -10.0)], np.arange(6), [])
        write_report(store, path, [1.0, 10.0])
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("browser")) as found:
        yield found


HEADING = "return document.querySelector('h1')?.textContent"
PRESSED = "return [...document.querySelectorAll('[aria-pressed=true]')].map(b => b.dataset.method)"
needs_browser = pytest.mark.skipif(not AVAILABLE, reason="wants chromium and chromedriver")


def wait_for(browser, script, expected):
    """Assert that a script has a value, after a moment: busy machines take long for a page."""
    end = time.monotonic() + 30
    while browser.run(script) != expected and time.monotonic() < end:
        time.sleep(0.02)
    assert browser.run(script) == expected


def visit(browser, file, address):
    """Open an address of a report as a new document."""
    browser.post("/url", {"url": "about:blank"})
    browser.post("/url", {"url": file.as_uri() + address})


@needs_browser
@pytest.mark.long
def test_every_link_of_every_page_opens_its_page_directly(odd_file, browser):
    browser.open(odd_file)
    titles = browser.run(
        "return Object.fromEntries([...document.querySelectorAll('template')]"
        ".map(t => [t.dataset.page, t.content.querySelector('h1').textContent]))"
    )
    assert len(titles) == 1 + 3 + 8 and {ODD, f"{ODD}1", f"{ODD}2", "points2"} <= {*titles.values()}
    for page, title in titles.items():
        for address in (f"#page={page}", f"#{page}", f"#page={quote(page, safe='')}"):
            visit(browser, odd_file, address)
            assert browser.run(HEADING) == title
        browser.run("location.reload()")
        wait_for(browser, HEADING, title)
    visit(browser, odd_file, "#page=no-such-page.html")
    assert browser.run(HEADING) == titles["index.html"] and not browser.complaints()


@needs_browser
@pytest.mark.long
def test_links_change_the_page_and_back_and_forward_follow(odd_file, browser):
    def click(page):  # with the pointer: only then is it a step of the visitor in the history
        browser.point_at(f"a[href='#page={page}']", click=True)

    visit(browser, odd_file, "")
    first = browser.run(HEADING)
    click(dataset_page(ODD))
    wait_for(browser, HEADING, ODD)
    click(instance_page(ODD, f"{ODD}2"))
    wait_for(browser, HEADING, f"{ODD}2")
    assert browser.run("return document.querySelectorAll('.tools button').length") > 2
    for step, title in (("back", ODD), ("back", first), ("forward", ODD), ("forward", f"{ODD}2")):
        browser.go(step)
        wait_for(browser, HEADING, title)
    browser.run("location.reload()")
    wait_for(browser, HEADING, f"{ODD}2")
    browser.run("document.querySelector('a.skip').click()")  # to the content of this page
    browser.run("location.hash = location.hash + '&methods=plain'")
    wait_for(browser, PRESSED, ["plain"])
    assert browser.run(HEADING) == f"{ODD}2"
    browser.run("location.hash = '#page=dataset-points.html'")  # typed over the old one
    wait_for(browser, HEADING, "points")
    browser.go("back")
    wait_for(browser, HEADING, f"{ODD}2")
    wait_for(browser, PRESSED, ["plain"])
    assert not browser.complaints()


@needs_browser
@pytest.mark.long
def test_choices_are_in_the_address_whatever_the_names(odd_file, browser):
    shown = "return [...document.querySelectorAll('figure[data-group=profile]:not([hidden])')]"
    shown += ".map(f => f.dataset.value)"
    visit(browser, odd_file, "")
    (default,) = browser.run(shown)
    browser.run(
        "const s = document.querySelector('select[data-shows=profile]'); s.value = arguments[0];"
        " s.dispatchEvent(new Event('change'))",
        ODD,
    )
    browser.run(
        "[...document.querySelectorAll('.legend button')]"
        ".find(b => b.dataset.method === arguments[0]).click()",
        f"{ODD},1",
    )
    address = browser.run("return location.hash")
    visit(browser, odd_file, address)
    assert browser.run(shown) == [ODD] and browser.run(PRESSED) == [f"{ODD},1"]
    browser.run("location.hash = '#profile=points'")
    wait_for(browser, shown, ["points"])
    wait_for(browser, PRESSED, [])
    browser.go("back")
    wait_for(browser, shown, [ODD])
    wait_for(browser, PRESSED, [f"{ODD},1"])
    browser.run("location.hash = '#profile=nothing'")
    wait_for(browser, shown, [default])
