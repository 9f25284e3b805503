"""Text for terminals: never wider than they are, coloured only if they are asked to."""

import io
import sys

import pytest

from gmtoolbox.core.terminal import columns, fit_table, fold, has_colour, paint, pairs, say


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("width", [40, 80, 120])
def test_tables_fit_and_lose_nothing_but_the_middle_of_names(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    headings = ["instance", *(f"column{k}" for k in range(12))]
    rows = [["a-very-long-name-of-an-instance-1", *range(12)], ["b", *range(100, 112)]]
    shown = fit_table(headings, rows)
    assert max(map(len, shown.splitlines())) <= width
    words = shown.split()
    assert all(str(number) in words for number in (*range(12), *range(100, 112)))
    assert all(f"column{k}" in words for k in range(12))
    assert any(word.startswith("a-very") and word.endswith("instance-1"[-8:]) for word in words)


def test_columns_without_content_are_left_out(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = fit_table(["name", "value", "bound"], [["a", "1", "-"], ["b", "2", ""]], is_terse=True)
    assert shown.splitlines()[0].split() == ["name", "value"]


def test_pairs_are_aligned_and_folded(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    shown = pairs([("value", "1"), ("nothing", None), ("iterations", "word " * 20)])
    lines = shown.splitlines()
    assert lines[0] == "value:       1" and "nothing" not in shown
    assert len(lines) > 3 and all(line.startswith(" " * 13) for line in lines[2:])
    assert max(map(len, lines)) <= 40
    assert columns() == 40 and max(map(len, fold("x " * 100).splitlines())) <= 40


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colour(Terminal()) and not has_colour(io.StringIO())
    assert paint("error", "red", Terminal()) == "\x1b[31merror\x1b[0m"
    assert paint("error", "red", io.StringIO()) == "error"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("error", "red", Terminal()) == "error"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour(Terminal())


@pytest.mark.parametrize("is_terminal", [True, False])
def test_remarks_fit_a_terminal_and_are_one_line_elsewhere(monkeypatch, capsys, is_terminal):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    text = "gmtoolbox: error: " + "a long message, " * 8
    say(text, {"error": "red"})
    said = capsys.readouterr().err
    assert ("\x1b[31merror\x1b[0m" in said) == is_terminal
    lines = said.replace("\x1b[31m", "").replace("\x1b[0m", "").splitlines()
    assert (len(lines) > 3 and max(map(len, lines)) <= 40) == is_terminal
    assert (len(lines) == 1) == (not is_terminal)
    assert " ".join(" ".join(lines).split()) == text.strip()
