"""Runs: a list with tables, pictures and files, the same from gm_batch and from a store."""

import pickle
import sys

import pytest
from sample_store import OPTIMUM, add, fill

import gmtoolbox as gm
from gmtoolbox.bench.printing import print_tables
from gmtoolbox.bench.runs import Runs
from gmtoolbox.bench.store.store import InstanceRow, Store


@pytest.fixture
def path(tmp_path):
    """The file of a store with the sample."""
    with Store(tmp_path / "s.db", write=True) as store:
        fill(store)
    return tmp_path / "s.db"


def three_seeds(path):
    """Write a store of 4 instances; 'm' solves all but one of its 12 runs, 'n' half of them."""
    with Store(path, write=True) as store:
        for k in range(4):
            store.add_instance(InstanceRow("d", f"d{k}", k, "", 1, 1, optimum=OPTIMUM))
            for seed in range(3):
                found = OPTIMUM if (k, seed) != (3, 2) else OPTIMUM / 2
                add(store, "d", k, "m", 1, [(1.0, found, -200.0)], None, [], seed=seed)
                half = OPTIMUM if k < 2 else OPTIMUM / 2
                add(store, "d", k, "n", 1, [(2.0, half, -200.0)], None, [], seed=seed)
    return path


@pytest.mark.usefixtures("without_processes")
def test_gm_batch_returns_a_list_that_is_more():
    """Compared with what a list did before: equality, indexing, slices, copies."""
    runs = gm.gm_batch({"a": [[2.0]], "b": [[3.0]]}, ["fw", "sm"], time_limit=[1, 5])
    assert isinstance(runs, Runs) and isinstance(runs, list) and len(runs) == 4
    assert runs == list(runs) and runs[0] is next(iter(runs)) and runs[-1].instance == "b"
    assert [run.value for run in runs] == [2.0, 2.0, 3.0, 3.0]
    part = runs[:2]
    assert isinstance(part, Runs) and {run.instance for run in part} == {"a"}
    assert "1 instance, 2 methods" in repr(part) and "4 runs: 2 instances" in repr(runs)
    assert "(1 s)" in repr(runs) and "(5 s)" in repr(runs)
    assert pickle.loads(pickle.dumps(runs)).table() == runs.table()
    assert runs.evaluation().problems.keys() == {"batch"}
    ((a, b),) = runs.evaluation().problems.values()
    assert (a.sign, b.sign) == (-1.0, -1.0)  # maximised: the sense is kept


def test_a_store_alone_prints_the_tables_again(path, capsys):
    print_tables(path)
    printed = capsys.readouterr().out
    runs = Runs.load(path)
    assert (
        runs.table() == printed and repr(runs).endswith(printed) and repr(runs.table()) == printed
    )
    with pytest.raises(gm.InputError, match="form must be one of runs, .* got 'html'"):
        runs.table("html")
    assert "Wilcoxon" in runs.significance() == runs.table("significance")
    assert repr(Runs()) == "0 runs: 0 instances, 0 methods" and Runs()._repr_html_()


def test_html_escapes_names_and_marks_the_best(path):
    text = Runs.load(path)._repr_html_()
    assert text.count("<table>") == 2 and "a <b>&'" not in text and "a &lt;b&gt;" in text
    assert "<th scope='row'>quick</th>" in text and "<b>" in text and "4 failed" in text


def test_saved_runs_are_the_same_in_every_file(path, tmp_path):
    runs = Runs.load(path)
    runs.save(tmp_path / "copy.db")
    again = Runs.load(tmp_path / "copy.db")
    assert again.table("csv") == runs.table("csv") and len(again) == len(runs)
    runs[:2].save(tmp_path / "part.db")
    assert len(Runs.load(tmp_path / "part.db")) == 2
    runs.save(tmp_path / "part.db")  # adds to what is there
    assert Runs.load(tmp_path / "part.db").table("csv") == runs.table("csv")
    runs.save(tmp_path / "runs.csv")
    assert (tmp_path / "runs.csv").read_text("utf-8").count("\n") == len(runs) + 1
    with pytest.raises(gm.InputError, match="unknown file type"):
        runs.save(tmp_path / "runs.doc")


def test_report_has_the_runs_of_the_list_only(path, tmp_path):
    runs = Runs.load(path)
    quick = [run.method == "quick" for run in runs]
    first = quick.index(True)
    page = runs[first : first + 1].report(tmp_path / "report.html")
    text = page.read_text("utf-8")
    assert page == tmp_path / "report.html"
    assert "data-method='quick'" in text and "data-method='exact'" not in text


def test_dataframe_has_a_row_for_each_run(path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    runs = Runs.load(path)
    frame = runs.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(runs)
    assert frame[frame.method == "exact"].value.eq(OPTIMUM).all()
    assert frame.groupby("method").outcome.value_counts()["poor", "crash"] == 4
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gm.InputError, match="to_dataframe needs the package pandas"):
        runs.to_dataframe()


def test_pictures_take_runs(path):
    runs = Runs.load(path)
    assert "all datasets" in repr(runs.profile()) and "points" in repr(runs.profile("points"))
    assert [curve.method for curve in runs.curves()][0] == "quick"
    for picture in (gm.plot.profile(runs), gm.plot.cactus(runs), runs.profile("points")):
        assert "data-method='quick'" in str(picture).replace('"', "'")
    with pytest.raises(gm.InputError, match="no dataset 'x'; there is"):
        runs.profile("x")
    with pytest.raises(gm.InputError, match="kind must be 'profile' or 'cactus', got 'bar'"):
        runs.curves("bar")
    with pytest.raises(gm.InputError, match="Runs of gm_batch .*, or objects .* got Run$"):
        gm.plot.profile(list(runs))
    with pytest.raises(gm.InputError, match=r"gm.Runs.load.path.*got str$"):
        gm.plot.cactus(str(path))
    with pytest.raises(gm.InputError, match="got DataFrame$"):
        gm.plot.profile(runs.to_dataframe())


def test_with_several_seeds_an_instance_is_one_instance(tmp_path):
    """4 instances with 3 seeds are 4 in curves and means, not 12: failed before."""
    runs = Runs.load(three_seeds(tmp_path / "s.db"))
    ends = {curve.method: curve.y[-1] for curve in runs.curves("cactus")}
    assert ends == {"m": pytest.approx(11 / 3), "n": pytest.approx(2.0)}
    shares = {curve.method: curve.y[-1] for curve in runs.curves("profile")}
    assert shares == {"m": pytest.approx(11 / 12), "n": pytest.approx(1 / 2)}
    assert repr(runs).startswith("24 runs: 4 instances, 2 methods\n")
    text = runs.report(tmp_path / "r.html").read_text("utf-8")
    assert "solved of 4" in text and ">3.7</td>" in text and ">11</td>" not in text
    for line in runs.table("csv").splitlines()[1:]:
        assert line.split(",")[3] == "4"
