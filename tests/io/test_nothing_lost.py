"""What dd files cannot say by themselves stands in comments; test_format_contract.py compares what
every format keeps.
"""

import gzip
from dataclasses import replace

import numpy as np
import pytest

import gmtoolbox as gm


def test_dd_comments_stand_at_the_end(tmp_path):
    """A reader that stops at the first comment has read everything else."""
    problem = replace(gm.synth.car(seed=0, size=5), offset=2.5, sense="max")
    gm.save(problem, tmp_path / "p.dd")
    kinds = [line.split()[0] for line in (tmp_path / "p.dd").read_text("utf-8").splitlines()]
    assert "c" not in kinds[: kinds.index("c")] and set(kinds[kinds.index("c") :]) == {"c"}
    assert kinds[0] == "p"
    ours = [line for line in (tmp_path / "p.dd").read_text("utf-8").splitlines() if line[0] == "c"]
    assert "c gmtoolbox sense max" in ours and "c gmtoolbox offset 2.5" in ours


def test_dd_without_comments_is_what_it_always_was(tmp_path):
    (tmp_path / "p.dd").write_text("c gmtoolbox sense max\np 1 1 1 0\na 0 0 0 -1\nc hello\n")
    assert gm.load(tmp_path / "p.dd").sense == "min"  # ours stand at the end only
    (tmp_path / "q.dd").write_text("p 1 1 1 0\na 0 0 0 -1\nc gmtoolbox complete\nc gmtoolbox new 3")
    assert gm.load(tmp_path / "q.dd").complete


@pytest.mark.parametrize(
    "comment, message",
    [
        ("sense most", "sense must be 'min' or 'max'"),
        ("complete maybe", "must be true or false"),
        ("offset much", "could not convert"),
        ("offset inf", "offset must be finite"),
        ("ground_truth 0 0", "ground_truth"),
        ("ground_truth 99999999999999999999", "ground_truth.*too large"),
        ('nodes1 ["a", "b"]', "a list of 1 names"),
        ("nodes2 {", "nodes2 must be a JSON list"),
    ],
)
def test_damaged_comments_are_named(comment, message, tmp_path):
    with gzip.open(tmp_path / "p.dd.gz", "wt") as file:
        file.write(f"p 1 1 1 0\na 0 0 0 -1\nc gmtoolbox {comment}\n")
    with pytest.raises(gm.FileFormatError, match=message):
        gm.load(tmp_path / "p.dd.gz")


def test_large_variables_of_a_mat_file_read_in_scipy(tmp_path):
    """Compressed and plain variables side by side."""
    import scipy.io

    rng = np.random.default_rng(0)
    n = 60
    left, right = np.divmod(np.arange(n * n), n)
    a, b = rng.integers(0, n * n, (2, 60_000))
    kept = a != b
    problem = gm.Problem(
        (n, n), left, right, rng.normal(size=n * n), a[kept], b[kept], rng.normal(size=kept.sum())
    )
    gm.save(problem, tmp_path / "p.mat")
    assert gm.load(tmp_path / "p.mat") == problem
    found = scipy.io.loadmat(tmp_path / "p.mat")
    assert abs(found["K"] - problem.K).max() == 0 and found["Ct"].sum() == n * n
