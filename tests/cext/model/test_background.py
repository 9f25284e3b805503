"""Tables of few entries over a background of 0: filled, and their minima, against all cells."""

import numpy as np
import pytest
from c_internals import Indexed, internals
from small import gallery

EQUAL = 1234.5


@pytest.mark.parametrize("name", ["partial 4x4", "partial 3x5, forbidden pairs"])
def test_a_table_has_every_pair_of_slots(name):
    setup = Indexed(gallery()[name][0], "model/background.h")
    index, lib = setup.index, setup.lib
    for u in range(index.n1):
        for v in range(u + 1, index.n1):
            rows = range(index.node_start[u], index.node_start[u + 1])
            columns = range(index.node_start[v], index.node_start[v + 1])
            width = len(columns) + 3  # rows may be padded
            table = setup.ffi.new("double[]", len(rows) * width)
            link = lib.gm_index_link(index, u, v)
            lib.gm_fill_table(index, u, v, link, EQUAL, width, table)
            found = np.array(list(table)).reshape(len(rows), width)
            for p in rows:
                for q in columns:
                    equal = index.slot_label[p] == index.slot_label[q]
                    wanted = EQUAL if equal else lib.gm_index_find_pair(index, p, q)
                    assert found[p - rows.start, q - columns.start] == wanted
            assert not found[:, len(columns) :].any()


def minima(hides, give):
    """(out, pending) of gm_background_minima where row s hides the columns with hides[s, t]."""
    ffi, lib = internals("model/background.h")
    n_rows, n_columns = hides.shape
    columns = [np.flatnonzero(row) for row in hides]
    ends = np.cumsum([len(row) for row in columns])
    start = ffi.new("int64_t[]", [int(end - len(c)) for end, c in zip(ends, columns, strict=True)])
    end = ffi.new("int64_t[]", ends.tolist())
    column = ffi.new("int32_t[]", [int(t) for row in columns for t in row] + [0])
    hidden = ffi.new("gm_hidden *", {"start": start, "end": end, "column": column})
    out, pending = ffi.new("double[]", n_columns), ffi.new("int32_t[]", n_columns)
    mark = ffi.new("uint8_t[]", n_columns)
    given = ffi.new("double[]", give.tolist())
    n = lib.gm_background_minima(hidden[0], given, n_rows, out, n_columns, pending, mark)
    assert not any(mark)
    return np.array(list(out)), sorted(pending[k] for k in range(n))


def test_each_column_gets_the_cheapest_row_that_does_not_hide_it():
    generator = np.random.default_rng(0)
    for _ in range(300):
        n_rows, n_columns = generator.integers(1, 7, 2)
        hides = generator.random((n_rows, n_columns)) < generator.choice([0.1, 0.5, 0.9])
        give = generator.integers(-2, 3, n_rows).astype(float)  # many ties
        seen = np.where(hides, np.inf, give[:, None]).min(axis=0)
        out, pending = minima(hides, give)
        assert pending == np.flatnonzero(np.isinf(seen)).tolist()
        assert (out == np.where(np.isinf(seen), give.min(), seen)).all()
