"""MultiResult, the return type of gm_solve_multi."""

import math
from dataclasses import dataclass, field

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, optional
from gmtoolbox.core.result import NO_BETTER, ROOM, BaseResult
from gmtoolbox.core.saved import array
from gmtoolbox.core.text import gap_text
from gmtoolbox.core.tracks import cliques_of, labels_between, split_by_graph
from gmtoolbox.core.values import one_based


@dataclass(kw_only=True, eq=False, repr=False)
class MultiResult(BaseResult):
    """Tracks and everything needed to judge them and to run them again.

    In addition to the fields of BaseResult:

    Attributes
    ----------
    flat : numpy.ndarray
        The track of every node, one graph after the other; `tracks` has one array per graph.
    sizes : tuple
        Nodes of each graph.
    n_iter : int
        Units of work: a pair or a response solved, a track's exchanges, a round of the bound.
    method, options
        Run the same again, with the seed.
    """

    flat: object = array("int32")
    sizes: tuple
    method: str
    options: dict = field(default_factory=dict)
    n_iter: int = 0

    def __post_init__(self):
        super().__post_init__()
        self.sizes = tuple(int(n) for n in self.sizes)

    @property
    def tracks(self):
        """One int array per graph: the track of each of its nodes.

        Tracks are numbered by first appearance; a node that is matched to nothing is a track of its
        own.
        """
        return split_by_graph(self.flat, self.sizes)

    @property
    def cliques(self):
        """[{graph: node, ...}, ...]: the members of every track."""
        return cliques_of(self.tracks)

    @property
    def n_tracks(self):
        """Number of tracks with at least two nodes."""
        counts = np.bincount(self.flat)
        return int(np.count_nonzero(counts > 1))

    def labels(self, g, h):
        """The node of graph h that each node of graph g is matched to, -1 = none."""
        for graph in (g, h):
            if not 0 <= graph < len(self.sizes):
                raise InputError(f"graph must be in 0..{len(self.sizes) - 1}, got {graph}")
        return labels_between(self.tracks, g, h)

    def to_dataframe(self):
        """Return a pandas DataFrame with a row for each node: its graph, its number there, its
        track, and the number of nodes in that track.

        Returns
        -------
        pandas.DataFrame
        """
        columns = {
            "graph": np.repeat(np.arange(len(self.sizes)), self.sizes),
            "node": np.concatenate([np.arange(n) for n in self.sizes]),
            "track": self.flat,
            "size": np.bincount(self.flat)[self.flat],
        }
        return optional("pandas", "to_dataframe").DataFrame(columns)

    @property
    def message(self):
        """A sentence if the answer needs one: nothing is matched, or a search that ended by itself
        is far from its bound.
        """
        if self.n_tracks:
            has_room = self.status == "converged" and ROOM < self.gap < math.inf
            return f"{NO_BETTER} {gap_text(self.gap)} better." if has_room else ""
        if self.status == "optimal":
            return "Nothing matched is the proven optimum: every match costs more than it saves."
        return f"{self.method} ended with nothing matched: no match it looked at paid for itself."

    def summary_rows(self):
        rows = [("method", f"{self.method} (seed {self.seed})"), *super().summary_rows()]
        matched = np.count_nonzero(np.bincount(self.flat)[self.flat] > 1)
        said = f"{self.n_tracks} over {len(self.sizes)} graphs, {matched} of {len(self.flat)} nodes"
        return [*rows, ("tracks", said)]

    def to_matlab(self):
        """1-based track numbers, a cell for each graph, and plain numbers."""
        return {
            "tracks": [one_based(own) for own in self.tracks],
            **self._plain_fields(),
        }

    def __repr__(self):
        return (
            f"<MultiResult {self.method}: {self.n_tracks} tracks over {len(self.sizes)} graphs,"
            f" {self._figures()}>"
        )
