"""The report in a browser: what can be clicked, reached by the keyboard, read aloud, printed."""

import base64
import re
from types import SimpleNamespace

import numpy as np
import pytest
from browser import AVAILABLE, chromium
from sample_store import add, fill

from gmtoolbox import plot
from gmtoolbox.bench.evaluate.comparison import compare
from gmtoolbox.bench.site.pages import chart
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import Command, InstanceRow, Store

pytestmark = [pytest.mark.usefixtures("without_pdf"), pytest.mark.long]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not AVAILABLE:
        pytest.skip("wants chromium and chromedriver")
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def page(site, part):
    return next(path for path in sorted(site.glob("*.html")) if part in path.name)


def visible(browser, selector):
    script = (
        "return [...document.querySelectorAll(arguments[0])].filter(e =>"
        " e.getClientRects().length).map(e => e.dataset.value)"
    )
    return browser.run(script, selector)


def test_profile_highlights_what_is_pointed_at_and_keeps_what_is_clicked(browser, site):
    browser.resize(1200, 1000)
    browser.open(site / "index.html")
    on = (
        "return [...new Set([...document.querySelectorAll('.chart .curve.on')].map(e =>"
        " e.dataset.method))]"
    )
    assert browser.run(on) == []
    browser.point_at(".legend button[data-method=quick]", click=True)
    assert browser.run(on) == ["quick"]
    assert (
        browser.run(
            "return document.querySelector('.legend"
            " button[data-method=quick]').getAttribute('aria-pressed')"
        )
        == "true"
    )
    said = browser.run("return document.querySelector('.readout').textContent")
    assert said.startswith("quick: fastest on ") and "of 6" in said
    faded = (
        "return getComputedStyle(document.querySelector('.chart .curve[data-method=poor]"
        " .line')).opacity"
    )
    assert float(browser.run(faded)) < 0.3
    browser.press("escape")
    browser.point_at("h1")
    assert browser.run(on) == []
    browser.point_at(".chart:not([hidden]) .name[data-method=exact]")  # passing over is enough
    assert browser.run(on) == ["exact"]
    browser.point_at("h1")
    assert browser.run(on) == [] and browser.complaints() == []


def test_dataset_can_be_chosen_and_published_curves_hidden(browser, site):
    browser.open(site / "index.html")
    assert visible(browser, "figure[data-group=profile]") == ["all"]
    choose = (
        "const s = document.querySelector('select[data-shows=profile]'); s.value = 'points';"
        " s.dispatchEvent(new Event('change'))"
    )
    browser.run(choose)
    assert visible(browser, "figure[data-group=profile]") == ["points"]
    browser.run(choose.replace("points", "all"))
    dashed = (
        "return [...document.querySelectorAll('.published')].filter(e =>"
        " e.getClientRects().length).length"
    )
    assert browser.run(dashed) == 2
    browser.point_at("input[data-overlay]", click=True)
    assert browser.run(dashed) == 0


def test_tables_sort_and_the_time_limit_switches(browser, site):
    browser.open(site / "dataset-points.html")
    assert visible(browser, "[data-group=limit]") == ["10"]
    browser.point_at("input[type=radio][value='1']", click=True)
    assert visible(browser, "[data-group=limit]") == ["1"]
    column = (
        "return [...document.querySelectorAll('[data-group=limit]:not([hidden]) tbody tr')].map(r"
        " => r.cells[0].textContent)"
    )
    before = browser.run(column)
    heading = "[data-group=limit]:not([hidden]) th:nth-child({}) button"
    browser.point_at(heading.format(1), click=True)
    assert browser.run(column) == sorted(before)
    browser.point_at(heading.format(1), click=True)
    assert browser.run(column) == sorted(before, reverse=True)
    browser.point_at(heading.format(4), click=True)  # E: numbers, the missing one at the end
    assert browser.run(column)[-1] == "poor"
    assert (
        browser.run(
            "return document.querySelector('[data-group=limit]:not([hidden])"
            " th[aria-sort]').textContent"
        )
        == "E"
    )
    names = (
        "return [...[...document.querySelectorAll('main > .scroll')].pop().querySelectorAll('tbody"
        " tr')].map(r =>"
        " r.cells[0].textContent)"
    )
    assert browser.run(names) == ["points1", "points2", "points10"]


def test_everything_can_be_reached_with_the_keyboard(browser, site):
    browser.open(site / "index.html")
    reached = set()
    for _ in range(25):
        browser.press("tab")
        reached.add(
            browser.run(
                "const e = document.activeElement; return e.tagName + ':' + (e.dataset.method"
                " ?? '')"
            )
        )
    assert {"SELECT:", "INPUT:", "BUTTON:exact", "BUTTON:quick", "BUTTON:poor", "A:"} <= reached
    browser.run("document.querySelector('.legend button[data-method=poor]').focus()")
    browser.press("space")
    assert browser.run("return document.activeElement.getAttribute('aria-pressed')") == "true"
    assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_matching_shows_one_method_at_a_time(browser, site):
    browser.open(site / "instance-points-points1.html")
    (shown,) = visible(browser, "figure[data-group=matching]")
    assert shown == "exact"
    browser.run(
        "const s = document.querySelector('select[data-shows=matching]'); s.value = 'poor';"
        " s.dispatchEvent(new Event('change'))"
    )
    assert visible(browser, "figure[data-group=matching]") == ["poor"]
    count = (
        "return document.querySelectorAll('figure[data-group=matching][data-value=poor] > svg ' +"
        " arguments[0]).length"
    )
    assert [
        browser.run(count, f".{kind}") for kind in ("correct", "wrong", "unjudged", "unmatched")
    ] == [1, 2, 1, 4]
    keys = browser.run(
        "return document.querySelector('figure[data-value=poor] figcaption').textContent"
    )
    assert keys == "poor: 1 correct2 wrong1 not judged4 unmatched"
    assert browser.complaints() == []


def test_the_map_switches_between_solved_gap_and_time(browser, site):
    browser.open(site / "index.html")
    assert visible(browser, "[data-group=measure]") == ["solved"]
    cells = (
        "return [...document.querySelectorAll('[data-group=measure]:not([hidden]) tbody tr')].map("
        "r => [...r.cells].map(c => c.textContent))"
    )
    rows = {row[0]: row[1:] for row in browser.run(cells)}
    assert rows["quick"] == ["100 %", "100 %"] and rows["poor"] == ["0 %", "0 %"]
    assert list(rows)[0] == "quick"  # solves as many as exact, in less time
    browser.run("document.querySelector('input[value=gap]').focus()")
    browser.press("space")
    assert visible(browser, "[data-group=measure]") == ["gap"]
    rows = {row[0]: row[1:] for row in browser.run(cells)}
    assert rows["exact"] == ["0", "0"] and rows["poor"] == ["-", "-"]


@pytest.mark.long
def test_a_label_of_many_names_what_is_chosen(browser, tmp_path):
    """Six methods that end alike share a label; choosing one shows its name there."""
    with Store() as store:
        for k in range(6):
            add(store, "d", 1, f"m{k}", 1, [(0.1 + k, -100.0, -100.0)], np.arange(3), [])
        store.add_instance(InstanceRow("d", "d1", n1=3, n2=3, optimum=-100.0))
        write_report(store, tmp_path / "site")
    browser.open(tmp_path / "site" / "index.html")
    label = (
        "return [...document.querySelector('.chart .group').querySelectorAll('tspan')]"
        ".map(t => t.textContent)"
        ".filter(Boolean).join(' ')"
    )
    assert browser.run(label) == "m0, m1, m2, m3, m4, m5 at 100 %"
    browser.point_at(".legend button[data-method=m3]", click=True)
    assert browser.run(label) == "m3"
    browser.press("escape")
    browser.point_at("h1")
    assert browser.run(label) == "m0, m1, m2, m3, m4, m5 at 100 %" and browser.complaints() == []
    looks = (
        "return [...document.querySelectorAll('.legend path')].map(p => p.getAttribute('stroke') +"
        " p.getAttribute('stroke-dasharray'))"
    )
    assert len(set(browser.run(looks))) == 6


@pytest.mark.long
def test_regressions_at_a_glance(browser, tmp_path):
    with Store() as before, Store() as now:
        fill(before)
        fill(now)
        add(now, "points", 1, "exact", 1, [(0.1, -60.0, -200.0)], np.arange(6), [])
        add(now, "points", 1, "exact", 2, [(0.1, -60.0, -200.0)], np.arange(6), [])
        comparison = compare(now.loaded(), before.loaded())
        write_report(now, tmp_path / "site", against=("earlier.db", comparison))
    browser.open(tmp_path / "site" / "index.html")
    section = browser.run("return document.querySelector('#against + p').textContent")
    assert section.startswith("1 regression and 0 improvements in 18 pairs")
    assert browser.run("return document.querySelector('.loss').textContent") == "1 worse"
    assert browser.complaints() == []


AUDIT = """
const named = e => e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length
                   || e.querySelector?.('title');
const bad = [];
for (const e of document.querySelectorAll('button, select, input, a, svg[role=img], [role=region]'))
  if (!named(e)) bad.push(e.outerHTML.slice(0, 80));
for (const t of document.querySelectorAll('table')) {
  if (!t.caption?.textContent) bad.push('table without caption');
  if ([...t.querySelectorAll('thead th')].some(h => h.scope !== 'col')) bad.push('heading');
  if ([...t.tBodies[0].rows].some(r => r.cells[0].scope !== 'row')) bad.push('row without name');
}
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
if (document.documentElement.lang !== 'en') bad.push('lang');
if (document.querySelectorAll('h1').length !== 1) bad.push('h1');
for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) bad.push('tabindex');
return bad;
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["index.html", "dataset-points.html", "instance-points-points1.html"]
)
def test_screen_readers_find_names_for_everything(browser, site, name):
    browser.open(site / name)
    assert browser.run(AUDIT) == []
    tree = browser.developer("Accessibility.getFullAXTree")["nodes"]
    nameless = [
        node["role"]["value"]
        for node in tree
        if not node.get("ignored")
        and node.get("role", {}).get("value") in ("button", "link", "radio", "combobox", "table")
        and not node.get("name", {}).get("value")
    ]
    assert nameless == []


@pytest.mark.long
def test_paper_is_white_and_without_controls(browser, site):
    browser.developer(
        "Emulation.setEmulatedMedia",
        media="print",
        features=[{"name": "prefers-color-scheme", "value": "dark"}],
    )
    try:
        browser.open(site / "index.html")
        assert (
            browser.run("return getComputedStyle(document.body).backgroundColor")
            == "rgb(255, 255, 255)"
        )
        assert (
            browser.run("return document.querySelector('.controls').getClientRects().length") == 0
        )
        assert browser.run("return document.querySelector('.legend').getClientRects().length") == 1
        assert browser.run(CONTRAST) == []
    finally:
        browser.developer("Emulation.setEmulatedMedia", media="", features=[])


@pytest.mark.long
def test_the_page_tells_how_it_was_made(browser, tmp_path):
    with Store() as store:
        fill(store)
        store.add_command(
            Command("2026-01-01T00:00", "somewhere", "gmtoolbox bench x", [1.0, 10.0])
        )
        write_report(store, tmp_path / "site")
    browser.open(tmp_path / "site" / "index.html")
    facts = browser.run("return document.querySelector('.facts').textContent")
    for said in ("gmtoolbox bench x", "2026-01-01", "some processor", "Seeds0", "1 s, 10 s"):
        assert said in facts


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["index.html", "dataset-points.html", "instance-points-points1.html"]
)
def test_a_phone_never_scrolls_sideways(browser, site, name):
    browser.developer(
        "Emulation.setDeviceMetricsOverride",
        width=360,
        height=740,
        deviceScaleFactor=2,
        mobile=True,
    )
    try:
        browser.open(site / name)
        assert browser.run("return document.documentElement.scrollWidth") <= 360
    finally:
        browser.developer("Emulation.clearDeviceMetricsOverride")


CONTRAST = """
const lum = (c, light = 1) => {
  const linear = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const [r, g, b] = c.match(/[\\d.]+/g).map(v => Math.min(255, v * light)).map(linear);
  return .2126 * r + .7152 * g + .0722 * b; };
const back = e => {
  for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c;
  }
  return 'rgb(255, 255, 255)'; };
const bad = [];
const texts = 'h1, h2, p, a, td, th button, label, legend, li, button, figcaption, svg text';
for (const e of document.querySelectorAll(texts)) {
  if (!e.getClientRects().length || !e.textContent.trim()) continue;
  const s = getComputedStyle(e), svg = e.closest('figure > svg'), b = lum(back(e));
  const filter = svg ? getComputedStyle(svg).filter.match(/brightness\\((.*)\\)/) : null;
  const a = lum(svg ? s.fill : s.color, filter ? Number(filter[1]) : 1);
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) bad.push(e.tagName + ' ' + e.textContent.slice(0, 30) + ' ' + ratio.toFixed(2));
}
return bad;
"""


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(browser, site, scheme):
    browser.developer(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    try:
        for name in ("index.html", "dataset-points.html", "instance-points-points1.html"):
            browser.open(site / name)
            paper = browser.run("return getComputedStyle(document.body).backgroundColor")
            assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
            assert browser.run(CONTRAST) == []
    finally:
        browser.developer("Emulation.setEmulatedMedia", features=[])


def test_the_address_names_the_view(browser, site):
    browser.open(site / "index.html")
    browser.run(
        "const s = document.querySelector('select[data-shows=profile]'); s.value = 'points';"
        " s.dispatchEvent(new Event('change'))"
    )
    browser.point_at(".legend button[data-method=quick]", click=True)
    address = browser.run("return location.hash")
    assert "profile=points" in address and "methods=quick" in address
    browser.open(site / "dataset-points.html")
    browser.run(f"location.href = 'index.html{address}'")
    for _ in range(50):
        if browser.run("return document.querySelector('select[data-shows=profile]') !== null"):
            break
    assert visible(browser, "figure[data-group=profile]") == ["points"]
    pressed = (
        "return [...document.querySelectorAll('[aria-pressed=true]')].map(b => b.dataset.method)"
    )
    assert browser.run(pressed) == ["quick"]
    browser.open(site / "dataset-points.html")
    browser.run("location.hash = '#limit=77'; location.reload()")
    assert visible(browser, "[data-group=limit]") == ["10"]  # a limit that it does not have


@pytest.mark.long
def test_charts_are_reached_and_read_by_the_keyboard(browser, site):
    for width in (1440, 390):
        browser.resize(width, 800)
        browser.open(site / "index.html")
        chart = "document.querySelector('.chart:not([hidden])')"
        browser.run(f"{chart}.focus()")
        assert browser.run(f"return document.activeElement === {chart}")
        browser.press("\ue015")  # arrow down
        on = f"return [...{chart}.querySelectorAll('.curve.on')].map(c => c.dataset.method)"
        first = browser.run(on)
        browser.press("\ue015")
        second = browser.run(on)
        assert len(first) == len(second) == 1 and first != second
        browser.press("\ue007")  # enter keeps it
        assert f"methods={second[0]}" in browser.run("return location.hash")
        small = (
            "return Math.min(...[...document.querySelectorAll('.chart:not([hidden]) > svg text')]"
            ".filter(t => t.getScreenCTM().a > 0)"
            ".map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a))"
        )
        assert browser.run(small) >= 12
    browser.resize(1200, 900)


def test_tables_are_copied_for_papers(browser, site):
    browser.open(site / "dataset-points.html")
    text = browser.run("return markdown(document.querySelector('table'))")
    lines = text.splitlines()
    assert lines[0].startswith("| method | opt | gap | E |") and lines[1].startswith(
        "| --- | --: |"
    )
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    text = browser.run("return latex(document.querySelector('table'))")
    assert text.startswith("\\begin{tabular}{lr") and "\\midrule" in text and "\\%" in text
    buttons = "return [...document.querySelectorAll('.tools button')].map(b => b.textContent)"
    assert {"Copy as Markdown", "Copy as LaTeX"} <= set(browser.run(buttons))
    assert "**" in (site / "data" / "table-points.md").read_text("utf-8")


def test_the_page_hides_the_key_of_a_chart_and_saves_it(browser, site, tmp_path):
    curves = [SimpleNamespace(method=f"m{k}", x=[1.0], y=[1.0]) for k in range(6)]
    picture = plot.profile(curves, title="Six")
    page = tmp_path / "page.html"
    script = (site / "script.js").read_text("utf-8")
    page.write_text(
        f"<main id='content'>{chart(picture, 'six')}</main><script>{script}</script>", "utf-8"
    )
    browser.open(page)
    heights = browser.run(
        "const s = document.querySelector('figure > svg'), w = whole(s);"
        " return [s.viewBox.baseVal.height, w.viewBox.baseVal.height,"
        " Number(w.getAttribute('height'))]"
    )
    full = float(re.search("height='([0-9.]+)'", picture)[1])
    assert heights == [428, full, full] and full > 428 and not browser.complaints()


def test_a_chart_without_a_file_becomes_a_page_of_its_size(browser, site, tmp_path):
    page = next(site.glob("instance-*.html"))
    browser.open(page)
    browser.run("window.print = () => {}")  # the dialog would wait
    press = "return [...document.querySelectorAll('.tools button')].find("
    press += "button => button.textContent == 'Save as PDF')"
    assert browser.run(f"{press} != null")
    width, height = browser.run(
        press.replace("return ", "const b = ") + "; b.click();"
        " const v = document.querySelector('.printed > svg').viewBox.baseVal;"
        " return [v.width, v.height]"
    )
    made = browser.developer("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
    content = base64.b64decode(made["data"])
    assert content.count(b"/Type /Page\n") == 1 and b"/Subtype /Type3" not in content
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", content).groups()
    assert [float(side) for side in box] == pytest.approx([width * 0.75, height * 0.75], abs=2)
    assert browser.run("return document.querySelector('.printed') == null")  # all is as before
    assert browser.complaints() == []
