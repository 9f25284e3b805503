"""Pages that repeat what the code says, written when a build begins: docs/methods from the
registry, docs/api from the public names. Pages that no toctree lists are added to the guide.
"""

import inspect
import json
import re
from importlib import import_module
from pathlib import Path

from related import examples_of, public, see_also, title_of

import gmtoolbox as gm
from gmtoolbox.core.result import BaseResult
from gmtoolbox.engine.advice import MEASURED
from gmtoolbox.engine.registry import is_own, preset
from gmtoolbox.io.files import write_bytes

DOCS = Path(__file__).resolve().parent.parent
FAMILIES = {  # family -> the page that explains it
    "annealing": "baselines",
    "dual": "message-passing",
    "exact": "exact",
    "fixed point": "baselines",
    "frank-wolfe": "message-passing",
    "fusion": "fusion-moves",
    "max-pooling": "baselines",
    "path following": "baselines",
    "probabilistic": "baselines",
    "random walk": "baselines",
    "sparse model": "baselines",
    "spectral": "baselines",
}
PAGES = {  # method -> the same, if its family has another page
    "dd-ls0": "dual-decomposition",
    "dd-ls3": "dual-decomposition",
    "dd-ls4": "dual-decomposition",
    "faq": "two-matrices",
    "ilp": "exact",
}
FIGURES = {"two-matrices": "networks"}  # page -> its results, if they have another name
NEEDS = {
    "bijective": "equally many nodes on both sides and complete matchings",
    "nonpositive": "costs that are at most zero",
    "zero-unaries": "no unary costs",
    "left-complete": "a label for every left node (dummies stand for unmatched)",
}
GROUPS = {  # heading -> module and its public names; everything else of gmtoolbox is in the first
    "Solving, loading, judging": ("gmtoolbox", None),
    "Own solvers": (
        "gmtoolbox",
        ("solver", "Outcome", "Range", "Choice"),
    ),
    "Problems from your data: gm.models": ("gmtoolbox.models", None),
    "Synthetic problems: gm.synth": ("gmtoolbox.models.synth", None),
    "One problem as another: gm.reductions": ("gmtoolbox.models.reductions", None),
    "Installed data: gm.data": ("gmtoolbox.data", None),
    "Pictures: gm.plot": ("gmtoolbox.plot", None),
}


def ours():
    return [method for method in gm.gm_methods() if not is_own(method)]


def idea(method):
    """The first paragraph of its docstring."""
    return " ".join(inspect.cleandoc(method.function.__doc__).split("\n\n")[0].split())


def escaped(line):
    """Markdown signs in a line of prose, outside `code`, as they are."""
    pieces = re.split(r"(`[^`]*`)", line)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"([*_<>\[\]$#\\|])", r"\\\1", piece)
        for piece in pieces
    )


def table(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join([*lines, *("| " + " | ".join(map(cell, row)) + " |" for row in rows)]) + "\n"


def cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ")


def option_rows(method):
    for option in method.options:
        yield (
            f"`{option.name}`",
            option.type.__name__,
            f"`{option.default!r}`",
            option.rule or "",
            escaped(option.doc),
        )


def measured_rows(name):
    for kind in json.loads(MEASURED.read_text(encoding="utf-8")):
        one = kind["methods"].get(name)
        if one:
            percent = 100 * one["gap"]
            gap = "0 %" if percent < 1e-4 else f"{percent:.{2 if percent < 100 else 3}g} %"
            proven = "yes" if one["proven"] else "no"
            yield kind["kind"], f"{kind['n_edges']}", gap, f"{one['seconds']:.2g}", proven


def sentences(method):
    needs = [NEEDS.get(need, need) for need in method.needs]
    yield f"Family: {method.family}. Paper: {escaped(method.paper)}."
    if needs:
        yield (
            f"It expects {' and '.join(needs)}; `gm_solve` converts every problem to that form"
            " and the answer back."
        )
    yield "It returns a bound." if method.has_bound else "It does not return a bound."
    if method.takes_init:
        yield "It takes a warm start, `init=labels`."
    if method.kernel:
        yield "`gm_solve_many` runs it in C."
    if method.matrix_free:
        yield "It only multiplies with K, so the edges of large problems are not stored."


def method_page(method):
    explained = PAGES.get(method.name) or FAMILIES[method.family]
    rows = list(measured_rows(method.name))
    figures = FIGURES.get(explained, explained)
    variant = preset(method).strip(" []")
    headings = ("kind of problem", "edges", "distance to the best", "CPU s", "proven")
    parts = [
        f"# {method.name}",
        f"*Idea, options and measured behaviour of `{method.name}`.*",
        f"**{escaped(idea(method))}**",
        " ".join(sentences(method)),
        f"A variant: `{variant}`." if variant else "",
        f'```python\nr = gm.gm_solve(problem, "{method.name}")\n```',
        f"## How it works\n\n```{{eval-rst}}\n{details(method)}\n```",
        f"More about it: [{title_of(DOCS / f'{explained}.md')}](../{explained}.md).",
        "## Options",
        table(("option", "type", "default", "range", "meaning"), option_rows(method)),
        "Every method also takes `time_limit`, `seed`, `complete` and `progress`:"
        " see [gm_solve](../api/gmtoolbox.gm_solve.md). [All options](options.md).",
        "## Measured",
        table(headings, rows) if rows else "Not in the comparison of all methods.",
        "One synthetic problem of each kind, limit 1 s, by `benchmarks/bench_choosing.py`"
        f" ([all methods](../results/choosing.md)). More: [figures](../results/{figures}.md).",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def details(method):
    """Return all but the first paragraph of its docstring, which is reStructuredText."""
    return inspect.cleandoc(method.function.__doc__).partition("\n\n")[2]


def options_page():
    """Return the page of all options: which methods have one, its type, default and meaning."""
    meanings = {}
    for method in ours():
        for option in method.options:
            key = option.name, option.type.__name__, str(option.rule or ""), option.doc
            meanings.setdefault(key, []).append((method.name, option.default))
    parts = [
        "# Options of all methods",
        "*Every option, its type, range and meaning, and the methods that take it.*",
        'Options are keyword arguments of `gm_solve`: `gm.gm_solve(p, "fm", maxiter=100)`; on the'
        " command line `--set maxiter=100`, in a benchmark `fm:maxiter=100`.",
    ]
    names = sorted({key[0] for key in meanings})
    for name in names:
        parts.append(f"## {name}")
        for (own, kind, rule, doc), users in sorted(meanings.items()):
            if own == name:
                defaults = dict.fromkeys(repr(default) for _, default in users)
                links = ", ".join(f"[{user}]({user}.md)" for user, _ in users)
                limits = f", {rule}" if rule else ""
                default = " or ".join(f"`{text}`" for text in defaults)
                parts.append(f"{escaped(doc)} (`{kind}`{limits}; default {default}): {links}.")
    return "\n\n".join(parts) + "\n"


def methods_table():
    return table(
        ("method", "family", "bound", "idea"),
        (
            (
                f"[{method.name}](methods/{method.name}.md)",
                method.family,
                "yes" if method.has_bound else "",
                escaped(idea(method) + preset(method)),
            )
            for method in ours()
        ),
    )


def public_names(home, names):
    """The names of a group: functions and classes."""
    taken = {name for _, group in GROUPS.values() for name in group or ()}
    if names is None and home is gm.synth:
        names = ["generate", *(shape.replace("-", "_") for shape in gm.synth.SHAPES)]
    if names is None:
        aliases = getattr(home, "_ALIASES", {})
        names = [n for n in exported(home) if n not in taken and n not in aliases]
    return [n for n in names if callable(getattr(home, n))]


def exported(home):
    """What a module offers: its __all__, or the functions written in it."""
    if hasattr(home, "__all__"):
        return home.__all__
    return [
        name
        for name, value in vars(home).items()
        if not name.startswith("_")
        and inspect.isfunction(value)
        and value.__module__ == home.__name__
    ]


def name_page(module, name, value, known=(), has_gallery=False):
    """Return a page that Sphinx fills from the docstring, with related names and examples."""
    kind = "autoclass" if inspect.isclass(value) else "autofunction"
    members = "\n   :members:" if kind == "autoclass" else ""
    if kind == "autoclass" and issubclass(value, BaseResult):
        members += "\n   :inherited-members: Saved"  # save, summary and the like
    home = module.partition("gmtoolbox.")[2]
    inner = f"{home}.{name}" if home else name
    parts = [
        f"# gm.{public(inner)}",
        f"```{{eval-rst}}\n.. {kind}:: {module}.{name}{members}\n```",
        see_also(inner, known),
        examples_of(inner, has_gallery),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def api_pages(has_gallery=False):
    """Return {address below docs/api: text}, the index among them."""
    pages = {}
    parts = [
        "# API reference",
        "*For programmers: every public name, from its docstring.*",
        "`import gmtoolbox as gm`; `gm.solve`, `gm.methods` and `gm.batch` are short names of"
        " `gm_solve`, `gm_methods` and `gm_batch`. What is public stays:"
        " [stability](../stability.md).",
    ]
    for heading, (module, names) in GROUPS.items():
        home = import_module(module)
        rows = []
        for name in public_names(home, names):
            value = getattr(home, name)
            address = f"{module}.{name}"
            pages[address] = module, name, value
            rows.append((f"[{name}]({address}.md)", escaped(first_sentence(value))))
        parts.append(f"## {heading}\n\n" + table(("name", "description"), rows))
    pages = {
        address: name_page(*found, known=pages, has_gallery=has_gallery)
        for address, found in pages.items()
    }
    hidden = "\n".join(pages)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{hidden}\n```")
    return {**pages, "index": "\n\n".join(parts) + "\n"}


def first_sentence(value):
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def keep(path, text):
    """Write a page unless it says so already: what is unchanged is not built again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(exist_ok=True)
        write_bytes(path, text.encode())


def write_pages(app):
    methods = {method.name: method_page(method) for method in ours()}
    methods["options"] = options_page()
    has_gallery = "sphinx_gallery.gen_gallery" in app.config.extensions
    for folder, pages in (("methods", methods), ("api", api_pages(has_gallery))):
        for name, text in pages.items():
            keep(DOCS / folder / f"{name}.md", text)
        for path in (DOCS / folder).glob("*.md"):
            if path.name[:-3] not in pages:
                path.unlink()  # of a name that is gone


def examples(app):
    """Return the thumbnails of the gallery, or the names of its programs if it is left out."""
    if "sphinx_gallery.gen_gallery" in app.config.extensions:
        thumbnails = ".. include:: auto_examples/index.rst\n   :start-after: end of its page."
        return f"```{{eval-rst}}\n{thumbnails}\n```"
    names = sorted(path.stem for path in (DOCS / "examples").glob("*.py"))
    return "This build left them out: " + ", ".join(f"`{name}.py`" for name in names) + "."


def measured_or_not(link):
    """A link to a page of results, or plain words where its script has not written it yet."""
    if (DOCS / link[2]).exists():
        return link[0]
    return f"{link[1]}: not measured yet"


def listed(text):
    """The documents that the toctrees of a page name."""
    entries = re.findall(r"```\{toctree\}(.*?)```", text, re.S)
    return {line.split("<")[-1].strip(" >\n") for entry in entries for line in entry.split("\n")}


def unlisted(folder, prefix=""):
    """Return the pages of a folder that no toctree of docs/*.md names."""
    known = {"index", "404"}
    for path in DOCS.glob("*.md"):
        known |= listed(path.read_text(encoding="utf-8"))
    return "\n".join(sorted({prefix + path.stem for path in folder.glob("*.md")} - known))


def fill_in(app, document, source):
    """Replace the comments <!-- all methods -->, <!-- other pages --> and the like of a page."""
    text = source[0]
    if "<!-- all methods -->" in text:
        text = text.replace("<!-- all methods -->", methods_table())
    text = text.replace("<!-- other pages -->", unlisted(DOCS))
    for folder in ("results", "tutorials"):
        others = unlisted(DOCS / folder, f"{folder}/")
        text = text.replace(f"<!-- other {folder} -->", others)
    text = text.replace("<!-- examples -->", examples(app))
    # doctest needs the empty line at the end of an example, readers do not
    text = re.sub(r"(^```python\n.*?)\n+^```$", r"\1\n```", text, flags=re.S | re.M)
    text = re.sub(r"\[([^]]+)\]\((results/[^)#]+\.md)[^)]*\)", measured_or_not, text)
    source[0] = text


def plain_prose(app, what, name, value, options, lines):
    """Docstrings are plain text: |x| and a*b in them are not reStructuredText, unless they are in a
    `.. math::` block.
    """
    formula = None  # the indentation of the directive that the line belongs to
    for k, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() == ".. math::":
            formula = indent
        elif line.strip() and formula is not None and indent <= formula:
            formula = None
        is_code = re.match(r"\s*(>>>|\.\.\. |\*+\w+$|\*+\w+ :|\.\. |- )", line)
        if formula is None and not is_code:
            pieces = re.split(r"(`[^`]*`|\*\*\w+\*\*)", line)
            lines[k] = "".join(
                piece if piece.startswith(("`", "**")) else re.sub(r"([|*])", r"\\\1", piece)
                for piece in pieces
            )


def inherit_fields(app, what, name, value, options, lines):
    """Add the fields that all results share to the attributes of a class of results."""
    if what != "class" or not issubclass(value, BaseResult) or "Attributes" not in lines:
        return
    shared = inspect.getdoc(BaseResult).split("Attributes\n----------\n")[1].splitlines()
    lines[:] = [line.replace("In addition to the fields of BaseResult:", "") for line in lines]
    first = lines.index("Attributes") + 2
    lines[first:first] = shared


def describe(app, pagename, template, context, doctree):
    """Add the description and the social card of a page to its head."""
    title = re.sub(r"<[^>]+>", "", context.get("title") or "gmtoolbox")
    text = "Graph matching, quadratic assignment and graph edit distance, with proofs."
    base = app.config.html_baseurl
    card = f"{base.rstrip('/')}/_static/social-card.png" if base else "_static/social-card.png"
    tags = {"og:title": title, "og:description": text, "og:type": "website", "og:image": card}
    lines = [f'<meta property="{key}" content="{value}">' for key, value in tags.items()]
    lines.append(f'<meta name="description" content="{text}">')
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def setup(app):
    app.connect("html-page-context", describe)
    app.connect("autodoc-process-docstring", inherit_fields, priority=50)
    app.connect("autodoc-process-docstring", plain_prose, priority=100)  # before numpydoc reads it
    app.connect("builder-inited", write_pages)
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
