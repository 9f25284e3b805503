"""The command line: commands and bench.commands behind one parser.

Only argparse and the registry are imported up front (numpy and scipy alone cost more than `--help`
may take); each command imports the modules it uses. Errors of gmtoolbox become one line on stderr
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
from gmtoolbox.commands.completion import add_completion_command
from gmtoolbox.commands.edits import add_edit_commands
from gmtoolbox.commands.help import example_of, is_listed, list_commands
from gmtoolbox.commands.pairs import add_pair_commands
from gmtoolbox.commands.pictures import add_plot_command
from gmtoolbox.commands.problems import add_problem_commands
from gmtoolbox.core.errors import GMError, did_you_mean, speech
from gmtoolbox.core.terminal import paint
from gmtoolbox.core.text import printable


def main(arguments=None):
    """Run one command; the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    top = parser()
    if not arguments:
        top.print_help()
        return 0
    check_command(top, arguments)
    given = top.parse_args(arguments)
    given.typed = shlex.join(["gmtoolbox", *arguments])
    status = 0
    try:
        with warnings.catch_warnings(), speech("shell"):
            warnings.showwarning = show_warning
            status = given.carry_out(given) or 0
        sys.stdout.flush()
    except BrokenPipeError:  # e.g. | head: the reader is gone
        drop_output()
    except KeyboardInterrupt:
        print("gmtoolbox: interrupted", file=sys.stderr)
        return 130
    except (GMError, OSError, MemoryError) as error:
        print(f"gmtoolbox: {paint('error', 'red', sys.stderr)}: {one_line(error)}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:  # there was no room for the output
            drop_output()
        return 2
    return status


def drop_output():
    """Send standard output nowhere, so that Python does not complain of it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_command(top, arguments):
    """End with a suggestion if the first word is not a command."""
    name = next((word for word in arguments if not word.startswith("-")), None)
    if name is not None and name not in top.commands:
        top.error(f"unknown command {name!r}{did_you_mean(name, top.commands)}")


def show_warning(message, *_, **__):
    """A warning is one line on stderr, as an error is."""
    word = paint("warning", "yellow", sys.stderr)
    print(f"gmtoolbox: {word}: {one_line(message)}", file=sys.stderr)


def one_line(error):
    """Return the message of an error or a warning on one line."""
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
        usage="gmtoolbox COMMAND ...",
        description="Graph matching: every solver of the comparative study behind one call.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"gmtoolbox {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND", help=argparse.SUPPRESS)
    summaries = {}

    def command(carry_out, name, summary):
        summaries[name] = summary
        sub = commands.add_parser(
            name,
            **({"help": summary} if is_listed(name) else {}),
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=example_of(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(carry_out=carry_out, default_of=sub.get_default)
        return sub

    add_problem_commands(command, positive)
    add_commands(command, positive)
    add_plot_command(command, positive)
    add_edit_commands(command, positive)
    add_pair_commands(command, positive)
    add_completion_command(command, parser)
    top.commands, top.epilog = tuple(summaries), list_commands(summaries)
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
