"""The tuned numbers of gmtoolbox as variables: which of them a call reads, and other values.

Those of cext/src/*/policy.h are variables of a build of their own, in which every reading leaves a
mark (numbers that C needs at compile time stay as they are). Those of Python are the constants at
the top of the modules that compute answers.
"""

import ast
import contextlib
import ctypes
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"^#define (\w+)[ \t]+([-+]?(?:0x[\dp.+-]+|[\d.]+(?:e[-+]?\d+)?))\b(.*)$", re.M)
PYTHON = "python"
FOLDERS = ("editing", "engine", "models", "solvers", "subgraphs")
FILES = ("alignment", "assignment", "cells", "changes", "keypoints", "marginals", "multi")

READER = """extern %(kind)s tuned_%(name)s;
extern char seen_%(name)s;
static inline %(kind)s read_%(name)s(void) { seen_%(name)s = 1; return tuned_%(name)s; }
#define %(name)s read_%(name)s()%(rest)s"""

FINDER = """
static const struct { const char *name; void *at; } TABLE[] = {%s};
__attribute__((visibility("default"))) void *tuned_find(const char *name);
void *tuned_find(const char *name)
{
    for (unsigned k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (!strcmp(TABLE[k].name, name))
            return TABLE[k].at;
    return 0;
}
"""


# ---- C: a build whose numbers are variables


def is_whole(literal):
    """Return whether a literal is an int of C."""
    return re.fullmatch(r"[-+]?\d+", literal) is not None


def write_headers(source, constant):
    """Make every number of the policy headers a variable but the constant ones; return {name:
    (family, literal)} of the variables.
    """
    found, lines = {}, []
    for header in sorted((ROOT / "cext" / "src").glob("*/policy.h")):
        text, family = header.read_text("utf-8"), header.parent.name

        def replace(match, family=family):
            name, literal, rest = match.groups()
            if name in constant:
                return match[0]
            found[name] = family, literal
            kind = "int" if is_whole(literal) else "double"
            lines.append(f"{kind} tuned_{name} = {literal}; char seen_{name};")
            return READER % {"name": name, "kind": kind, "rest": rest}

        (source / family / "policy.h").write_text(NUMBER.sub(replace, text))
    table = ", ".join(
        f'{{"{kind}_{name}", &{kind}_{name}}}' for name in found for kind in ("tuned", "seen")
    )
    (source / "base" / "tuned.c").write_text(
        "\n".join(["#include <string.h>", *lines, FINDER % table])
    )
    return found


def find_constants(folder, source):
    """Return the names that the compiler needs as constants: those in lines that it refuses."""
    constant, files = set(), sorted(source.rglob("*.c"))
    while True:
        write_headers(source, constant)
        refused = set()
        for file in files:
            command = ["gcc", "-std=gnu11", "-fsyntax-only", "-Werror=vla",
                       f"-I{folder}/cext/include", f"-I{source}", str(file)]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode:
                names = re.findall(r"\b([A-Z][A-Z\d]*_[A-Z\d_]+)\b", done.stderr)
                refused |= {name for name in names if name not in constant}
        if not refused:
            return constant
        constant |= refused


def build(folder):
    """Copy and compile the sources with variables."""
    for name in ("gmtoolbox", "cext"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "*.pyc"))
    for name in ("setup.py", "pyproject.toml", "setup.cfg", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    source = folder / "cext" / "src"
    constant = find_constants(folder, source)
    found = write_headers(source, constant)
    exported = folder / "cext" / "exported.map"
    exported.write_text(exported.read_text("utf-8").replace("global:", "global: tuned_find;", 1))
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(
        command, cwd=folder, check=True, timeout=1800, env={**os.environ, "MAKEFLAGS": ""}
    )
    (folder / "found.json").write_text(json.dumps(found))


class CompiledNumbers:
    """The numbers of a policy header, in the build of a folder."""

    def __init__(self, folder, family):
        known = json.loads((folder / "found.json").read_text("utf-8"))
        self.text = {name: literal for name, (own, literal) in known.items() if own == family}
        self.library = ctypes.CDLL(str(next((folder / "gmtoolbox").glob("_cext*.so"))))
        self.library.tuned_find.restype = ctypes.c_void_p

    def find(self, kind, name, ctype):
        """Return a variable of the build."""
        return ctype.from_address(self.library.tuned_find(f"{kind}_{name}".encode()))

    def value(self, name):
        """Return a number."""
        return self.find("tuned", name, self.ctype(name)).value

    def ctype(self, name):
        """Return the type of a number."""
        return ctypes.c_int if is_whole(self.text[name]) else ctypes.c_double

    def watch(self, call):
        """Return (the result of the call, the names that it read)."""
        seen = {name: self.find("seen", name, ctypes.c_char) for name in self.text}
        for mark in seen.values():
            mark.value = b"\0"
        answer = call()
        return answer, {name for name, mark in seen.items() if mark.value != b"\0"}

    @contextlib.contextmanager
    def change(self, name, value):
        """Give a number another value."""
        variable = self.find("tuned", name, self.ctype(name))
        before, variable.value = variable.value, value
        try:
            yield
        finally:
            variable.value = before


# ---- Python: constants of modules


def constants_of(tree):
    """Yield the names of the numbers that a module gives a constant."""
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
            for name, value in pairs:
                if isinstance(name, ast.Name) and name.id.isupper() and is_number(value):
                    yield name.id


def defaults_of(tree):
    """Return the names that are defaults of arguments: bound when a module is imported."""
    functions = (node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    values = (value for args in functions for value in (*args.defaults, *args.kw_defaults))
    return {value.id for value in values if isinstance(value, ast.Name)}


def is_number(node):
    """Return whether an expression is made of numbers only."""
    names = (ast.Name, ast.Call, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.Set)
    parts = list(ast.walk(node))
    return not any(isinstance(part, names) for part in parts) and all(
        type(part.value) in (int, float) for part in parts if isinstance(part, ast.Constant)
    )


class ModuleNumbers:
    """The constants of the modules of Python that compute answers."""

    def __init__(self, folder, family):
        package = folder / "gmtoolbox"
        paths = [package / f"{name}.py" for name in FILES]
        paths += [path for name in FOLDERS for path in sorted((package / name).rglob("*.py"))]
        self.text, self.readers = {}, {}
        modules = {}
        for path in paths:
            parts = path.relative_to(folder).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            with contextlib.suppress(ImportError):  # needs a package that is not installed
                modules[module] = (
                    importlib.import_module(module),
                    ast.parse(path.read_text("utf-8")),
                )
        for name, (module, tree) in modules.items():
            for constant in constants_of(tree):
                key = f"{name.removeprefix('gmtoolbox.')}.{constant}"
                self.text[key] = f"{getattr(module, constant):g}"
                self.readers[key] = [(module, constant)]
        for module, tree in modules.values():
            for node in ast.walk(tree):
                for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                    key = f"{(node.module or '').removeprefix('gmtoolbox.')}.{alias.name}"
                    if key in self.readers:
                        self.readers[key].append((module, alias.asname or alias.name))
        defaults = {
            (module, name) for module, tree in modules.values() for name in defaults_of(tree)
        }
        for key in [key for key, readers in self.readers.items() if defaults & {*readers}]:
            del self.readers[key], self.text[key]

    def value(self, key):
        """Return a number."""
        module, name = self.readers[key][0]
        return getattr(module, name)

    def watch(self, call):
        """Return (the result of the call, the numbers in the functions that it entered)."""
        codes = set()

        def look(frame, event, _):
            if event == "call":
                codes.add(frame.f_code)

        threading.setprofile(look)
        sys.setprofile(look)
        try:
            answer = call()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        named = {(code.co_filename, name) for code in codes.copy() for name in code.co_names}
        return answer, {
            key
            for key, readers in self.readers.items()
            if any((module.__file__, name) in named for module, name in readers)
        }

    @contextlib.contextmanager
    def change(self, key, value):
        """Give a number another value wherever it is imported."""
        before = self.value(key)
        for module, name in self.readers[key]:
            setattr(module, name, value)
        try:
            yield
        finally:
            for module, name in self.readers[key]:
                setattr(module, name, before)


def open_numbers(folder, family):
    """Return the numbers of a family in the build of a folder, which comes first on the path."""
    sys.path.insert(0, str(folder))
    import gmtoolbox as gm

    assert Path(gm.__file__).is_relative_to(folder), gm.__file__
    return (ModuleNumbers if family == PYTHON else CompiledNumbers)(folder, family)
