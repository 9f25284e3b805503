"""Readers under Hypothesis: files that it edits, and makes small again where one is found.

What goes through the HDF5 library has a process of its own in tests/fuzz instead.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repetition import times

from gmtoolbox.core.errors import GMError

sys.path.append(str(Path(__file__).resolve().parents[1] / "fuzz"))
from fuzz_readers import READERS, seeds  # noqa: E402
from mutants import ODD  # noqa: E402

NAMES = [name for name in READERS if name != "mat73" and not name.endswith(".h5")]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 10**6),  # where, from the beginning again behind the end
        st.integers(0, 8),  # bytes that are taken out there
        st.one_of(st.binary(max_size=6), st.sampled_from(ODD), st.text(max_size=4).map(str.encode)),
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def contents():
    with tempfile.TemporaryDirectory() as folder:
        return seeds(Path(folder))


def edited(content, edits):
    for where, taken, put in edits:
        at = where % (len(content) + 1)
        content = content[:at] + put + content[at + taken :]
    return content


@pytest.mark.parametrize("name", NAMES)
def test_edited_files_are_read_or_refused_in_one_line(name, contents, tmp_path, pytestconfig):
    file, read = READERS[name]
    examples = 2000 if pytestconfig.getoption("--slow") else times(25)

    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.sampled_from(contents[name]), EDITS)
    def check(content, edits):
        (tmp_path / file).write_bytes(edited(content, edits))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                read(tmp_path / file)
            except (GMError, OSError) as error:
                assert "\n" not in str(error)

    check()
