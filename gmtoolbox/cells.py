"""Cells across imaging sessions: which cell of one session is which cell of the others.

Sessions show the same field of view, shifted, turned and bent; cells appear and disappear. The
pattern of neighbouring centroids finds the motion, areas help to choose, and the tracks of all
sessions are found together (gm_solve_multi).
"""

from dataclasses import dataclass, field
from itertools import combinations

from gmtoolbox.core.checks import suggest_arguments
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np, optional, sparse
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.values import as_array, as_list, as_numbers
from gmtoolbox.keypoints import confidence_of
from gmtoolbox.models.frames import frame_problem, matches_of_frames
from gmtoolbox.models.geometry import check_points
from gmtoolbox.models.keypoints import plane_places
from gmtoolbox.models.points import from_points
from gmtoolbox.multi import gm_solve_multi
from gmtoolbox.plot import tracks as draw_tracks


@dataclass(eq=False)
class CellTracks:
    """Cells that are the same in several sessions.

    Attributes
    ----------
    table : (n_tracks, d) int array
        Row t holds the number of cell t in each session, -1 if it is not seen there. Cells of one
        session only come last.
    confidence : (n_tracks,) array
        Mean estimated probability that the cells of two sessions in a track are the same; nan for
        cells of one session only.
    centroids : d arrays (n_g, 2) or (n_g, 3)
        Places (x, y) or (x, y, z) of the cells.
    problem, result
        The MultiProblem and the MultiResult.
    """

    table: object
    confidence: object
    centroids: tuple = field(repr=False)
    problem: object = field(repr=False)
    result: object = field(repr=False)

    def __len__(self):
        return len(self.table)

    def __repr__(self):
        counts = (self.table >= 0).sum(axis=1)
        d = self.table.shape[1]
        return (
            f"<CellTracks {len(self)} cells over {d} sessions, {int((counts == d).sum())} in all"
            f" of them, {int((counts == 1).sum())} in one only>"
        )

    @property
    def first(self):
        """(n_tracks,) session in which each cell is first seen."""
        return np.argmax(self.table >= 0, axis=1)

    @property
    def last(self):
        """(n_tracks,) session in which each cell is last seen."""
        return self.table.shape[1] - 1 - np.argmax(self.table[:, ::-1] >= 0, axis=1)

    def appear(self, session):
        """Return the rows of cells that are first seen in a session."""
        return np.flatnonzero(self.first == self.check_session(session))

    def disappear(self, session):
        """Return the rows of cells that are last seen in a session."""
        return np.flatnonzero(self.last == self.check_session(session))

    def check_session(self, session):
        """Return the number of a session, checked."""
        if session not in range(self.table.shape[1]):
            raise InputError(f"session must be in 0..{self.table.shape[1] - 1}, got {session!r}")
        return session

    def to_dataframe(self):
        """Return a pandas DataFrame with a row for each cell: its number in each session (missing
        if it is not seen there) and the confidence.

        Returns
        -------
        pandas.DataFrame
        """
        pandas = optional("pandas", "to_dataframe")
        frame = pandas.DataFrame(self.table, columns=range(self.table.shape[1]), dtype="Int64")
        frame = frame.mask(frame < 0)
        return frame.add_prefix("session ").assign(confidence=self.confidence)

    def plot(self, **options):
        """Draw the sessions side by side with a line for each cell; volumes are seen along z.

        Parameters
        ----------
        **options
            As of gm.plot.tracks.

        Returns
        -------
        Picture
        """
        names = [f"session {g}" for g in range(self.table.shape[1])]
        places = [own[:, :2] for own in self.centroids]
        return draw_tracks(places, self.result, **{"names": names} | options)

    def _repr_html_(self):
        """Show the picture in a notebook."""
        return self.plot()._repr_html_()


@suggest_arguments
def track_cells(sessions, *, areas=None, time_limit=10.0):
    """Find the same cells in two or more imaging sessions.

    Parameters
    ----------
    sessions : sequence of two or more, each one of
        a label image (height, width) or volume (depth, height, width) of integers, 0 = background;
        an array of centroids (n, 2), (x, y), or (n, 3), (x, y, z), of floats if in space; suite2p's
        list of cells, dictionaries with "med" (y, x) and "npix"; footprints (n, height, width), as
        CaImAn's spatial components reshaped.
    areas : sequence of (n_g,) arrays, optional
        Sizes of the cells, if the sessions are centroids. The other forms bring their own.
    time_limit : float or None
        Seconds of the optimisation. None: until it finds nothing better, the same on every machine.

    Returns
    -------
    CellTracks

    Examples
    --------
    >>> import gmtoolbox as gm, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> first = rng.uniform(0, 500, (60, 2))
    >>> second = first[5:] @ [[0.99, 0.14], [-0.14, 0.99]] + 20  # turned, without five cells
    >>> t = gm.track_cells([first, second])
    >>> both = t.table[(t.table >= 0).all(axis=1)]
    >>> len(t.disappear(0)), bool((both[:, 0] - both[:, 1] == 5).all())
    (5, True)
    """
    found = [
        cells_of(f"sessions[{g}]", session)
        for g, session in enumerate(as_list("sessions", sessions))
    ]
    if len(found) < 2:
        raise InputError(f"sessions must hold at least two, got {len(found)}")
    centroids, sizes = tuple(zip(*found, strict=True))
    if len({own.shape[1] for own in centroids}) > 1:
        raise InputError("sessions must lie all in the plane or all in space")
    if areas is not None:
        if any(own is not None for own in sizes):
            raise InputError("areas goes with centroids: the sessions bring their own")
        sizes = check_areas(areas, centroids)
    matches = matches_of_frames(centroids)
    pairs = {}
    for g, h in combinations(range(len(centroids)), 2):
        unlike = None
        if sizes[g] is not None and sizes[h] is not None:
            unlike = np.abs(np.log(sizes[g])[:, None] - np.log(sizes[h]))
        pairs[g, h] = frame_problem(centroids[g], centroids[h], matches[g, h], unlike)
        if pairs[g, h] is None:
            pairs[g, h] = from_points(centroids[g], centroids[h], geometry="length", complete=False)
    problem = MultiProblem(pairs, points=centroids)
    result = gm_solve_multi(problem, time_limit=time_limit)
    table = track_table(result)
    return CellTracks(table, track_confidence(problem, result, table), centroids, problem, result)


def cells_of(name, session):
    """Return ((n, 2) centroids (x, y), (n,) areas or None) of a session in any form."""
    if isinstance(session, (list, tuple)) or getattr(session, "dtype", None) == np.dtype(object):
        cells = list(session)
        if cells and isinstance(cells[0], dict):
            if not all("med" in cell and "npix" in cell for cell in cells):
                raise InputError(f"{name} must have 'med' and 'npix' for each cell")
            places = np.array([cell["med"] for cell in cells], float)[:, ::-1]
            return plane_places(name, places), np.array([cell["npix"] for cell in cells], float)
    if sparse.issparse(session):  # CaImAn's estimates.A: pixels in the order of Fortran
        raise InputError(
            f"{name} must be footprints (n, height, width): for CaImAn's A"
            " A.toarray().reshape(height, width, -1, order='F').transpose(2, 0, 1)"
        )
    array = as_array(name, session)
    is_whole = array.dtype.kind in "iu"
    if array.ndim == 3 and not (is_whole and array.size and len(np.unique(array)) > 2):
        return of_footprints(name, array)
    if array.ndim == 3 or (array.ndim == 2 and array.shape[1] != 2 and is_whole):
        return of_labels(name, array)
    if array.ndim == 2 and array.shape[1] == 3:
        return check_points(name, array), None
    return plane_places(name, array), None


def of_labels(name, image):
    """Return (centroids, areas) of the labels of an image or a volume, in their order."""
    if image.min() < 0 or image.max() < 1:
        raise InputError(f"{name} must be a label image: 0 = background, cells 1, 2, ...")
    _, number = np.unique(image, return_inverse=True)
    number = number.ravel() - (1 if (image == 0).any() else 0)  # of the background -1
    inside = number >= 0
    area = np.bincount(number[inside]).astype(float)
    axes = [index.ravel()[inside] for index in np.indices(image.shape)[::-1]]  # x comes last
    places = [np.bincount(number[inside], axis) / area for axis in axes]
    return np.column_stack(places), area


def of_footprints(name, footprints):
    """Return (centroids, areas) of (n, height, width) weights: an area is the sum over the peak."""
    total = footprints.sum(axis=(1, 2), dtype=float)
    if not np.isfinite(footprints).all() or footprints.min() < 0 or not (total > 0).all():
        raise InputError(f"{name} must be footprints, not negative, each with a positive sum")
    y, x = np.indices(footprints.shape[1:])
    places = [(footprints * axis).sum(axis=(1, 2)) / total for axis in (x, y)]
    return np.column_stack(places), total / footprints.max(axis=(1, 2))


def check_areas(areas, centroids):
    """Return the areas as positive arrays, one number for each cell."""
    areas = [as_numbers(f"areas[{g}]", own) for g, own in enumerate(as_list("areas", areas))]
    if [own.shape for own in areas] != [(len(own),) for own in centroids]:
        raise InputError("areas must hold one number for each cell of each session")
    if not all((own > 0).all() and np.isfinite(own).all() for own in areas):
        raise InputError("areas must be positive and finite")
    return tuple(areas)


def track_table(result):
    """Return (n_tracks, d) numbers of nodes, -1 = none; tracks of one node last."""
    table = np.full((int(result.flat.max()) + 1, len(result.sizes)), -1)
    for g, own in enumerate(result.tracks):
        table[own, g] = np.arange(len(own))
    is_alone = (table >= 0).sum(axis=1) == 1
    return table[np.argsort(is_alone, kind="stable")]


def track_confidence(problem, result, table):
    """Return the mean confidence of the matches of each track between two graphs."""
    total, count = np.zeros(len(table)), np.zeros(len(table))
    for (g, h), pair in problem.pairs.items():
        sure = np.full(len(result.tracks[g]), np.nan)
        labels = result.labels(g, h)
        allowed = np.zeros(pair.shape[0], bool)
        allowed[pair.left[labels[pair.left] == pair.right]] = True
        sure[allowed] = confidence_of(pair, labels)
        here = np.flatnonzero((table[:, g] >= 0) & (table[:, h] >= 0))
        given = np.nan_to_num(sure[table[here, g]])  # a pair that is no candidate: not sure at all
        total[here] += given
        count[here] += 1
    return np.divide(total, count, out=np.full(len(table), np.nan), where=count > 0)
