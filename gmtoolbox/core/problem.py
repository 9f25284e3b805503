"""Problem: one graph matching instance in candidate form, always costs inside.

minimise  sum_p cost_p x_p + sum_{p,q} edge_cost_pq x_p x_q + offset

over matchings x, where a candidate p = (left node, right node) is an allowed assignment and an
edge joins two candidates. A problem is made of candidates, edges and dummies, each an object of its
own; everything else (K, Ct, reducedK, KP, KQ, gph1, gph2) is a lazy view.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property

from gmtoolbox.core import conditions
from gmtoolbox.core._ffi import matching_cost, model
from gmtoolbox.core.candidates import Candidates, Dummies, lay_out
from gmtoolbox.core.checks import are_planar
from gmtoolbox.core.directed import directed_edges
from gmtoolbox.core.edges import Listed, Multiplier, check_edges, find_cost_error, find_tolerance
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, sparse, upward
from gmtoolbox.core.matrix import (
    check_guesses,
    check_mask,
    check_matrix,
    infer_shape,
    matrix_edges,
)
from gmtoolbox.core.text import markup
from gmtoolbox.core.values import (
    Value,
    as_array,
    check_costs,
    check_finite_scalar,
    check_flag,
    check_ground_truth,
    check_names,
    check_neighbours,
    check_points,
    check_sense,
    check_shape,
    check_total,
    freeze,
    magnitude,
    same,
)

FOR_PEOPLE = ("name", "origin", "nodes1", "nodes2")  # no part of equality


def vec(X):
    """x = X(:), column-major: entry (left, right) goes to left + n1 * right."""
    return np.asarray(X).reshape(-1, order="F")


def unvec(x, shape):
    """The matrix X with vec(X) == x."""
    return np.asarray(x).reshape(shape, order="F")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Problem(Value):
    """A frozen graph matching problem. Arrays are copied once, sorted and made read-only.

    Parameters
    ----------
    shape : (int, int)
        (n1, n2): numbers of left and right nodes.
    left, right : arrays of int
        The two nodes of each candidate. They are kept sorted column-major (by right, then left), so
        that candidate k is row k of reducedK. None: the candidates that edges already have.
    cost : array of float
        Unary cost of each candidate; None: all 0.
    a, b, edge_cost : arrays, optional
        The two candidates of each edge, as positions in left and right, and the whole cost of the
        pair, counted once. They are kept sorted, a < b.
    sense : "min" or "max"
        Only how values are reported; the arrays are costs either way.
    complete : bool
        Every node of the smaller side must be matched.
    offset : float
        Constant added to the cost.
    points1, points2 : arrays (n, d), optional
        Coordinates, NaN = unknown.
    neighbours1, neighbours2 : arrays (k, 2), optional
        Neighbour pairs.
    ground_truth : array (n1,), optional
        Right label of each left node, -1 = unknown.
    name, origin : str
        Its name, and how a reader interpreted the file.
    nodes1, nodes2 : sequences, optional
        Names of the nodes: hashable, all different.
    edges : Listed, Products, Overlaps or Factors, optional
        The edges instead of a, b, edge_cost; see core.edges.
    dummies : Dummies, optional
        Further pairs that are allowed at cost 0 and not stored; see core.candidates.

    name, origin, nodes1 and nodes2 are for people and no part of equality.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> left, right, cost = [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0]
    >>> p = gm.Problem((2, 2), left, right, cost, [0], [3], [-9.0])
    >>> p.energy([0, 1]), p.energy([1, 0]), p.energy([-1, -1])
    (-4.0, 5.0, 0.0)
    """

    shape: tuple
    left: object = property(lambda self: self.candidates.left)
    right: object = property(lambda self: self.candidates.right)
    cost: object
    edges: object
    sense: str
    complete: bool
    offset: float
    points1: object
    points2: object
    neighbours1: object
    neighbours2: object
    ground_truth: object
    name: str
    origin: str
    nodes1: object
    nodes2: object
    dummies: object
    candidates: Candidates = field(init=False)

    def __init__(
        self,
        shape,
        left,
        right,
        cost,
        a=None,
        b=None,
        edge_cost=None,
        sense="min",
        complete=False,
        offset=0.0,
        points1=None,
        points2=None,
        neighbours1=None,
        neighbours2=None,
        ground_truth=None,
        name="",
        origin="",
        nodes1=None,
        nodes2=None,
        edges=None,
        dummies=None,
    ):
        # dataclasses.replace passes the old edges even if it changes some of a, b, edge_cost
        shape = n1, n2 = check_shape(shape)
        check_sense(sense)
        known = None if edges is None else edges.candidates
        candidates, order = lay_out(known, shape, left, right)
        cost = np.zeros(len(candidates)) if cost is None else check_costs("cost", cost)
        if len(cost) != len(candidates):
            raise InputError(
                f"left, right and cost must have one length, got {len(candidates)},"
                f" {len(candidates)}, {len(cost)}"
            )
        given = (a, b, edge_cost)
        if edges is None or any(array is not None for array in given):
            listed = None if edges is None else edges.written_out()
            kept = ((), (), ()) if listed is None else (listed.a, listed.b, listed.cost)
            given = [old if new is None else new for new, old in zip(given, kept, strict=True)]
            edges = check_edges(candidates, *given, order)
        elif edges.candidates is not candidates:
            edges = edges.over(candidates, order)
        if not dummies:
            dummies = Dummies.none(shape)
        elif dummies.shape != shape:
            raise InputError(f"dummies of a problem {dummies.shape} do not fit {shape}")
        self.__dict__.update(  # the object is frozen
            shape=shape,
            candidates=candidates,
            cost=freeze(cost if order is None else cost[order]),
            edges=edges,
            sense=sense,
            complete=check_flag("complete", complete),
            offset=check_finite_scalar("offset", offset),
            points1=check_points("points1", points1, n1),
            points2=check_points("points2", points2, n2),
            neighbours1=check_neighbours("neighbours1", neighbours1, n1),
            neighbours2=check_neighbours("neighbours2", neighbours2, n2),
            ground_truth=check_ground_truth(ground_truth, n1, n2),
            name=name,
            origin=origin,
            nodes1=check_names("nodes1", nodes1, n1),
            nodes2=check_names("nodes2", nodes2, n2),
            dummies=dummies,
        )
        check_total("costs", magnitude(self.cost) + self.edges.magnitude + abs(self.offset))

    def __getstate__(self):
        names = {field.name for field in fields(self)} - {"left", "right"}  # the candidates' own
        return {name: getattr(self, name) for name in names}

    # ---- sizes and comparison

    @property
    def n_candidates(self):
        """Number of allowed pairs that are stored."""
        return len(self.candidates)

    @property
    def n_edges(self):
        """Number of edges; at most that many while they are not written out."""
        return len(self.edges)

    @property
    def a(self):
        """First candidate of each edge; edges that are implied are written out."""
        return self.edges.written_out().a

    @property
    def b(self):
        """Second candidate of each edge, likewise."""
        return self.edges.written_out().b

    @property
    def edge_cost(self):
        """Cost of each edge, likewise."""
        return self.edges.written_out().cost

    def __eq__(self, other):
        if not isinstance(other, Problem):
            return NotImplemented
        compared = {field.name for field in fields(Problem)} - {*FOR_PEOPLE, "candidates"}
        return all(same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None

    def __repr__(self):
        kind = "complete" if self.complete else "partial"
        name = f" {self.name!r}" if self.name else ""
        size = (
            f"{self.shape[0]}x{self.shape[1]}, {self.n_candidates} candidates, {self.n_edges} edges"
        )
        return f"<Problem{name} {size}, {kind}, {self.sense}>"

    def _picture(self):
        """Return the two point sets if they lie in the plane, else None."""
        points = self.points1, self.points2
        whole = are_planar(*points) and not any(np.isnan(own).any() for own in points)
        return upward("plot").matching(self) if whole else None

    def _repr_svg_(self):
        """Return the two point sets as SVG, if a notebook can draw them."""
        drawn = self._picture()
        return None if drawn is None else drawn._repr_svg_()

    def _repr_html_(self):
        """Return the facts as HTML for a notebook, and the points if they lie in the plane."""
        drawn = self._picture()
        return f"<p>{markup(repr(self)[1:-1])}</p>{'' if drawn is None else drawn._repr_html_()}"

    # ---- making problems

    @classmethod
    def from_matrix(cls, K, *, shape=None, Ct=None, sense=None, complete=True, **rest):
        """The problem max (or min) x'Kx over matchings; see gm_solve for the conventions and for
        the warnings if neither `shape` nor `sense` is given.
        """
        check_guesses(K, shape, Ct, sense)
        sense = "max" if sense is None else sense
        K = check_matrix(K, dense=True)
        Ct = None if Ct is None else check_mask(Ct)
        n1, n2 = infer_shape(K.shape[0], shape, Ct)
        sign = -1.0 if sense == "max" else 1.0
        diagonal = sign * K.diagonal()
        forbidden = np.isposinf(diagonal)
        if np.any(np.isneginf(diagonal)):
            raise InputError(
                f"K must not hold {'+inf' if sense == 'max' else '-inf'} (an assignment that must"
                " always be taken)"
            )
        allowed = ~forbidden if Ct is None else ~forbidden & (vec(Ct) != 0)
        index = np.flatnonzero(allowed)
        edges = Listed(None, *map(freeze, matrix_edges(K, allowed, sign)))
        settings = {"sense": sense, "complete": complete, **rest}
        return cls((n1, n2), index % n1, index // n1, diagonal[index], edges=edges, **settings)

    def explicit(self):
        """The same problem with its edges written out."""
        listed = self.edges.written_out()
        return self if listed is self.edges else self.changed(edges=listed)

    def materialise(self):
        """The same problem with every candidate stored, dummies too."""
        if not self.dummies:
            return self
        left, right = self.dummies.pairs()
        return Problem(
            self.shape,
            np.concatenate([self.left, left]),
            np.concatenate([self.right, right]),
            np.concatenate([self.cost, np.zeros(len(left))]),
            edges=self.edges.widen(self.shape),
            sense=self.sense, complete=self.complete, offset=self.offset, name=self.name,
        )  # fmt: skip

    def as_costs(self):
        """The same problem, minimised, as solvers see it."""
        return self if self.sense == "min" else self.changed(sense="min")

    def without_offset(self):
        """The same problem with offset 0: gaps are decided on its costs."""
        return self if self.offset == 0 else self.changed(offset=0.0)

    @cached_property
    def tolerance(self):
        """Return the largest gap that counts as closed: a billionth of the scale of costs."""
        return find_tolerance(self)

    def cost_error(self, labels):
        """By how much rounding may change the cost of a matching."""
        return find_cost_error(self, labels)

    @cached_property
    def largest_cost(self):
        """The largest absolute cost, or an upper bound of the costs of edges."""
        return max(abs(float(self.cost.min())), abs(float(self.cost.max())), self.edges.largest)

    def fix(self, pairs):
        """The problem that remains when these pairs are matched.

        Parameters
        ----------
        pairs : list of (left, right)
            Allowed pairs of nodes, no node twice; (i, -1) and (-1, s) leave a node free.

        Returns
        -------
        Lifted
            `.problem` is the problem of all other nodes, in their old order. The costs of the fixed
            pairs are in its offset, their costs together with other pairs in its unary costs.
            `.lift(labels)` gives the labels of this problem, the fixed pairs among them;
            `.lower(labels)` is the inverse. If nothing remains to decide, `.problem` has a
            single pair of cost 0, which `lift` drops.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> p = gm.synth.hotel(seed=0, size=6)
        >>> rest = p.fix([(0, 3), (4, 1)])
        >>> rest.problem.shape
        (4, 4)
        >>> r = gm.gm_solve(rest.problem, "fm")
        >>> labels = rest.lift(r.labels)
        >>> int(labels[0]), int(labels[4]), bool(abs(p.energy(labels) - r.value) < 1e-9)
        (3, 1, True)
        """
        return conditions.fix(self, pairs)

    def forbid(self, pairs):
        """The problem without these pairs among its candidates.

        Parameters
        ----------
        pairs : list of (left, right)
            Pairs of nodes; those that are forbidden already may be among them.

        Returns
        -------
        Lifted
            `.problem`, `.lift(labels)` and `.lower(labels)` as of `fix`; the nodes stay the same.

        Examples
        --------
        >>> import gmtoolbox as gm
        >>> p = gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [-5.0, 0.0, 0.0, -5.0])
        >>> rest = p.forbid([(0, 0)])
        >>> rest.lift(gm.gm_solve(rest.problem, "fm").labels).tolist()
        [-1, 1]
        """
        return conditions.forbid(self, pairs)

    # ---- values

    def candidates_of(self, labels):
        """Return the candidate of every matched left node, in node order; InputError if labels are
        not a matching of candidates.
        """
        return self.candidates.of(labels)

    def allows(self, left, right):
        """Whether each pair (left[k], right[k]) is a stored candidate."""
        return self.candidates.allows(left, right)

    def candidates_at(self, nodes):
        """All candidates of each given left node: (position in nodes, candidate), flat."""
        return self.candidates.at(nodes)

    def scatter(self, x):
        """Candidate vector -> (n1, n2) matrix, zero on forbidden pairs."""
        return self.candidates.scatter(x)

    def total_cost(self, labels):
        """Cost of a matching, offset included, always minimised."""
        labels = as_array("labels", labels)
        if isinstance(self.edges, Listed) and labels.dtype == np.int32 and labels.ndim == 1:
            cost = matching_cost(self.c_model, labels) if len(labels) == self.shape[0] else None
            if cost is not None:
                return cost + self.offset
        chosen = self.candidates.of(labels)  # an error if this is not a matching
        if isinstance(self.edges, Listed):
            return self.total_cost(labels.astype(np.int32))
        return float(self.cost[chosen].sum() + self.edges.total_among(chosen) + self.offset)

    @cached_property
    def c_model(self):
        """Return (gm_model *, objects it borrows): the problem as the C kernels see it."""
        return model(self)

    def energy(self, labels):
        """Value of a matching in the problem's own sense, offset included."""
        return self.signed(self.total_cost(labels))

    def signed(self, cost):
        """A cost in the problem's own sense."""
        return cost if self.sense == "min" else -cost

    def is_complete_matching(self, labels):
        """Whether every node of the smaller side is matched."""
        return int(np.count_nonzero(np.asarray(labels) >= 0)) == min(self.shape)

    # ---- the MATLAB views, in the problem's own sense

    @cached_property
    def reducedK(self):
        """(N, N) symmetric sparse matrix over candidates: costs on the diagonal, half of each edge
        on both sides. An operator that multiplies like one if there are too many edges.
        """
        if not self.edges.fit_into_a_matrix:
            return Multiplier(self.cost, self.edges, self.signed(1.0))
        N = self.n_candidates
        index = np.arange(N, dtype=np.int32)
        half = 0.5 * self.edge_cost
        values = self.signed(np.concatenate([half, self.cost, half]))
        rows, cols = (
            np.concatenate([self.b, index, self.a]),
            np.concatenate([self.a, index, self.b]),
        )
        if not values.all():
            stored = np.flatnonzero(values)
            values, rows, cols = values[stored], rows[stored], cols[stored]
        entries = sparse.coo_array((values, (rows, cols)), shape=(N, N))
        # in this order every row is sorted and no entry repeats: scipy need not sort and add up
        entries.has_canonical_format = True
        return entries.tocsr()

    @cached_property
    def K(self):
        """(n1 n2, n1 n2) symmetric sparse matrix with x'Kx + offset = energy; 0 if Ct is 0."""
        n = self.shape[0] * self.shape[1]
        reduced = self.reducedK.tocoo()
        return sparse.csr_array(
            (reduced.data, (self.candidates.key[reduced.row], self.candidates.key[reduced.col])),
            shape=(n, n),
        )

    @cached_property
    def Ct(self):
        """(n1, n2) sparse 0/1 matrix of the allowed pairs."""
        return sparse.csc_array(
            (np.ones(self.n_candidates), (self.left, self.right)), shape=self.shape
        )

    @cached_property
    def KP(self):
        """(n1, n2) sparse matrix of unary costs."""
        stored = self.cost != 0
        values = self.signed(self.cost[stored])
        return sparse.csc_array((values, (self.left[stored], self.right[stored])), shape=self.shape)

    @cached_property
    def _factors(self):
        """(gph1, gph2, KQ): both directions of every edge, each with half of its cost."""
        n1, n2 = self.shape
        start, end = np.concatenate([self.a, self.b]), np.concatenate([self.b, self.a])
        gph1, e1 = directed_edges(self.left[start], self.left[end], n1)
        gph2, e2 = directed_edges(self.right[start], self.right[end], n2)
        half = self.signed(0.5 * np.concatenate([self.edge_cost, self.edge_cost]))
        stored = half != 0
        KQ = sparse.csc_array(
            (half[stored], (e1[stored], e2[stored])), shape=(gph1.G.shape[1], gph2.G.shape[1])
        )
        return gph1, gph2, KQ

    @property
    def gph1(self):
        """Directed edges of the left graph, as FGM has them."""
        return self._factors[0]

    @property
    def gph2(self):
        """Directed edges of the right graph."""
        return self._factors[1]

    @property
    def KQ(self):
        """Edge costs: KQ[e1, e2] is half the cost of mapping directed left edge e1 to directed
        right edge e2.
        """
        return self._factors[2]
