"""The measure of looks: CPU time between two of them, only in builds that ask for it."""

import shutil
import subprocess
import time
from pathlib import Path

import cffi
import pytest
from gmtoolbox._cext import lib

CEXT = Path(__file__).resolve().parents[3] / "cext"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """(ffi, lib) of watch.c and looks.c with the measure in them."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    made = tmp_path_factory.mktemp("looks") / "looks.so"
    sources = [CEXT / "src" / "base" / f"{name}.c" for name in ("looks", "watch", "clock")]
    flags = ["-DGM_MEASURE_LOOKS", "-shared", "-fPIC", f"-I{CEXT}/include", f"-I{CEXT}/src"]
    subprocess.run(["cc", *flags, "-o", made, *sources], check=True, timeout=120)
    ffi = cffi.FFI()
    ffi.cdef("""
        typedef struct gm_interval { double seconds; int64_t from, to; } gm_interval;
        typedef struct gm_watch {
            double deadline; const int32_t *stop; int64_t unlooked; int32_t is_over;
        } gm_watch;
        void gm_looks_begin(void); void gm_looks_note(int64_t); gm_interval gm_looks_longest(void);
        void gm_looks_cut_at(int64_t); int64_t gm_looks_count(void);
        int gm_is_late(double); int gm_watch_look(gm_watch *);
    """)
    return ffi, ffi.dlopen(str(made))


def work(seconds):
    """Take CPU time."""
    begin = time.thread_time()
    while time.thread_time() - begin < seconds:
        pass


def test_the_product_measures_nothing():
    assert not hasattr(lib, "gm_looks_begin")


def test_the_longest_interval_and_its_places(measured):
    _, looks = measured
    looks.gm_looks_begin()
    work(0.01)
    looks.gm_looks_note(7)
    work(0.03)
    looks.gm_looks_note(8)
    looks.gm_looks_note(9)
    longest = looks.gm_looks_longest()
    assert 0.03 <= longest.seconds < 1.0 and (getattr(longest, "from"), longest.to) == (7, 8)
    looks.gm_looks_begin()  # forgets
    time.sleep(0.02)  # does not count
    looks.gm_is_late(0.0)
    assert looks.gm_looks_longest().seconds < 0.015


def test_runs_are_over_at_a_given_look(measured):
    ffi, looks = measured
    watch = ffi.new("gm_watch *")
    looks.gm_looks_cut_at(3)
    assert [looks.gm_watch_look(watch) for _ in range(4)] == [0, 0, 1, 1]
    assert looks.gm_looks_count() == 4
    looks.gm_looks_cut_at(0)
    assert not looks.gm_watch_look(ffi.new("gm_watch *"))
