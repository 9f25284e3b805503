"""gmtoolbox completion: the script with which a shell completes commands, flags, files and
methods.
"""

from gmtoolbox.core.errors import InputError
from gmtoolbox.engine.registry import gm_methods

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILES = (
    *("FILE", "FILE1", "FILE2", "GRAPH1", "GRAPH2", "GRAPHS", "FOLDER", "DATASET"),
    *("STORE", "PROBLEM", "RESULT", "SOURCE", "TARGET"),
)
METHODS = ("M", "NAME")


def add_completion_command(command, positive):
    """Declare the command; command(function, name, summary) makes a parser."""
    sub = command(complete, "completion", "print the script for completion in a shell")
    sub.add_argument("shell", choices=SHELLS, help="which shell reads it")


def complete(given):
    """Print the script of a shell."""
    try:
        import shtab
    except ImportError:
        raise InputError(
            "completion needs shtab, which is not installed: pip install shtab"
        ) from None
    parser = given.make_parser()
    methods = "_gmtoolbox_methods"
    names = " ".join(method.name for method in gm_methods())
    complete_with = {
        "bash": methods,
        "zsh": f"({names})",
        "fish": names,
        "tcsh": names,
    }
    for action in every_argument(parser):
        if action.metavar in METHODS:
            action.complete = complete_with
        elif action.metavar in FILES:
            action.complete = shtab.FILE
        elif action.metavar == "COMMAND":
            action.help = "the command"  # not in the help, which lists them in groups
    preamble = {"bash": f'{methods}() {{ compgen -W "{names}" -- "$1"; }}\n'}
    print(shtab.complete(parser, given.shell, preamble=preamble))


def every_argument(parser):
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:  # argparse has no other way to list them
        yield action
        if isinstance(action.choices, dict):
            for sub in action.choices.values():
                yield from every_argument(sub)
