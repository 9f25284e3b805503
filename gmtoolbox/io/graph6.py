"""graph6, digraph6 and sparse6: one graph in each line, as nauty and the House of Graphs write.

A line of graph6 is the number n of nodes and then the upper triangle of the adjacency matrix,
column by column, six bits in each printable byte; digraph6 starts with & and has the whole matrix
by rows; sparse6 starts with : and lists edges. Definition:
https://users.cecs.anu.edu.au/~bdm/data/formats.txt
"""

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.graph import Graph
from gmtoolbox.io.files import NODE_BYTES, Allowance, read_bytes
from gmtoolbox.io.formats import GRAPH, reader

HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")


@reader(".g6", ".s6", ".d6", holds=GRAPH)
def read_graph6(path):
    """Return the graph of each line."""
    allowance, found = Allowance(path), []
    for number, line in enumerate(read_bytes(path, allowance)[:-1].splitlines(), 1):
        header = next((header for header in HEADERS if line.startswith(header)), b"")
        line = line[len(header) :].strip()
        if not line:
            continue
        if any(not 63 <= byte <= 126 for byte in line.lstrip(b":&")):
            raise FileFormatError(path, "holds bytes outside 63..126", number)
        try:
            found.append(graph_of(line, allowance))
        except (IndexError, ValueError) as error:
            raise FileFormatError(path, f"is not graph6: {error}", number) from None
    return found


def graph_of(line, allowance):
    """Return the Graph of a line; ValueError if the line is too long or too short."""
    kind = line[:1] if line[:1] in (b":", b"&") else b""
    n, data = size_and_rest(line[len(kind) :])
    allowance.take("nodes", 8 * NODE_BYTES * n)
    bits = [byte - 63 >> shift & 1 for byte in data for shift in range(5, -1, -1)]
    if kind == b":":
        return Graph(list(range(n)), sparse6_edges(n, bits))
    needed = n * n if kind else n * (n - 1) // 2
    if len(data) != -(-needed // 6):
        raise ValueError(f"{n} nodes need {-(-needed // 6)} bytes, got {len(data)}")
    if kind:
        edges = [(k // n, k % n) for k, bit in enumerate(bits[:needed]) if bit]
        return Graph(list(range(n)), edges, directed=True)
    pairs = ((i, j) for j in range(n) for i in range(j))
    return Graph(list(range(n)), [pair for pair, bit in zip(pairs, bits, strict=False) if bit])


def size_and_rest(line):
    """Return the number of nodes, which takes 1, 4 or 8 bytes, and the bytes after it."""
    if line[0] < 126:
        return line[0] - 63, line[1:]
    start, end = (2, 8) if line[1] == 126 else (1, 4)
    n = 0
    for byte in line[start:end]:
        n = n << 6 | byte - 63
    if len(line) < end:
        raise ValueError("the number of nodes is cut off")
    return n, line[end:]


def sparse6_edges(n, bits):
    """Return the edges of sparse6: groups of one bit b and a node x.

    With a current node v = 0: b moves v to v + 1, and then x > v moves v to x, else (x, v) is an
    edge.
    """
    width, edges, v = max((n - 1).bit_length(), 1), [], 0
    for start in range(0, len(bits) - width, width + 1):
        v += bits[start]
        x = int("".join(map(str, bits[start + 1 : start + 1 + width])), 2)
        if x >= n or v >= n:
            break  # padding
        if x > v:
            v = x
        else:
            edges.append((x, v))
    return edges
