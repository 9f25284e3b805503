"""The built site in a browser, as wide as a screen and as narrow as a phone, light and dark."""

from pathlib import Path

import pytest
from browser import AVAILABLE, chromium

SITE = Path(__file__).resolve().parent.parent / "build" / "site"
PAGES = ("index", "tour", "methods", "methods/rrwm", "results/exact", "api/gmtoolbox.gm_solve")
pytestmark = [
    pytest.mark.skipif(not AVAILABLE, reason="wants chromium and chromedriver"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="wants scripts/site first"),
]
BRIGHTNESS = """
const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
return (parts[0] + parts[1] + parts[2]) / 3;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("browser")) as found:
        yield found


def look(browser, page, width, scheme):
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.developer("Emulation.setDeviceMetricsOverride", **screen)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.developer("Emulation.setEmulatedMedia", features=[feature])
    browser.open(SITE / f"{page}.html")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_sticks_out(browser, page, width):
    look(browser, page, width, "light")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    pictures = "return [...document.images].filter(i => i.complete && !i.naturalWidth).length"
    assert browser.run(pictures) == 0


def test_formulas_are_drawn(browser):
    look(browser, "methods/rrwm", 1280, "light")
    formula = "document.querySelector('math[display=block]')"
    box = f"const b = {formula}.getBoundingClientRect(); return b.height"
    assert browser.run(box) > 20


@pytest.mark.parametrize("scheme, low, high", [("light", 200, 255), ("dark", 0, 60)])
def test_the_system_decides_between_light_and_dark(browser, scheme, low, high):
    look(browser, "index", 1280, scheme)
    assert low <= browser.run(BRIGHTNESS) <= high
