"""How long a report of many runs takes to write, and its first page to load in Chromium.

    python benchmarks/bench_report.py [--instances 2500] [--methods 20]

The runs are made up: ten datasets, one run of each method on each instance. The page is opened from
the disk five times; the time is that of the browser's load event, the median.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser import chromium
from sample_store import MACHINE

from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import InstanceRow, Run, Store
from gmtoolbox.core.result import trace_dtype

DATASETS, OPENED = 10, 5
LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--instances", type=int, default=2500)
    parser.add_argument("--methods", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        with Store() as store:
            fill(store, given.instances, given.methods)
            begin = time.process_time()
            write_report(store, site)
            seconds = time.process_time() - begin
        pages = {"first page": site / "index.html", "a dataset": next(site.glob("dataset-*"))}
        print(f"{given.instances * given.methods} runs: written in {seconds:.0f} CPU s")
        print("| page | kB | loaded in (ms) |\n|---|---:|---:|")
        with chromium(f"{folder}/browser") as browser:
            for name, page in pages.items():
                loaded = [open_once(browser, page) for _ in range(OPENED)]
                size = page.stat().st_size / 1000
                print(f"| {name} | {size:.0f} | {statistics.median(loaded):.0f} |")


def fill(store, n_instances, n_methods):
    """Put made-up runs into a store."""
    rng = np.random.default_rng(0)
    for k in range(n_instances):
        dataset, name = f"set{k % DATASETS}", f"p{k}"
        store.add_instance(InstanceRow(dataset, name, k, "", 20, 20, 400, 900, optimum=-100.0))
        for m in range(n_methods):
            end, seconds = -100.0 + (rng.random() < 0.3) * rng.random(), rng.exponential(m + 1.0)
            rows = [(0.1 * seconds, -60.0, -200.0), (seconds, end, -100.0)]
            run = Run(
                dataset, name, f"m{m}", 1, status="converged", value=end, bound=-100.0,
                time=seconds, n_iter=5, trace=np.array(rows, dtype=trace_dtype()), time_limit=10.0,
                **MACHINE,
            )  # fmt: skip
            store.add(run)


def open_once(browser, page):
    """Return the milliseconds until a page is loaded."""
    browser.open(page)
    return browser.run(LOADED)


if __name__ == "__main__":
    main()
