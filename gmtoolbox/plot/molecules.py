"""Molecules of RDKit as chemists draw them: its coordinates, and bonds with two or three lines."""

import copy

from gmtoolbox.core.lazy import np

APART = 3.2  # pixels between the lines of a bond
ORDERS = {"DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 2}


def are_rdkit(graphs):
    """Return True if all graphs are molecules of RDKit itself."""
    return all(type(graph).__module__.startswith("rdkit.") for graph in graphs)


def place_molecules(molecules, atom_pairs):
    """Return [points of M1, points of M2], RDKit's depictions, the second turned onto the first.

    Parameters
    ----------
    molecules : two RDKit molecules
    atom_pairs : list of (i, j)
        Atom i of M1 becomes atom j of M2.
    """
    fixed, moving = (depict(molecule) for molecule in molecules)
    if not atom_pairs:
        return [list(fixed), list(moving)]
    i, j = np.array(atom_pairs).T
    return [list(fixed), list(align(moving, moving[j], fixed[i]))]


def depict(molecule):
    """Return the (n, 2) coordinates of RDKit's depiction, with y downwards as in SVG."""
    from rdkit.Chem import rdDepictor  # the caller has an RDKit molecule, so it is installed

    drawing = copy.copy(molecule)  # its conformers are those of the depiction
    rdDepictor.Compute2DCoords(drawing)
    points = np.array(drawing.GetConformer().GetPositions())[:, :2].reshape(-1, 2)
    return points * (1, -1)


def align(points, origin, target):
    """Return points moved by the turn or reflection that takes origin closest to target (Kabsch):

    .. math:: \\min_{Q^T Q = I} \\sum_k \\lVert Q (o_k - \\bar o) - (t_k - \\bar t) \\rVert^2
    """
    centre, aim = origin.mean(axis=0), target.mean(axis=0)
    U, _, V = np.linalg.svd((origin - centre).T @ (target - aim))
    return (points - centre) @ (U @ V) + aim


def bond_lines(start, end, bond):
    """Return the lines of a bond as (start, end, is_dashed): one, two or three, side by side. An
    aromatic bond has a dashed second line.
    """
    order = ORDERS.get(bond, 1)
    along = np.subtract(end, start)
    across = np.array([-along[1], along[0]]) / max(np.hypot(*along), 1e-9)
    shifts = APART * (np.arange(order) - (order - 1) / 2)
    return [
        (start + shift * across, end + shift * across, bond == "AROMATIC" and k == 1)
        for k, shift in enumerate(shifts)
    ]
