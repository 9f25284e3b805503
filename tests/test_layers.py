"""Imports point downwards in the map of the package, and the registry stays light."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from parsed import nodes_of, tree_of

import gmtoolbox
from gmtoolbox.engine.registry import gm_methods

PACKAGE = Path(gmtoolbox.__file__).parent

ROOT = Path(__file__).resolve().parents[1]

# what the docstring of a module says where most of its imports are inside functions
IMPORTS_WAIT = "Imports wait until "


def lines_of_map(head):
    """The names in each line of the list in CONTRIBUTING.md that begins with `head`."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    listing = text.split(f"```text\n{head}\n")[1].split("```")[0]
    return [re.split(r"\s{2,}", line.strip())[0].split() for line in listing.splitlines()]


# Top to bottom. A module may import from its own line (without cycles) and from the lines below it.
LEVEL = {name: -k for k, names in enumerate(lines_of_map("gmtoolbox/")) for name in names}


def module_of(package, name):
    """The module that `from package import name` needs: the package itself, or its part `name`."""
    place = PACKAGE.parent.joinpath(*package.split("."), name)
    is_module = place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()
    return f"{package}.{name}" if package == "gmtoolbox" or is_module else package


def imported(path):
    """(line, dotted name) of everything of gmtoolbox that a file imports, inside functions too."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, alias.name)
                for alias in node.names
                if alias.name.split(".")[0] == "gmtoolbox"
            )
        elif (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and (node.module or "").split(".")[0] == "gmtoolbox"
        ):
            yield from ((node.lineno, module_of(node.module, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) == "part":
            name = getattr(node.args[0], "value", None)  # see gmtoolbox/io/formats.py
            if name:
                yield node.lineno, f"gmtoolbox.io.{name}"
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{path}:{node.lineno}: write imports in full")


def part(path):
    """The name in the map of a file: gmtoolbox/io/dd.py -> io."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def source_files():
    """Every module but the package's own __init__, which loads the others on demand."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def late_imports(path):
    """(line, top name) of imports inside functions."""
    functions = [n for n in nodes_of(path) if isinstance(n, ast.FunctionDef | ast.Lambda)]
    for node in {inner for function in functions for inner in ast.walk(function)}:
        if isinstance(node, ast.Import):
            yield node.lineno, node.names[0].name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module.split(".")[0]


def test_imports_inside_functions_have_a_reason():
    """Other people's packages cost time or may be missing; why our own and Python's wait is told by
    the docstring of the module, in these words, or by a comment beside the import.
    """
    for path in source_files():
        text = path.read_text("utf-8")
        docstring = " ".join((ast.get_docstring(tree_of(path)) or "").split())
        says_so = IMPORTS_WAIT in docstring
        for line, name in sorted(late_imports(path)):
            ours = name == "gmtoolbox" or name in sys.stdlib_module_names
            reason = says_so or "#" in text.splitlines()[line - 1]
            assert not ours or reason, f"{path.relative_to(ROOT)}:{line}: why not at the top?"


def test_nothing_but_registry_solvers_and_styles_names_methods():
    """Everybody else asks gm_methods(), or says DEFAULT_METHOD or GREEDY_METHOD."""
    names = {record.name for record in gm_methods()}
    same_word = {"auto"}  # of a geometry, of a bound
    places = {
        "models/points.py",
        "models/matches.py",
        "multi.py",
        "keypoints.py",
        "bench/run/many_graphs.py",
    }
    for path in source_files():
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("solvers/") or place in (
            "engine/registry.py",
            "plot/charts.py",  # the look of each method
            "compat/pygmtools/__init__.py",  # whose functions have the names of methods
            "compat/pygmtools/classic.py",
            "compat/scipy.py",  # SciPy's default is called as ours
        ):
            continue
        for node in nodes_of(path):
            named = isinstance(node, ast.Constant) and node.value in names
            if named and not (place in places and node.value in same_word):
                raise AssertionError(f"{place}:{node.lineno} names the method {node.value!r}")


def test_every_module_is_on_the_map():
    unknown = {part(path) for path in source_files()} - LEVEL.keys()
    assert not unknown, f"add to the list in CONTRIBUTING.md: {unknown}"
    gone = LEVEL.keys() - {part(path) for path in source_files()}
    assert not gone, f"not there any more, but in the list in CONTRIBUTING.md: {gone}"


def test_imports_point_downwards():
    upward = []
    for path in source_files():
        for line, name in imported(path):
            target = name.split(".")[1] if "." in name else "__init__"
            if target in LEVEL and LEVEL[target] > LEVEL[part(path)]:
                upward.append(f"{path.relative_to(PACKAGE)}:{line} imports {name}")
    assert not upward, "\n".join(upward)


def test_no_import_cycle():
    graph = {}
    for path in source_files():
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        graph[module] = {
            name.removeprefix("gmtoolbox.") for _, name in imported(path) if name != "gmtoolbox"
        } - {module}
    done, path = set(), []

    def visit(module):
        assert module not in path, f"import cycle: {' -> '.join([*path, module])}"
        if module not in done:
            path.append(module)
            for target in sorted(graph.get(module, ())):
                visit(target)
            path.pop()
            done.add(module)

    for module in sorted(graph):
        visit(module)


def test_compiled_module_has_one_importer():
    users = [
        path.name
        for path in source_files()
        if any(name == "gmtoolbox._cext" for _, name in imported(path))
    ]
    assert users == ["_ffi.py"]


def test_registry_and_command_line_import_no_numpy():
    code = (
        "import sys, gmtoolbox, gmtoolbox.cli as cli; cli.make_parser(); gmtoolbox.gm_methods(); "
        "print([m for m in ('numpy', 'scipy', 'h5py', 'joblib', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]", "import from gmtoolbox.core.lazy instead"


def test_only_results_and_problems_look_upward():
    """lazy.upward is the one way around the map: for saving, loading and drawing."""
    users = {
        str(path.relative_to(PACKAGE))
        for path in source_files()
        if "upward(" in path.read_text("utf-8")
    }
    assert users <= {"core/lazy.py", "core/problem.py", "core/result.py", "io/results.py"}


def test_folders_of_c_form_the_dag_of_the_map():
    source = ROOT / "cext" / "src"
    level = {name: k for k, names in enumerate(lines_of_map("cext/src/")) for name in names}
    assert level.keys() == {path.name for path in source.iterdir() if path.is_dir()}
    wrong = []
    for path in sorted(source.rglob("*.[ch]")):
        home = path.relative_to(source).parts[0]
        for included in re.findall(r'#include "([a-z_]+)/', path.read_text("utf-8")):
            if included != home and level[included] >= level[home]:
                wrong.append(f"{path.relative_to(source)} includes {included}")
    assert not wrong, "\n".join(wrong)
