"""Numbers of a text, and the place of the first word that is none."""

import numpy as np
import pytest

from gmtoolbox.core._ffi import ffi, lib, pointer


def read_numbers(text):
    content = text.encode() + b"\0"
    source, position = ffi.from_buffer("char[]", content), ffi.new("int64_t *")
    n = lib.gm_read_numbers(source, len(content) - 1, ffi.NULL, position)
    numbers = np.zeros(max(n, 1))
    return lib.gm_read_numbers(source, len(content) - 1, pointer(numbers), position), (
        numbers[: max(n, 0)].tolist(),
        position[0],
    )


def test_blanks_commas_and_line_ends_separate():
    n, (numbers, _) = read_numbers(" 1, 2\r\n3\t-4.5e1,,6\n")
    assert n == 5 and numbers == [1, 2, 3, -45, 6]
    assert read_numbers("")[0] == read_numbers(" ,\n")[0] == 0


@pytest.mark.parametrize("text, place", [("1 x 2", 2), ("12a", 0), ("1,2,--3", 4)])
def test_what_is_no_number_is_found(text, place):
    n, (_, position) = read_numbers(text)
    assert n == -1 and position == place
