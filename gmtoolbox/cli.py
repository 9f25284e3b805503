"""The command line: commands and bench.commands behind one parser.

Only argparse and the registry are imported up front (numpy and scipy alone cost more than `--help`
may take); each command imports what it uses. Whatever gmtoolbox refuses becomes one line on stderr
and exit status 2.
"""

import argparse
import math
import os
import shlex
import sys
import warnings

from gmtoolbox._version import __version__
from gmtoolbox.bench.commands import add_commands
from gmtoolbox.commands.edits import add_edit_commands
from gmtoolbox.commands.pictures import add_plot_command
from gmtoolbox.commands.problems import add_problem_commands
from gmtoolbox.core.errors import GMError, speech
from gmtoolbox.core.text import printable


def main(arguments=None):
    """Run one command; the exit status."""
    given = parser().parse_args(arguments)
    given.typed = shlex.join(["gmtoolbox", *(sys.argv[1:] if arguments is None else arguments)])
    status = 0
    try:
        with warnings.catch_warnings(), speech("shell"):
            warnings.showwarning = show_warning
            status = given.carry_out(given) or 0
        sys.stdout.flush()
    except BrokenPipeError:  # e.g. | head: nobody reads on, nothing to complain about
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("gmtoolbox: interrupted", file=sys.stderr)
        return 130
    except (GMError, OSError, MemoryError) as error:
        print(f"gmtoolbox: error: {one_line(error)}", file=sys.stderr)
        return 2
    return status


def show_warning(message, *_, **__):
    """A warning is one line on stderr, as an error is."""
    print(f"gmtoolbox: warning: {one_line(message)}", file=sys.stderr)


def one_line(error):
    """What an error or a warning says, on one line."""
    text = str(error)
    if isinstance(error, OSError) and error.filename and error.strerror:
        text = f"{error.filename}: {error.strerror}"
    return printable(" ".join(text.split())) or type(error).__name__


class Parser(argparse.ArgumentParser):
    """Complains in one line, like every other error."""

    def error(self, message):
        """End with one line and exit status 2."""
        self.exit(2, f"{self.prog}: error: {message}; see `{self.prog} --help`\n")


def parser():
    """Every command with its arguments."""
    top = Parser(
        prog="gmtoolbox",
        description="Graph matching: every solver of the comparative study behind one call.",
    )
    top.add_argument("--version", action="version", version=f"gmtoolbox {__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(carry_out, name, summary):
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(carry_out=carry_out, default_of=sub.get_default)
        return sub

    add_problem_commands(command, positive)
    add_commands(command, positive)
    add_plot_command(command, positive)
    add_edit_commands(command, positive)
    return top


def positive(text):
    """A positive number of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        raise argparse.ArgumentTypeError(f"must be a positive number, got {text}")
    return value
