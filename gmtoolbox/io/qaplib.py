"""QAPLIB .dat files: n, then A (n x n), then B (n x n); the Koopmans-Beckmann problem

    min over permutations p of  sum A_ij B_p(i)p(j)

A .sln file next to it (n, value, permutation) is read by read_solution. Numbers may be separated by
blanks, commas and line breaks as in the library's own files.
"""

from pathlib import Path

from gmtoolbox.core._ffi import ffi, lib, pointer
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.core.values import dense, zero_based
from gmtoolbox.io.files import Allowance, read_bytes
from gmtoolbox.io.formats import reader, writer

SUFFIX, SOLUTION_SUFFIX = ".dat", ".sln"
MAX_SIDE = 20_000


@reader(SUFFIX)
def read(path):
    """Problem of a .dat file: complete, minimised, its products implicit."""
    numbers = read_numbers(path)
    n = side(path, numbers)
    if len(numbers) != 1 + 2 * n * n:
        raise FileFormatError(
            path,
            f"n = {n} asks for 1 + 2 n^2 = {1 + 2 * n * n} numbers, the file has {len(numbers)}",
        )
    A, B = (numbers[1 + k * n * n : 1 + (k + 1) * n * n].reshape(n, n) for k in range(2))
    with np.errstate(over="ignore"):
        unary = np.outer(A.diagonal(), B.diagonal())
    right, left = np.divmod(np.arange(n * n), n)
    try:
        return Problem(
            (n, n), left, right, unary[left, right], edges=Products(A, B), complete=True,
            name=Path(path).stem,
        )  # fmt: skip
    except InputError as error:  # products that are too large
        raise FileFormatError(path, str(error)) from error


@writer(SUFFIX, keeps=("complete",))
def dat_bytes(problem):
    """The text of a Koopmans-Beckmann problem without unary costs; other problems have no matrices
    A and B.
    """
    n = problem.shape[0]
    if (
        not isinstance(problem.edges, Products)
        or problem.shape != (n, n)
        or np.any(problem.cost)
        or not problem.complete
        or problem.n_candidates != n * n
    ):
        raise InputError(
            f"a {SUFFIX} file holds square Koopmans-Beckmann problems without unary costs and"
            " forbidden pairs, complete"
        )
    matrices = (
        "\n".join(" ".join(spell_number(x) for x in row) for row in dense(M).tolist())
        for M in (problem.edges.A, problem.edges.B)
    )
    return (f"{n}\n\n" + "\n\n".join(matrices) + "\n").encode()


def read_solution(path):
    """(value, 0-based labels) of a .sln file."""
    numbers = read_numbers(path)
    n = side(path, numbers)
    labels = zero_based(numbers[2:]) if len(numbers) == 2 + n else np.zeros(0, dtype=np.int64)
    if sorted(labels.tolist()) != list(range(n)):
        raise FileFormatError(path, f"must hold n = {n}, the value and a permutation of 1..{n}")
    return float(numbers[1]), labels


def read_numbers(path):
    """Every number of the file."""
    allowance = Allowance(path)
    text = read_bytes(path, allowance)
    content, position = ffi.from_buffer("char[]", text), ffi.new("int64_t *")
    count = lib.gm_read_numbers(content, len(text) - 1, ffi.NULL, position)
    numbers = np.empty(count)
    if lib.gm_read_numbers(content, len(text) - 1, pointer(numbers), position) < 0:
        word = text[position[0] : position[0] + 40].split(maxsplit=1)[0]
        raise FileFormatError(
            path, f"must hold numbers only, got {word.decode('ascii', 'backslashreplace')!r}"
        )
    if not np.all(np.isfinite(numbers)):
        raise FileFormatError(path, "must hold finite numbers only")
    return numbers


def side(path, numbers):
    """The n that a file begins with."""
    if not len(numbers) or numbers[0] != round(numbers[0]) or not 1 <= numbers[0] <= MAX_SIDE:
        raise FileFormatError(
            path,
            f"must start with the size n in 1..{MAX_SIDE}, got"
            f" {numbers[0] if len(numbers) else 'nothing'}",
        )
    return int(numbers[0])


def spell_number(number):
    """A number without needless digits."""
    return str(int(number)) if number == int(number) else repr(number)
