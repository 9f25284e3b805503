"""The first page: what it says first, and what it says of ties."""

import re

from sample_store import fill

from gmtoolbox.bench.site.overview import counts, overview
from gmtoolbox.bench.site.report import Site
from gmtoolbox.bench.store.store import Store


def test_first_page():
    with Store() as store:
        site = Site(fill(store).loaded(), [1.0, 10.0])
    assert counts(site) == (
        "36 runs of 3 methods on 6 instances of 2 datasets; 4 runs failed; time limit 10s;"
        " the fastest of 2 trials counts."
    )
    text = overview(site)
    order = [text.index(part) for part in ("class='verdict'", "id='map'", "id='profile'", "<dl")]
    assert order == sorted(order)
    assert "2 methods tie: they solve all 6 instances; quick is the fastest." in text
    assert len(re.findall("quick and exact tie", text)) == 2  # a row for each dataset
