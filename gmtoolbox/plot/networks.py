"""Two matched networks: one layout for both, common edges bold, lost ones red."""

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.products import Products
from gmtoolbox.core.text import count_noun, markup
from gmtoolbox.plot.canvas import INK, hollow_nodes, label, legend_row, picture
from gmtoolbox.plot.layouts import joint_layout

LOST = "#e00000"
COMMON = {"common": (INK, 2.2), "lost": (LOST, 1.1)}  # colour and width
MOST_EDGES = 20_000
NAMED = 40  # nodes up to which they are named
WIDTH, HEIGHT, MARGIN = 820, 430, 34
LETTER, HIGH = 7.5, 10  # pixels of a letter of a name
FAR = 1e4  # pixels: outside every picture
LINE = 4.0  # pixels of width that a name loses by a line through it


def graphs_of(problem):
    """Return the edges of the two graphs of a problem as (m, 2) arrays, i < j."""
    if problem.neighbours1 is not None and problem.neighbours2 is not None:
        pairs = problem.neighbours1, problem.neighbours2
    elif isinstance(problem.edges, Products):
        pairs = [
            np.argwhere(sparse.csr_array(M).toarray()) for M in (problem.edges.A, problem.edges.B)
        ]
    else:
        a, b = problem.a, problem.b
        pairs = [np.column_stack([side[a], side[b]]) for side in (problem.left, problem.right)]
    return [plain_edges(one) for one in pairs]


def plain_edges(pairs):
    """Return edges once each, without direction and loops."""
    pairs = np.sort(np.asarray(pairs, dtype=int).reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)


def network_matching(problem, labels, kinds, colours, words, title, heading):
    """Return the Picture of two matched networks.

    labels   the label of each left node, -1 if it has none
    kinds    the kind of each match, in words
    colours  {kind: colour}
    words    function of a kind and the kinds of all matches: the kind in words
    """
    graphs = graphs_of(problem)
    n_edges = sum(map(len, graphs))
    if n_edges > MOST_EDGES:
        raise InputError(f"a picture has at most {MOST_EDGES} edges, the two graphs have {n_edges}")
    places = joint_layout(problem.shape, graphs, labels)
    common = [edge_kinds(graphs, labels, side) for side in range(2)]
    every = np.concatenate(places)
    low, high = every.min(axis=0), every.max(axis=0)
    size = np.maximum(high - low, 1e-9)
    half = WIDTH / 2
    scale = min((half - 2 * MARGIN) / size[0], (HEIGHT - 2 * MARGIN - 26) / size[1])
    body = f"<line x1='{half}' y1='8' x2='{half}' y2='{HEIGHT - 40}' stroke='#d8d8d8'/>"
    body += label(16, 18, f"{problem.shape[0]} left nodes")
    body += label(half + 16, 18, f"{problem.shape[1]} right nodes")
    owners = [dict(enumerate(kinds)), {s: kinds[i] for i, s in enumerate(labels) if s >= 0}]
    names = (problem.nodes1, problem.nodes2)
    for side in range(2):
        spare = np.array([half - 2 * MARGIN, HEIGHT - 2 * MARGIN - 26]) - scale * size
        corner = np.array([MARGIN + side * half, MARGIN + 6]) + spare / 2
        points = corner + scale * (places[side] - low)
        body += edges_svg(points, graphs[side], common[side])
        is_matched = labels if side == 0 else None
        kind = {
            k: kind for k, kind in owners[side].items() if is_matched is None or is_matched[k] >= 0
        }
        body += nodes_svg(points, graphs[side], kind, colours, names[side], ("left", "right")[side])
    counts = [sum(kind == "lost" for kind in one) for one in common]
    parts = [(f"{count_noun(common[0].count('common'), 'common edge')} (bold)", INK)]
    parts += [(f"{counts[0]} only left, {counts[1]} only right", LOST)] if any(counts) else []
    matched = [kind for s, kind in zip(labels, kinds, strict=True) if s >= 0]
    for kind, colour in colours.items():
        if kind in matched:
            word = words(kind, matched)
            parts.append((f"{count_noun(matched.count(kind), 'node')} {word}", colour))
    parts += hollow_nodes(*problem.shape, len(matched))
    body += legend_row(WIDTH / 2, HEIGHT - 12, parts, WIDTH - 20)
    return picture(WIDTH, HEIGHT, title, body, heading)


def edge_kinds(graphs, labels, side):
    """Return 'common' or 'lost' for each edge of one side."""
    labels = np.asarray(labels)
    n2 = 1 + max([int(labels.max(initial=0)), *(int(g.max(initial=0)) for g in graphs[1:])])
    back = np.full(n2, -1)
    matched = np.flatnonzero(labels >= 0)
    back[labels[matched]] = matched
    image = (labels, back)[side][graphs[side]] if len(graphs[side]) else graphs[side]
    other = set(map(tuple, graphs[1 - side].tolist()))
    return [
        "common" if min(i, j) >= 0 and (min(i, j), max(i, j)) in other else "lost"
        for i, j in image.tolist()
    ]


def edges_svg(points, edges, kinds):
    """Return the lines of a graph, common ones above lost ones."""
    body = ""
    wide = 1.0 if len(edges) <= 400 else max(0.35, 400 / len(edges))
    for wanted in ("lost", "common"):
        colour, width = COMMON[wanted]
        for (i, j), kind in zip(edges.tolist(), kinds, strict=True):
            if kind == wanted:
                (x1, y1), (x2, y2) = points[i], points[j]
                body += (
                    f"<line class='edge {kind}' x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}'"
                    f" y2='{y2:.1f}' stroke='{colour}' stroke-width='{width * wide:.2f}'"
                    " stroke-opacity='.8'/>"
                )
    return body


def nodes_svg(points, lines, kinds, colours, names, side):
    """Return the nodes of a graph, hollow if unmatched, named if they are few; lines: its edges."""
    body, shown = "", [str(k if names is None else names[k]) for k in range(len(points))]
    radius = 5.0 if len(points) <= 150 else max(1.6, 5.0 * (150 / len(points)) ** 0.5)
    for k, (x, y) in enumerate(points.tolist()):
        colour = colours.get(kinds.get(k))
        look = f"class='node unmatched' fill='white' stroke='{INK}'"
        if colour:
            look = f"class='node' fill='{colour}' stroke='{colour}'"
        body += (
            f"<circle {look} cx='{x:.1f}' cy='{y:.1f}' r='{radius:.1f}'>"
            f"<title>{side} {markup(shown[k])}</title></circle>"
        )
    if len(points) <= NAMED:
        edges = (0, WIDTH / 2) if side == "left" else (WIDTH / 2, WIDTH)
        places = name_places(points, shown, radius, edges, lines)
        for name, (x, y, anchor) in zip(shown, places, strict=True):
            body += label(x, y, name, anchor)
    return body


def name_places(points, names, radius, edges, lines):
    """Return (x, baseline, anchor) of each name: of the places around its node the one that covers
    least of the nodes, of the names before it, of the lines (pairs of nodes) and of the area
    outside of edges (left, right).
    """
    taken = [(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    taken += [(-FAR, -FAR, edges[0], FAR), (edges[1], -FAR, FAR, FAR)]
    places = []
    for (x, y), name in zip(points, names, strict=True):
        length, choices = LETTER * len(name), []
        for dy in (-4, 4 + HIGH, HIGH / 2, -radius - 3, radius + 3 + HIGH):
            places_across = [(x + radius + 2, "start"), (x - radius - 2, "end")]
            if abs(dy - HIGH / 2) > HIGH:  # above or below the node
                places_across.append((x - length / 2, "start"))
            for start, anchor in places_across:
                left = start if anchor == "start" else start - length
                box = (left, y + dy - HIGH, left + length, y + dy)
                covered = sum(overlap(box, other) for other in taken)
                covered += LINE * length_inside(box, points[lines[:, 0]], points[lines[:, 1]])
                choices.append((covered, box, anchor))
        _, box, anchor = min(choices, key=lambda choice: choice[0])
        taken.append(box)
        places.append((box[0] if anchor == "start" else box[2], box[3], anchor))
    return places


def length_inside(box, start, end):
    """Return the length of the parts of straight lines that are inside a box (left, top, right,
    bottom).
    """
    step = end - start
    low, high = np.array(box[:2]), np.array(box[2:])
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort([(low - start) / step, (high - start) / step], axis=0)
    # a line along an axis is inside for its whole length, or not at all
    inside = (low <= start) & (start <= high)
    enter = np.where(step == 0, np.where(inside, 0.0, 1.0), ends[0]).max(axis=1, initial=0.0)
    leave = np.where(step == 0, 1.0, ends[1]).min(axis=1, initial=1.0)
    return float(np.sum(np.maximum(leave - enter, 0.0) * np.linalg.norm(step, axis=1)))


def overlap(one, other):
    """Return the common area of two boxes (left, top, right, bottom)."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)
