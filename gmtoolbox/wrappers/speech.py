"""Messages in MATLAB's notation, translated from those for Python users.

Messages that name places (K(2,3)) are written for MATLAB in core.errors. The
notation of arguments, sizes, types and constants is the same everywhere and translated here, except
inside quotes, which hold names of the user's.
"""

import re

CONSTANTS = {"True": "true", "False": "false", "None": "[]", "nan": "NaN", "inf": "Inf"}
TYPES = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false"}
SIZES = r"n1|n2|N|M|m|m1|m2|n|d|k|rows|columns|\d+"
QUOTED = re.compile(r"('(?:[^'\\]|\\.)*')")
RULES = [  # (pattern, replacement), in this order, outside of quotes
    (r"\b(?:gm\.models\.)?from_graphs\b", "gm_graphs"),
    (r"\b(?:gm\.models\.)?from_points\b", "gm_points"),
    (r"\bgm\.(gm_\w+)", r"\1"),
    (r"got (?:array\(|\[\[).*", "got a matrix"),
    (r"got <Compressed .*", "got a sparse matrix"),
    (r"got \{.*", "got a struct"),
    (r"got \[.*", "got several values"),
    (r"\b(\w+)=\((\w+), (\w+)\)", r"'\1', [\2 \3]"),
    (r"\b([A-Za-z]\w*)=(?=[\w.-])", r"'\1', "),
    (r"\b([A-Za-z]\w*)=(?=\W|$)", r"'\1'"),
    (r"shape \(([^(),]*),\)", r"\1 entries"),
    (r"\b(?:of )?shape(?: of)? \((\w+), (\w+)\)", r"size \1 x \2"),
    (rf"\(({SIZES}), ({SIZES})\)(?= (?:array|matrix|pairs|=|0/1))", r"\1 x \2"),
    (rf"= \(({SIZES}), ({SIZES})\)", r"= \1 x \2"),
    (r"\((n1|N|m), (n2|2|d)\)", r"[\1 \2]"),
    (r" of (?:u?int|float|complex)\d+\b", ""),
    (r"\b(?:u?int|float)\d+\b", "numbers"),
    (r"\b0-based indices\b", "indices, counted from 1"),
    (r"\bmust be (int|float|str|bool)\b", lambda found: f"must be {TYPES[found[1]]}"),
    (r"\ba (?:dict|mapping)\b", "a struct"),
    (r"\b(?:dict|mapping)\b", "struct"),
    (r"\ba (?:list|tuple)\b", "a vector"),
    (r"\b(?:list|tuple)\b", "vector"),
    (r"\bnetworkx graphs?, ", ""),
    (r"\ba networkx graph or ", ""),
    (r"(?<![\w.])(\d+(?:\.\d*)?)j\b", r"\1i"),
    (r"\b(True|False|None|nan|inf)\b", lambda found: CONSTANTS[found[1]]),
    (r"\b(\d+)\*\*(\d+)\b", r"\1^\2"),
]
RULES = [(re.compile(pattern), instead) for pattern, instead in RULES]
ASSIGNED = re.compile(r"\b([A-Za-z]\w*)=(?='|\")")  # before a quote


def in_matlab(message):
    """Return a message in MATLAB's notation, in one line."""
    message = ASSIGNED.sub(r"'\1', ", " ".join(str(message).splitlines()))
    parts = QUOTED.split(message)
    for k in range(0, len(parts), 2):
        for pattern, instead in RULES:
            parts[k] = pattern.sub(instead, parts[k])
    return "".join(parts)


def rename_arguments(message, names):
    """Return a message with other names for arguments: {"G1": "A"}."""
    for name, other in names.items():
        message = re.sub(rf"\b{name}\b", other, message)
    return message
