"""The list of commands: the functions that declare them, the groups in which `gmtoolbox` prints
them, and an example for each.
"""

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
