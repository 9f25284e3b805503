r"""Cost models of the edit-distance literature, by name: `costs="letter-high"`.

Each class holds the costs of one family of collections, with the formula, the attributes that it
reads and its source; docs/cost-models.md shows them side by side. Constants are those of Riesen and
Bunke, Graph Classification and Clustering Based on Vector Space Embedding (World Scientific, 2010),
chapter 4; of Abu-Aisheh, Raveaux and Ramel, A graph database repository and performance evaluation
metrics for graph edit distance (GbRPR 2015); and of Abu-Aisheh et al., Graph edit distance contest:
results and future challenges (Pattern Recognition Letters 100, 2017), as GEDLIB collects them.
:math:`\tau_v` and :math:`\tau_e` are the costs of deleting or inserting a node and an edge,
:math:`\alpha` is the weight of nodes against edges.
"""

from collections import Counter
from dataclasses import dataclass
from math import hypot, isfinite, pi

from gmtoolbox.core.errors import InputError

VERBS = ("subst", "del", "ins")


@dataclass(frozen=True)
class Preset:
    r"""Costs that attributes do not change: :math:`\alpha\tau_v` for a node, :math:`(1-\alpha)
    \tau_e` for an edge, 0 for a substitution. Cost models override the methods that differ.
    """

    name: str
    node: float
    edge: float
    alpha: float

    def functions(self):
        """Return {name of an argument of graph_edit_distance: function}."""
        return {
            f"{kind}_{verb}_cost": getattr(self, f"{kind}_{'subst' if verb == 'subst' else 'one'}")
            for kind in ("node", "edge")
            for verb in VERBS
        }

    def node_one(self, data):
        """Return the cost of deleting or inserting a node."""
        return self.alpha * self.node

    def edge_one(self, data):
        """Return the cost of deleting or inserting an edge."""
        return (1 - self.alpha) * self.edge

    def node_subst(self, first, second):
        """Return the cost of turning one node into the other."""
        return 0.0

    def edge_subst(self, first, second):
        """Return the cost of turning one edge into the other."""
        return 0.0

    def value(self, kind, data, name):
        """Return an attribute; InputError if it is missing."""
        if name not in data:
            known = ", ".join(map(str, data)) or "none"
            raise InputError(
                f"costs={self.name!r} does not fit these graphs: it needs the attribute {name!r} of"
                f" {kind}s, which have {known}"
            )
        return data[name]

    def number(self, kind, data, name):
        """Return an attribute as a finite float, also if it is written as text."""
        value = self.value(kind, data, name)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not isfinite(number):
            raise InputError(
                f"costs={self.name!r} does not fit these graphs: {name!r} of {kind}s must be a"
                f" finite number, got {value!r}"
            )
        return number

    def apart(self, first, second):
        """Return the Euclidean distance of two nodes with coordinates x and y."""
        steps = [self.number("node", first, k) - self.number("node", second, k) for k in "xy"]
        return hypot(*steps)


class Letter(Preset):
    r"""Letters: nodes with coordinates `x` and `y`, edges without attributes.

    .. math::
        c(u \to v) = \alpha \lVert p_u - p_v \rVert, \quad c(u \to \epsilon) = \alpha\tau_v, \quad
        c(e \to f) = 0, \quad c(e \to \epsilon) = (1 - \alpha)\tau_e

    :math:`(\tau_v, \tau_e, \alpha)` is (0.3, 0.1, 0.25) for low, (0.7, 1.9, 0.75) for medium and
    (0.9, 1.7, 0.75) for high distortion. Source: Riesen and Bunke 2010.
    """

    def node_subst(self, first, second):
        # alpha |p_u - p_v|
        return self.alpha * self.apart(first, second)


class Fingerprint(Preset):
    r"""Fingerprints: edges with an orientation `orient`; nodes are not compared.

    .. math::
        c(u \to v) = 0, \quad c(u \to \epsilon) = \alpha\tau_v, \quad
        c(e \to f) = (1 - \alpha)\min(d, \pi - d), \quad c(e \to \epsilon) = (1 - \alpha)\tau_e

    where :math:`d = |o_e - o_f| \bmod \pi`, since a line has no direction, and
    :math:`(\tau_v, \tau_e, \alpha) = (0.7, 0.5, 0.75)`. Source: Riesen and Bunke 2010.
    """

    def edge_subst(self, first, second):
        # (1 - alpha) min(d, pi - d)
        d = abs(self.number("edge", first, "orient") - self.number("edge", second, "orient")) % pi
        return (1 - self.alpha) * min(d, pi - d)


class CMU(Preset):
    r"""Houses of the CMU sequence: edges with a length `dist`; nodes are not compared.

    .. math::
        c(u \to v) = 0, \quad c(u \to \epsilon) = \alpha\tau_v, \quad
        c(e \to f) = (1 - \alpha)|d_e - d_f|, \quad c(e \to \epsilon) = (1 - \alpha) d_e

    where :math:`(\tau_v, \alpha) = (100000, 0.5)`: no node is deleted if both graphs have the same
    number. Source: Abu-Aisheh, Raveaux and Ramel 2015.
    """

    def edge_one(self, data):
        # (1 - alpha) d_e
        return (1 - self.alpha) * self.number("edge", data, "dist")

    def edge_subst(self, first, second):
        # (1 - alpha) |d_e - d_f|
        lengths = [self.number("edge", data, "dist") for data in (first, second)]
        return (1 - self.alpha) * abs(lengths[0] - lengths[1])


class Typed(Preset):
    r"""Edges that stand for `frequency` lines of the types `type0`, `type1`, ...

    .. math::
        c(e \to f) = (1 - \alpha)\tau_e (|T_e| + |T_f| - 2|T_e \cap T_f|), \quad
        c(e \to \epsilon) = (1 - \alpha)\tau_e |T_e|

    where :math:`T_e` is the multiset of types: lines of one type are the same, the others are
    deleted and inserted.
    """

    def types(self, data):
        """Return the multiset of the types of an edge."""
        frequency = self.number("edge", data, "frequency")
        if not (frequency.is_integer() and 0 <= frequency <= 1000):
            raise InputError(
                f"costs={self.name!r} does not fit these graphs: 'frequency' of edges must be a"
                f" whole number, got {data['frequency']!r}"
            )
        return Counter(self.value("edge", data, f"type{k}") for k in range(int(frequency)))

    def edge_one(self, data):
        # (1 - alpha) tau_e |T_e|
        return (1 - self.alpha) * self.edge * self.types(data).total()

    def edge_subst(self, first, second):
        # (1 - alpha) tau_e (|T_e| + |T_f| - 2 |T_e & T_f|)
        one, two = self.types(first), self.types(second)
        different = one.total() + two.total() - 2 * (one & two).total()
        return (1 - self.alpha) * self.edge * different


class GREC2(Typed):
    r"""Symbols of GREC: nodes with coordinates `x`, `y` and a `type`, edges as in `Typed`.

    .. math::
        c(u \to v) = \alpha \lVert p_u - p_v \rVert \text{ if the types are equal, else }
        2\alpha\tau_v, \quad c(u \to \epsilon) = \alpha\tau_v

    where :math:`(\tau_v, \tau_e, \alpha) = (90, 15, 0.5)`. Source: Riesen and Bunke 2010;
    Abu-Aisheh, Raveaux and Ramel 2015.
    """

    def node_subst(self, first, second):
        # alpha |p_u - p_v|, or 2 alpha tau_v
        if self.value("node", first, "type") != self.value("node", second, "type"):
            return 2 * self.alpha * self.node
        return self.alpha * self.apart(first, second)


class GREC1(GREC2):
    r"""Symbols of GREC with the costs of the contest of 2016: nodes as in `GREC2`, and edges

    .. math::
        c(e \to f) = \begin{cases} 7.5 & |T_e| \ne |T_f| \\ 15 & |T_e| = |T_f| = 1, T_e \ne T_f \\
        0 & \text{else} \end{cases}, \quad c(e \to \epsilon) = 7.5 |T_e|

    Source: Abu-Aisheh et al. 2017.
    """

    def edge_subst(self, first, second):
        # tau = (1 - alpha) tau_e = 7.5 if the numbers of lines differ, 2 tau if one type does
        one, two = self.types(first), self.types(second)
        cost = (1 - self.alpha) * self.edge
        if one.total() != two.total():
            return cost
        return 2 * cost if one.total() == 1 and one != two else 0.0


class Protein(Typed):
    r"""Proteins: nodes with a `type` and an amino acid `sequence`, edges as in `Typed`.

    .. math::
        c(u \to v) = \alpha\,\mathrm{lev}(s_u, s_v) \text{ if the types are equal, else }
        2\alpha\tau_v, \quad c(u \to \epsilon) = \alpha\tau_v

    where lev is the Levenshtein distance of the sequences (1 for a letter inserted, deleted or
    changed) and :math:`(\tau_v, \tau_e, \alpha) = (11, 1, 0.75)`. Source: Riesen and Bunke 2010;
    Abu-Aisheh, Raveaux and Ramel 2015.
    """

    def node_subst(self, first, second):
        # alpha lev(s_u, s_v), or 2 alpha tau_v
        if self.value("node", first, "type") != self.value("node", second, "type"):
            return 2 * self.alpha * self.node
        words = [str(self.value("node", data, "sequence")) for data in (first, second)]
        return self.alpha * levenshtein(*words)


def levenshtein(first, second):
    """Return the number of letters to insert, delete or change to turn one text into the other.

    d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i != b_j]), row by row.
    """
    above = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        row = [i]
        for j, b in enumerate(second, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
        above = row
    return above[-1]


PRESETS = {
    preset.name: preset
    for preset in (
        Letter("letter-low", 0.3, 0.1, 0.25),
        Letter("letter-med", 0.7, 1.9, 0.75),
        Letter("letter-high", 0.9, 1.7, 0.75),
        Fingerprint("fingerprint", 0.7, 0.5, 0.75),
        CMU("cmu", 100000.0, 0.0, 0.5),
        GREC1("grec1", 90.0, 15.0, 0.5),
        GREC2("grec2", 90.0, 15.0, 0.5),
        Protein("protein", 11.0, 1.0, 0.75),
    )
}
