"""Run the commands and programs of the first pages as they stand, with the installed package.

    python scripts/run_start_page.py README.md docs/index.md docs/install.md docs/quickstart.md

`scripts/try_wheel` calls it in an empty folder, in a new environment that has the wheel and its
dependencies and nothing else. Commands that install the package or need its source are left out.
"""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

SOURCE = ("pip", "scripts/demo", "scripts/test")  # commands that install, or need the source


def blocks(page, language):
    """Return the code blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def commands(page):
    """Return the words of every command of a page that uses the installed package."""
    lines = "".join(blocks(page, "sh")).splitlines()
    found = [shlex.split(line, comments=True) for line in lines]
    return [words for words in found if words and words[0] not in SOURCE]


def programs(page):
    """Return the Python programs of a page; sessions with >>> are not among them."""
    return [code for code in blocks(page, "python") if not code.startswith(">>>")]


def run(words):
    """Run a command and return its output; the program ends if it fails or prints nothing."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    except OSError as error:
        sys.exit(f"{shlex.join(words)}: {error}")
    if done.returncode or not done.stdout.strip():
        sys.exit(f"{shlex.join(words)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def run_page(page):
    """Run everything that a page shows and return the number of commands, programs and examples."""
    for words in commands(page):
        run(words)
    for code in programs(page):
        run([sys.executable, "-c", code])
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    examples = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    if examples.failed:
        sys.exit(f"{page}: {examples.failed} of {examples.attempted} examples fail")
    return len(commands(page)), len(programs(page)), examples.attempted


def main(pages):
    """Run all pages and print a line for each."""
    for page in map(Path, pages):
        counts = run_page(page.resolve())
        print("{}: {} commands, {} programs, {} examples run".format(page.name, *counts))


if __name__ == "__main__":
    main(sys.argv[1:])
