"""Octave's own text format, the default of its `save`, as {name: value}.

    # name: K
    # type: matrix
    # rows: 2
    # columns: 2
     1 2
     3 4

Every value has header lines `# word: text` and then its numbers; structs and cells hold values of
the same form. Values come as those of mat5 do: arrays, csc arrays, str, dicts, object arrays.
"""

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.values import zero_based
from gmtoolbox.io.files import NODE_BYTES, refuse_errors
from gmtoolbox.io.mat5 import CELL_BYTES, MAX_DEPTH

MAGIC = b"# Created by Octave"
BINARY_MAGIC = b"Octave-1-"
LINE_BYTES = 64  # that a line counts for, whatever is in it
INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))


def read_variables(path, content, allowance):
    """Return all variables of a text file; claimed sizes are taken from the allowance."""
    text = bytes(content).decode("utf-8", errors="replace")
    allowance.take("the lines of the text", LINE_BYTES * text.count("\n"))
    with refuse_errors(path, "is no readable text of Octave"):
        return TextReader(path, text.split("\n"), allowance).variables()


class TextReader:
    """One pass over the lines; `self.at` is the next one."""

    def __init__(self, path, lines, allowance):
        self.path, self.lines, self.allowance, self.at = path, lines, allowance, 0

    def variables(self):
        """{name: value} of the whole file."""
        found = {}
        while (name := self.next_name()) is not None:
            found[name] = self.value(0)
        return found

    # ---- lines

    def fail(self, message):
        """FileFormatError at the line that was read last."""
        raise FileFormatError(self.path, message, min(self.at, len(self.lines)) or 1)

    def next_name(self):
        """The name of the next value, or None at the end of the file."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if line.startswith("# name: "):
                return line[8:].strip()
            if line.strip() and not line.startswith("#"):
                self.fail(f"expected '# name: ...', got {line[:40]!r}")
        return None

    def header(self, word):
        """The text behind `# word:` on the next line."""
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        self.at += 1
        if not line.startswith(f"# {word}:"):
            self.fail(f"expected '# {word}: ...', got {line[:40]!r}")
        return line.partition(":")[2].strip()

    def count(self, word):
        """The whole number behind `# word:` on the next line."""
        text = self.header(word)
        if not text.isdecimal() or len(text) > 10:
            self.fail(f"{word} must be a whole number, got {text[:20]!r}")
        return int(text)

    def numbers(self, n):
        """The next n numbers, over as many lines as they take."""
        begin, have = self.at, 0
        while have < n and self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("#"):
                break
            have += len(line.split())
            self.at += 1
        words = " ".join(self.lines[begin : self.at]).split()
        if len(words) != n:
            self.fail(f"expected {n} numbers, got {len(words)}")
        try:
            return np.array([np.nan if word == "NA" else float(word) for word in words])
        except ValueError:
            self.fail("expected real numbers")

    def size(self):
        """(rows, columns), in either of the two ways that Octave writes them."""
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        if line.startswith("# ndims:"):
            n = self.count("ndims")
            if n != 2:
                self.fail(f"only matrices are read, got {n} dimensions")
            shape = self.numbers(2)
            if not np.all((shape >= 0) & (shape == np.round(shape)) & (shape < 2**31)):
                self.fail(f"a size must be two whole numbers, got {shape.tolist()}")
            return int(shape[0]), int(shape[1])
        return self.count("rows"), self.count("columns")

    # ---- values

    def value(self, depth):
        """The next value, whose name was read; None for a type that is not read."""
        kind = self.header("type")
        if depth > MAX_DEPTH:
            self.fail(f"structs and cells are nested more than {MAX_DEPTH} deep")
        base, _, form = kind.rpartition(" ")
        if kind in ("scalar", "float scalar", "bool") or (form == "scalar" and base in INTEGERS):
            return self.numbers(1).reshape(1, 1).astype(dtype_of(kind))
        if kind in ("matrix", "float matrix", "bool matrix"):
            rows, columns = self.size()
            return self.numbers(rows * columns).reshape(rows, columns).astype(dtype_of(kind))
        if form == "matrix" and base in INTEGERS:  # one number a line, column-major
            rows, columns = self.size()
            values = self.numbers(rows * columns)
            return values.reshape(rows, columns, order="F").astype(base)
        if kind in ("sparse matrix", "sparse bool matrix"):
            return self.sparse_matrix()
        if kind == "diagonal matrix":
            rows, columns = self.size()
            values = self.numbers(min(rows, columns))
            k = np.arange(len(values))
            self.allowance.take("a diagonal matrix", NODE_BYTES * (rows + columns))
            return sparse.csc_array((values, (k, k)), shape=(rows, columns))
        if kind in ("double_range", "range"):
            self.at += 1  # the comment that names the three numbers
            base_value, limit, step = self.numbers(3)
            steps = (limit - base_value) / step if step else -1
            if not 0 <= steps < 1e7:
                self.fail("a range must have between 1 and 1e7 numbers")
            return (base_value + step * np.arange(int(steps + 1e-10) + 1)).reshape(1, -1)
        if kind in ("string", "sq_string"):
            return self.text()
        if kind in ("scalar struct", "struct"):
            return self.struct(kind, depth)
        if kind == "cell":
            return self.cell(depth)
        if depth:
            self.fail(f"values of type {kind[:40]!r} are not read; use `save -v7 FILE ...`")
        while self.at < len(self.lines) and not self.lines[self.at].startswith("# name: "):
            self.at += 1  # for example a function handle between the matrices
        return None

    def sparse_matrix(self):
        """The csc array of (row, column, value) lines, counted from 1."""
        n = self.count("nnz")
        rows, columns = self.size()
        entries = self.numbers(3 * n).reshape(n, 3)
        places = entries[:, :2]
        if not np.all((places >= 1) & (places <= (rows, columns)) & (places == np.round(places))):
            self.fail(f"an entry lies outside of the {rows} x {columns} matrix")
        places = tuple(zero_based(places).T)
        self.allowance.take("a sparse matrix", NODE_BYTES * (rows + columns))
        return sparse.csc_array((entries[:, 2], places), shape=(rows, columns))

    def text(self):
        """The rows of a char array, joined by line ends."""
        n = self.count("elements")
        rows = []
        for _ in range(n):
            self.header("length")
            rows.append(self.lines[self.at] if self.at < len(self.lines) else "")
            self.at += 1
        return "\n".join(rows)

    def struct(self, kind, depth):
        """A dict; of a struct array, an object array of dicts."""
        shape = self.size()
        n_fields = self.count("length")
        fields = {}
        for _ in range(n_fields):
            name = self.next_name()
            if name is None:
                self.fail("the file ends inside a struct")
            fields[name] = self.value(depth + 1)
        if kind == "scalar struct":
            return fields
        self.allowance.take("a struct array", CELL_BYTES * shape[0] * shape[1])
        records = np.empty(shape, dtype=object)
        for place in np.ndindex(shape):
            records[place] = {name: cells[place] for name, cells in fields.items()}
        return records

    def cell(self, depth):
        """The object array of a cell."""
        rows, columns = self.size()
        if rows * columns > len(self.lines):
            self.fail(f"a cell of {rows} x {columns} does not fit in the file")
        cells = np.empty((rows, columns), dtype=object)
        for column in range(columns):
            for row in range(rows):
                if self.next_name() is None:
                    self.fail("the file ends inside a cell")
                cells[row, column] = self.value(depth + 1)
        return cells


def dtype_of(kind):
    """The numpy type of one of Octave's kinds of value."""
    base, _, form = kind.rpartition(" ")
    if kind.startswith("bool"):
        return bool
    if kind.startswith("float"):
        return np.float32
    return base if base in INTEGERS else np.float64
