"""Repeated information in a MAT file or struct must agree: K, reducedK, and the factors."""

from gmtoolbox.core.errors import InputError, element
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.io.mat_variables import dense, matrix


def check_factors(problem, variables):
    """Check that KP and KQ agree with K if both are given: an edit of one is not ignored."""
    if "reducedK" not in variables and "offset" not in variables:
        return
    costs = problem.as_costs()
    if "KP" in variables:
        given = dense(matrix(variables, "KP"))
        if given.shape != problem.shape:
            raise InputError(f"KP must be {problem.shape[0]} x {problem.shape[1]}")
        wrong = np.argwhere(given != costs.KP.toarray())
        if len(wrong):
            raise InputError(
                f"KP and K disagree, first at {element('KP', *wrong[0])}; change K and reducedK,"
                " or give KP, KQ, gph1 and gph2 alone"
            )
    if "KQ" in variables and {"gph1", "gph2"} <= variables.keys():
        check_quadratic(costs, variables)


def check_graphs(variables):
    """Check that gph1 and gph2 are structs with the matrices G and H."""
    for name in ("gph1", "gph2"):
        graph = variables[name]
        if not isinstance(graph, dict) or not {"G", "H"} <= graph.keys():
            raise InputError(f"{name} must be a struct with G and H")
        for side in ("G", "H"):
            matrix({f"{name}.{side}": graph[side]}, f"{name}.{side}")


def check_quadratic(costs, variables):
    """Every KQ(e, f) is the entry of K between the starts and the ends of the edges e and f."""
    check_graphs(variables)
    KQ = matrix(variables, "KQ")
    KQ = (KQ if sparse.issparse(KQ) else sparse.csr_array(KQ)).tocoo()
    ends = {}
    for graph, n in (("gph1", costs.shape[0]), ("gph2", costs.shape[1])):
        for side in ("G", "H"):
            M = sparse.csc_array(variables[graph][side])
            if M.shape[0] != n or np.any(np.diff(M.indptr) != 1):
                raise InputError(f"{graph}.{side} must have {n} rows and a single one per column")
            ends[graph, side] = M.indices
    m1, m2 = (len(ends[graph, "G"]) for graph in ("gph1", "gph2"))
    if KQ.shape != (m1, m2) or any(
        len(ends[graph, "H"]) != m for graph, m in (("gph1", m1), ("gph2", m2))
    ):
        raise InputError(
            f"KQ must have a row for each edge of gph1 and a column for each edge of gph2:"
            f" {m1} x {m2}, got {KQ.shape[0]} x {KQ.shape[1]}"
        )
    n1, n2 = costs.shape
    row, column = (
        ends["gph1", side][KQ.row] + n1 * ends["gph2", side][KQ.col].astype(np.int64)
        for side in ("G", "H")
    )
    given = sparse.coo_array((KQ.data, (row, column)), shape=(n1 * n2, n1 * n2)).tocsr()
    K = costs.K - sparse.diags_array(costs.K.diagonal(), format="csr")
    different = (K - given).tocoo()
    wrong = np.flatnonzero(different.data)
    if len(wrong):
        p, q = different.row[wrong[0]], different.col[wrong[0]]
        raise InputError(
            f"KQ and K disagree, first at {element('K', p, q)}; change K and reducedK, or give"
            " KP, KQ, gph1 and gph2 alone"
        )


def check_same(K, reduced, rows):
    """Check that K and reducedK, if both are there, hold the same entries."""
    reduced = reduced.tocoo()
    spread = sparse.coo_array((reduced.data, (rows[reduced.row], rows[reduced.col])), shape=K.shape)
    different = (K - spread.tocsr()).tocoo()
    wrong = np.flatnonzero(different.data)
    if len(wrong):
        p, q = different.row[wrong[0]], different.col[wrong[0]]
        raise InputError(f"K and reducedK disagree, first at K({p + 1},{q + 1})")
