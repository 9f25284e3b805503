"""Pieces of HTML: escaped, named, and one file for each page."""

from gmtoolbox.bench.site.pages import (
    crumbs,
    instance_page,
    page,
    part_of,
    seconds,
    sortable,
    span,
    switch,
)

ATTACK = "'\"><script>"


def test_everything_is_escaped():
    text = page(ATTACK, "", crumbs((ATTACK, "x.html"))) + sortable(
        ATTACK, [ATTACK], [[("safe", ATTACK)]]
    )
    text += switch("g", ATTACK, [(ATTACK, ATTACK)], ATTACK) + part_of("g", ATTACK, "")
    assert "<script>" not in text.replace("<script src='script.js'></script>", "")


def test_tables_have_captions_and_named_rows():
    table = sortable("what", ["a", "b"], [[("x", "x"), (3, 3)]])
    assert "<caption>what</caption>" in table and "<th scope='row' data-key='x'>x</th>" in table
    assert "role='region' tabindex='0' aria-label='what'" in table


def test_small_ones():
    assert instance_page("a-b", "c") != instance_page("a", "b-c")
    assert (span([]), span([3]), span([3, 8])) == ("", "3", "3-8")
    assert (seconds(0.0123), seconds(1.5)) == ("12 ms", "1.5 s")
    assert part_of("g", "a", "a") == "data-group='g' data-value='a'"
    assert part_of("g", "a", "b").endswith(" hidden")
