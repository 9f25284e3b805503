"""The command line: the commands, in the groups in which `gmtoolbox` prints them, with an example
for each, behind one parser.

Only the modules that declare the given command are imported up front (numpy and scipy alone cost
more than `--help` may take); each command imports the modules it uses. Errors of gmtoolbox become
one line on stderr and exit status 2.
"""

import argparse
import math
import os
import shlex
import sys
import warnings
from importlib import import_module

from gmtoolbox._version import __version__
from gmtoolbox.core.errors import GMError, did_you_mean, speech
from gmtoolbox.core.terminal import say
from gmtoolbox.core.text import printable

HOMES = {  # module and function that declare commands
    ("commands.problems", "add_problem_commands"): (
        "solve", "info", "methods", "matlab-path", "convert", "verify",
    ),
    ("bench.commands", "add_bench_commands"): ("bench", "batch", "run"),
    ("bench.commands", "add_report_commands"): ("report", "fetch"),
    ("commands.pictures", "add_plot_command"): ("plot",),
    ("commands.edits", "add_edit_commands"): ("distance", "distances"),
    ("commands.pairs", "add_pair_commands"): ("match", "common"),
    ("commands.completion", "add_completion_command"): ("completion",),
}  # fmt: skip
COMMANDS = tuple(name for names in HOMES.values() for name in names)

GROUPS = {
    "solve": ("solve", "match", "batch", "distance", "distances", "common"),
    "look": ("info", "methods", "plot", "verify"),
    "files": ("convert", "fetch", "matlab-path"),
    "benchmarks": ("bench", "report"),
    "shell": ("completion",),
}
EXAMPLES = {
    "solve": (
        "gmtoolbox solve car1.dd",
        "gmtoolbox solve car1.dd -m fm-bca rrwm -t 10",
        "gmtoolbox solve car1.dd --confidence -o result.csv",
    ),
    "match": (
        "gmtoolbox match first.edges second.edges",
        "gmtoolbox match left.csv right.csv --plot matching.svg",
        "gmtoolbox match left.png right.png --plot matching.png",
    ),
    "common": ("gmtoolbox common CCO CCN --smiles",),
    "batch": ("gmtoolbox batch folder -m auto -t 10 -o results.csv",),
    "distance": ("gmtoolbox distance first.gxl second.gxl --path",),
    "distances": ("gmtoolbox distances folder --costs chem1 -o distances.csv",),
    "info": ("gmtoolbox info car1.dd",),
    "methods": ("gmtoolbox methods rrwm", "gmtoolbox methods --for car1.dd"),
    "plot": (
        "gmtoolbox plot car1.dd -o matching.svg",
        "gmtoolbox plot bench.db --kind cactus -o cactus.pdf",
    ),
    "verify": ("gmtoolbox verify result.json car1.dd",),
    "convert": ("gmtoolbox convert car1.dd car1.mat --bijective",),
    "fetch": ("gmtoolbox fetch qaplib -o qaplib",),
    "matlab-path": ("gmtoolbox matlab-path",),
    "bench": ("gmtoolbox bench folder -m auto fm-bca -t 1 10 --store bench.db",),
    "report": ("gmtoolbox report bench.db -o site",),
    "run": ("gmtoolbox run folder -m fm-bca -t 10 --shard 2/5",),
    "completion": ('eval "$(gmtoolbox completion bash)"',),
}


def main(arguments=None):
    """Run one command; the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if not arguments:
        make_parser().print_help()
        return 0
    name = next((word for word in arguments if not word.startswith("-")), None)
    top = make_parser(name if name in COMMANDS and name == arguments[0] else None)
    if name not in (None, *COMMANDS):
        top.error(f"unknown command {name!r}{did_you_mean(name, COMMANDS)}")
    given, unknown = top.parse_known_args(arguments)
    if unknown:
        given.parser.refuse(unknown)
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
        say(f"gmtoolbox: error: {one_line(error)}", {"error": "red"})
        try:
            sys.stdout.flush()
        except OSError:  # there was no room for the output
            drop_output()
        return 2
    return status


def drop_output():
    """Send standard output nowhere, so that Python does not complain of it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_warning(message, *_, **__):
    """Print a warning on stderr, as an error is."""
    say(f"gmtoolbox: warning: {one_line(message)}", {"warning": "yellow"})


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
        say(f"{self.prog}: error: {message}; see `{self.prog} --help`", {"error": "red"})
        self.exit(2)

    def refuse(self, unknown):
        """End because of arguments that the command does not have, with the flag that is meant."""
        known = [flag for action in self._actions for flag in action.option_strings]
        flag = next((one for one in unknown if one.startswith("--")), None)
        hint = did_you_mean(flag.partition("=")[0], known) if flag else ""
        self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")


def make_parser(name=None):
    """Return the parser of every command with its arguments, or of those that are declared with the
    named one.
    """
    top = Parser(
        prog="gmtoolbox",
        usage="gmtoolbox COMMAND ...",
        description="Graph matching: which nodes of two graphs correspond, with proofs.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"gmtoolbox {__version__}")
    commands = top.add_subparsers(
        prog="gmtoolbox", required=True, metavar="COMMAND", help=argparse.SUPPRESS
    )
    summaries = {}

    def add_command(carry_out, name, summary):
        summaries[name] = summary
        sub = commands.add_parser(
            name,
            **({"help": summary} if is_listed(name) else {}),
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=example_of(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(
            carry_out=carry_out, default_of=sub.get_default, make_parser=make_parser, parser=sub
        )
        return sub

    for (module, function), names in HOMES.items():
        if name is None or name in names:
            getattr(import_module(f"gmtoolbox.{module}"), function)(add_command, positive)
    if name is None:
        top.epilog = list_commands(summaries)
    return top


def is_listed(name):
    """Whether a command is for people, not for programs."""
    return any(name in names for names in GROUPS.values())


def list_commands(summaries):
    """Return the commands in their groups, from {name: summary}; others are for programs."""
    width = max(len(name) for names in GROUPS.values() for name in names) + 2
    lines = []
    for group, names in GROUPS.items():
        lines.append(f"{group}:")
        lines += [f"  {name.ljust(width)}{summaries[name]}" for name in names]
    return "\n".join([*lines, "", "`gmtoolbox COMMAND --help` explains a command."])


def example_of(name):
    """Return the examples below the help of a command."""
    lines = EXAMPLES[name]
    return "\n".join([f"example{'s' if len(lines) > 1 else ''}:", *(f"  {one}" for one in lines)])


def positive(text):
    """A positive number of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        raise argparse.ArgumentTypeError(f"must be a positive number, got {text}")
    return value
