"""A store on the terminal in every form."""

import pytest
from sample_store import fill

from gmtoolbox.bench.commands import FORMATS
from gmtoolbox.bench.printing import print_oddities, print_store, with_legend
from gmtoolbox.bench.store.store import Store

SIGNS = {
    "text": "opt: solved instances",
    "runs": "accuracy",
    "csv": "dataset,time_limit,method",
    "latex": "documentclass",
    "tabular": "begin{tabular}{lrrrr",
    "gaps": "instance",
    "gaps-csv": ",optimum",
    "significance": "Wilcoxon",
}


@pytest.mark.parametrize("form", FORMATS)
def test_every_form(form, capsys):
    with Store() as store:
        print_store(fill(store).loaded(), form, [1.0, 10.0])
    said = capsys.readouterr()
    assert SIGNS[form] in said.out and said.out.endswith("\n") and not said.err


def test_oddities_go_to_stderr(capsys):
    with Store() as store:
        print_oddities(fill(store).loaded())
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("failed: ") == 4


def test_the_legend_explains_the_columns_that_there_are():
    said = with_legend("method  gap  E\n------  ---  --\nfm      0*   -3")
    assert said.split("\n\n")[1] == (
        "gap: mean distance to the optimum or the best value seen, E: mean value, *: best\n"
    )
