"""Keep the output of a measuring script in docs/results.

    python benchmarks/keep.py docs/results/baselines.md benchmarks/baselines_table.py 15

runs the script and puts its output in the place that the page has for this command:

    <!-- measured: benchmarks/baselines_table.py 15 -->
    ...
    <!-- end -->

A page without such a place gets one at its end. Nothing is changed where the script fails.
"""

import re
import subprocess
import sys
from datetime import date
from pathlib import Path


def kept(page, command, printed, day):
    """Return the page with the output in the command's place; as text if it is not a table."""
    printed = printed.strip("\n").rstrip()  # the first line may be indented
    if not printed.startswith("|"):
        printed = f"```text\n{printed}\n```"
    section = f"<!-- measured: {command} -->\n\n{printed}\n\nMeasured {day}.\n\n<!-- end -->"
    place = re.compile(rf"<!-- measured: {re.escape(command)} -->.*?<!-- end -->", re.S)
    if place.search(page):
        return place.sub(lambda _: section, page)
    return f"{page.rstrip()}\n\n{section}\n"


def main(page, *command):
    done = subprocess.run([sys.executable, *command], stdout=subprocess.PIPE, text=True, check=True)
    path = Path(page)
    before = path.read_text("utf-8") if path.exists() else f"# {path.stem.replace('-', ' ')}\n"
    path.write_text(kept(before, " ".join(command), done.stdout, date.today().isoformat()))


if __name__ == "__main__":
    main(*sys.argv[1:])
