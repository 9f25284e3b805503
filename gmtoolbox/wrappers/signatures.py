"""functionSignatures.json: the completions of MATLAB's editor, for every function.

Names and their kinds come from the help texts of the .m files and from the registry: gm_solve
offers the options of the method that was typed.
"""

import re

from gmtoolbox.engine.options import Choice
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.wrappers import wrapper_name

FLAG, NUMBER, TEXT = ["logical", "scalar"], ["numeric", "scalar"], ["char"]
FILES = "file=*.mat,*.dd,*.h5,*.dat,*.json"
KINDS = {  # of name-value arguments, wherever they occur
    "time_limit": NUMBER, "seed": NUMBER, "n_jobs": NUMBER, "trials": NUMBER, "threads": NUMBER,
    "memory": NUMBER, "wall": NUMBER, "maxiter": NUMBER, "limit": NUMBER, "width": NUMBER,
    "unmatched": NUMBER, "upper_bound": NUMBER, "restarts": NUMBER, "k": NUMBER,
    "complete": FLAG, "resume": FLAG, "retry_failed": FLAG, "progress": FLAG, "both": FLAG,
    "connected": FLAG, "induced": FLAG, "outliers": FLAG, "remember": FLAG,
    "sense": ["char", "choices={'max', 'min'}"],
    "Display": ["char", "choices={'off', 'iter'}"],
    "OutputFcn": ["function_handle"], "options": ["struct"], "store": ["file=*.db"],
    "key": TEXT, "python": ["file=*"], "bridge": ["char", "choices={'py', 'process'}"],
    "version": ["char", "choices={'6', '7', '7.3'}"],
    "kind": ["char", "choices={'edge', 'induced'}"],
    "bound": ["char", "choices={'auto', 'pairs', 'cycles', 'none'}"],
    "unary": NUMBER,
    "geometry": ["char", "choices={'similarity', 'affine', 'local', 'length', 'none'}"],
    "metric": ["char", "choices={'euclidean', 'cosine', 'hamming'}"],
}  # fmt: skip
OF_A_MATRIX = ("Ct", "shape", "sense", "complete")  # and of the functions that take one
GM_SOLVE = (
    "time_limit", "seed", "Ct", "shape", "sense", "complete", "init", "key", "Display", "OutputFcn",
)  # fmt: skip
POSITIONAL = {"file": [FILES], "target": [FILES], "source": [FILES]}


def signatures(folder):
    """Return the content of functionSignatures.json for the .m files of a folder."""
    found = {"_schemaVersion": "1.0.0"}
    for path in sorted(folder.glob("gm_*.m")):
        found[path.stem] = {"inputs": inputs_of(path.stem, path.read_text(encoding="utf-8"))}
    for solver in gm_methods():
        inputs = [
            positional("file"),
            *map(name_value, GM_SOLVE[:-2]),
            *map(option_of, solver.options),
        ]
        found[wrapper_name(solver.name)] = {"inputs": unique(inputs)}
    return found


def inputs_of(name, text):
    """Return the arguments of one function."""
    arguments = re.match(r"function (?:.*= )?\w+\((.*)\)", text)[1].split(", ")
    places = [argument for argument in arguments if argument not in ("varargin", "")]
    if name == "gm_plot":
        places = ["problem", "info", "I1", "I2"]
    inputs = [positional(place) for place in places if place != "method"]
    if "method" in places:
        names = ", ".join(f"'{solver.name}'" for solver in gm_methods())
        kinds = ["char", f"choices={{{names}}}"]
        inputs.append({"name": "method", "kind": "ordered", "type": kinds})
    if "methods" in places:
        inputs[places.index("methods")]["type"] = [["char"], ["cell"]]
    inputs += [name_value(argument) for argument in names_of(name, text)]
    if name in ("gm_solve", "gm_solve_many"):
        inputs.append(options_by_method())
    return unique(inputs)


def names_of(name, text):
    """Return the name-value arguments of a function, as its code lists them."""
    if name == "gm_solve":
        return GM_SOLVE
    if name == "gm_solve_many":
        return ("time_limit", "seed", "n_jobs", "restarts")
    lists = re.findall(r"(?:names = |varargin, |pairs, )\{([^}]*)\}", text)
    return [argument for one in lists for argument in re.findall(r"'(\w+)'", one)]


def options_by_method():
    """Return the options of every method, offered if that method was typed."""
    groups = [
        [{"name": "method", "kind": "ordered", "type": [f"choices={{'{solver.name}'}}"]}]
        + [option_of(option) for option in solver.options]
        for solver in gm_methods()
    ]
    return {"mutuallyExclusiveGroup": groups}


def positional(name):
    """Return a positional argument."""
    entry = {"name": name, "kind": "required"}
    return {**entry, "type": POSITIONAL[name]} if name in POSITIONAL else entry


def name_value(name):
    """Return a name-value argument."""
    entry = {"name": name, "kind": "namevalue"}
    return {**entry, "type": KINDS[name]} if name in KINDS else entry


def option_of(option):
    """Return an option of a method."""
    kinds = {int: NUMBER, float: NUMBER, bool: FLAG}.get(option.type, TEXT)
    if isinstance(option.rule, Choice):
        choices = ", ".join(f"'{choice}'" for choice in option.rule.names)
        kinds = ["char", f"choices={{{choices}}}"]
    return {"name": option.name, "kind": "namevalue", "type": kinds, "purpose": option.doc}


def unique(inputs):
    """Return the arguments without those that come twice."""
    seen, kept = set(), []
    for entry in inputs:
        if entry.get("name") not in seen or "name" not in entry:
            kept.append(entry)
        seen.add(entry.get("name"))
    return kept
