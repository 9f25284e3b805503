"""The list of commands: in groups, those for programs left out, an example for each that works."""

import argparse
import shlex

import pytest
from command_line import call

from gmtoolbox.cli import COMMANDS, EXAMPLES, GROUPS, HOMES, make_parser

FOR_PROGRAMS = {"run"}


def test_no_command_prints_the_help(capsys):
    status, out, err = call(capsys)
    assert (status, err) == (0, "") and out == make_parser().format_help()


def test_commands_are_grouped_and_inner_ones_hidden(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(set(COMMANDS) - FOR_PROGRAMS)
    lines = call(capsys, "--help")[1].splitlines()
    assert max(map(len, lines)) <= 80
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != "-"]
    assert listed == grouped


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home[1])
def test_commands_are_declared_at_home(home):
    """Only the module that declares a command is asked for it."""
    names = HOMES[home]
    choices = make_parser(names[0])._subparsers._group_actions[0].choices
    assert tuple(choices) == names


def test_help_before_a_command_lists_all(capsys):
    assert call(capsys, "--help", "report") == call(capsys, "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_fits_and_ends_with_an_example_that_is_understood(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = call(capsys, name, "--help")
    assert status == 0 and "example" in out
    assert out.startswith(f"usage: gmtoolbox {name} ") and max(map(len, out.splitlines())) <= 80
    for line in EXAMPLES[name]:
        assert line in out
        words = shlex.split(line.removeprefix('eval "$(').removesuffix(')"'))
        given = make_parser().parse_args(words[1:])
        assert words[1] == name and isinstance(given, argparse.Namespace)


def test_commands_that_do_not_exist_have_a_suggestion(capsys):
    status, out, err = call(capsys, "slove", "car.dd")
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert "unknown command 'slove' (did you mean 'solve'?)" in err
    assert "did you mean" not in call(capsys, "xyzzy")[2]
