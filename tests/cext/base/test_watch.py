"""Looks at the clock: a run is over at its deadline or when its caller asks for it."""

from c_internals import internals


def watch(deadline, stop=0):
    ffi, lib = internals("base/watch.h")
    flag = ffi.new("int32_t *", stop)
    made = ffi.new("gm_watch *")
    made.deadline, made.stop = deadline, flag
    return lib, made, flag


def test_a_deadline_that_has_passed_ends_a_run():
    lib, made, _ = watch(1e-9)
    assert lib.gm_is_late(1e-9) and lib.gm_watch_look(made) and made.is_over


def test_without_a_deadline_only_the_caller_ends_it():
    lib, made, flag = watch(0.0)
    assert not lib.gm_watch_look(made)
    flag[0] = 1
    assert lib.gm_watch_look(made) and made.is_over
