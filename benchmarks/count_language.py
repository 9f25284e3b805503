"""Count phrases that a plain technical text rarely uses, per 1000 words, next to other libraries.

    python benchmarks/count_language.py [--pages FOLDER ...] [FOLDER ...]

The words of docstrings, comments and strings of the Python files are counted, for gmtoolbox and for
scipy.optimize, networkx and joblib if they are installed; comments of C files and pages in Markdown
have columns of their own. FOLDER adds a column of Python files, --pages one of pages (.md, .rst),
such as the `doc` folder of another library's source: guides use fewer conditions than docstrings.
"""

import argparse
import importlib.util
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("scipy.optimize", "networkx", "joblib")
GENERATED = ("api", "methods", "auto_examples")  # folders of docs/

PHRASES = {
    '"what it / the / a / has ..." as a noun': (
        r"\bwhat (?:an?|the|its?|they|is|was|has|no|each|one)\b"
    ),
    '"what" at all': r"\bwhat\b",
    "tell, tells, told": r"\b(?:tell|tells|told)\b",
    "where": r"\bwhere\b",
    "if": r"\bif\b",
    '"is no X"': r"\b(?:is|are) no\b",
    "somebody, nobody, whoever, who": r"\b(?:some|no|every)body\b|\bwho(?:ever)?\b",
    "so many, so much, so long": r"\bso (?:many|much|long)\b",
    "beside, by turns, at last, anew, ...": (
        r"\b(?:beside|by turns|at last|lately|in earnest|anew|in vain|dear)\b"
    ),
}


def python_texts(folder):
    """Yield the comments and strings of all Python files below a folder, tests left out."""
    for path in sorted(folder.rglob("*.py")):
        if {"test", "tests"} & set(path.parts):
            continue
        source = path.read_text(encoding="utf-8")
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING:
                yield token.string


def c_texts(folder):
    """Yield the comments of all C files below a folder."""
    for path in sorted(folder.rglob("*.[ch]")):
        yield from re.findall(r"/\*.*?\*/|//[^\n]*", path.read_text("utf-8"), re.S)


def page_texts(folder):
    """Yield the pages below a folder, without their code."""
    for path in sorted([*folder.rglob("*.md"), *folder.rglob("*.rst")]):
        if path.parent.name in GENERATED:
            continue  # from docstrings, which are counted
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
        yield re.sub(r"^(?: {4,}|>>>|\.\.\. ).*$", "", text, flags=re.M)


def count(texts):
    """Return (number of words, {phrase: how often per 1000 words})."""
    joined = " ".join(re.sub(r"[\s#*]+", " ", text) for text in texts)
    words = len(re.findall(r"[A-Za-z][A-Za-z'-]+", joined))
    found = {
        name: 1000 * len(re.findall(pattern, joined, re.I)) / max(words, 1)
        for name, pattern in PHRASES.items()
    }
    return words, found


def columns(folders, pages):
    """Yield (name, (words, counts)) of everything that is counted."""
    yield "gmtoolbox", count(python_texts(ROOT / "gmtoolbox"))
    yield "C", count(c_texts(ROOT / "cext"))
    yield "pages", count(page_texts(ROOT / "docs"))
    for name in PEERS:
        found = importlib.util.find_spec(name)
        if found is not None:
            yield name, count(python_texts(Path(found.origin).parent))
    for folder in folders:
        yield folder, count(python_texts(Path(folder)))
    for folder in pages:
        yield folder, count(page_texts(Path(folder)))


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--pages", nargs="+", metavar="FOLDER", default=[])
    arguments = parser.parse_args()
    table = dict(columns(arguments.folders, arguments.pages))
    peers = [name for name in PEERS if name in table]
    print("| per 1000 words | " + " | ".join(table) + " | mean of peers |")
    print("|---" * (len(table) + 2) + "|")
    print("| words | " + " | ".join(str(words) for words, _ in table.values()) + " | |")
    for phrase in PHRASES:
        shown = " | ".join(f"{counts[phrase]:.2f}" for _, counts in table.values())
        mean = sum(table[name][1][phrase] for name in peers) / max(len(peers), 1)
        print(f"| {phrase} | {shown} | {mean:.2f} |")


if __name__ == "__main__":
    main()
