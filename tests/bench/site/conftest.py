"""A report of the stored runs of sample_store.py, written once."""

import pytest
from sample_store import fill

from gmtoolbox.bench.evaluate.profiles import StepFunction
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import Store

PUBLISHED = (
    None,
    {
        "all": [
            StepFunction("quick", [1.0, 5.0], [0.2, 0.9]),
            StepFunction("unheard-of", [2.0], [0.5]),
        ]
    },
)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "site"
    with Store() as store:
        write_report(fill(store), folder, [1.0, 10.0], PUBLISHED)
    return folder
