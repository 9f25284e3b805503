"""Small data sets that are installed with the package, for examples and first steps.

>>> import gmtoolbox as gm
>>> p = gm.data.load("car-1")
>>> p.shape
(12, 12)

``load`` returns matching problems with their ground truth, ``load_network`` a social network,
``load_molecules`` drugs as labelled graphs, and ``load_keypoints`` the keypoints of two
photographs. No file path and no network connection is needed.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from gmtoolbox.core.errors import InputError, did_you_mean
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.io import load as load_file

__all__ = ["Keypoints", "load", "load_keypoints", "load_molecules", "load_network", "names"]

FOLDER = Path(__file__).resolve().parent
SUFFIX = ".dd.xz"


def names():
    """Return the names of the problems that `load` knows.

    Returns
    -------
    list of str

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.data.names()
    ['caltech-small-1', 'car-1', 'hotel-1', 'house-sparse-1', 'opengm-1']
    """
    return sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))


def load(name):
    """Return a small matching problem by its name.

    The problems have the form of the data sets of the comparative study (points of cars, houses and
    hotels, for example), but are synthetic.

    Parameters
    ----------
    name : str
        One of `gm.data.names()`.

    Returns
    -------
    Problem
        With costs to be minimised and a known ``ground_truth``.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.data.load("car-1")
    >>> r = gm.gm_solve(p)
    >>> round(r.value, 2), r.status, gm.accuracy(r.labels, p.ground_truth)
    (-30.6, 'optimal', 1.0)
    """
    check_name(name, names())
    facts = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    problem = load_file(FOLDER / f"{name}{SUFFIX}", complete=facts["complete"])
    truth = [-1 if label is None else label for label in facts["ground_truth"]]
    return replace(problem, name=name, ground_truth=truth)


def load_network(name):
    """Return a social network as a sparse adjacency matrix, and the names of its nodes.

    Parameters
    ----------
    name : {"karate", "les-miserables"}
        The members of a karate club, joined if they met outside it (Zachary 1977, 34 nodes), or the
        characters of Les Miserables, joined if they share a chapter (Knuth 1993, 77 nodes).

    Returns
    -------
    A : scipy.sparse.csr_array
        Symmetric, with entries 0 and 1.
    names : list of str

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> A, names = gm.data.load_network("les-miserables")
    >>> A.shape, A.nnz // 2, names[10]
    ((77, 77), 254, 'Valjean')
    """
    networks = json.loads((FOLDER / "networks.json").read_text("utf-8"))
    check_name(name, networks)
    people, edges = networks[name]["names"], np.array(networks[name]["edges"])
    n = len(people)
    ends = (np.concatenate([edges[:, 0], edges[:, 1]]), np.concatenate([edges[:, 1], edges[:, 0]]))
    return sparse.csr_array((np.ones(2 * len(edges)), ends), shape=(n, n)), people


def load_molecules():
    """Return eight drugs as labelled graphs, in the form that `graph_edit_distance` accepts.

    Returns
    -------
    dict
        ``{name: (adjacency, labels)}``: the entries of the matrix are bond orders (1.5 if
        aromatic), the labels are chemical elements. Hydrogens are left out.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> drugs = gm.data.load_molecules()
    >>> gm.graph_edit_distance(drugs["caffeine"], drugs["theobromine"]).distance
    2.0
    """
    molecules = json.loads((FOLDER / "molecules.json").read_text("utf-8"))
    return {name: bond_matrix(**molecule) for name, molecule in molecules.items()}


def bond_matrix(atoms, bonds):
    """Return (symmetric matrix of bond orders, labels of the atoms)."""
    adjacency = np.zeros((len(atoms), len(atoms)))
    for i, j, order in bonds:
        adjacency[i, j] = adjacency[j, i] = order
    return adjacency, atoms


@dataclass(frozen=True)
class Keypoints:
    """The keypoints of two photographs.

    Attributes
    ----------
    points1, points2 : (n, 2) float arrays
        Positions x, y in pixels.
    descriptors1, descriptors2 : (n, 128) uint8 arrays
        SIFT descriptors.
    truth : (n,) int array
        For each keypoint of the first photograph the one of the second, -1 if there is none.
    """

    points1: object
    descriptors1: object
    points2: object
    descriptors2: object
    truth: object

    def __repr__(self):
        n1, n2 = len(self.points1), len(self.points2)
        return f"<Keypoints {n1} and {n2}, {(self.truth >= 0).sum()} with a partner>"


def load_keypoints():
    """Return SIFT keypoints of a photograph and of the same one turned by 20 degrees.

    Returns
    -------
    Keypoints

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> k = gm.data.load_keypoints()
    >>> k.points1.shape, k.points2.shape, int((k.truth >= 0).sum())
    ((120, 2), (120, 2), 72)
    """
    with np.load(FOLDER / "keypoints.npz") as stored:
        return Keypoints(**{name: stored[name] for name in stored.files})


def check_name(name, known):
    """Raise an InputError unless the name is a known one."""
    if name not in known:
        hint = did_you_mean(name, known)
        raise InputError(f"name must be one of {', '.join(sorted(known))}, got {name!r}{hint}")
