"""MAT files: the study's benchmark schema, and bare affinity matrices as people have them.

A file with `reducedK` or `offset` is in the benchmark schema:

    K         (n1 n2, n1 n2)  both triangles, half of each edge cost in either; row left + n1 right
    Ct        (n1, n2)        1 = allowed assignment
    KP, KQ, gph1.G/H, gph2.G/H   the same as factors
    reducedK  (N, N)          K on the allowed assignments, column-major
    offset    constant added to the value

and, written by gmtoolbox in addition, fields beyond a matrix: `sense`, `complete`, `zero_edges`
(pairs of rows of reducedK joined by an edge of cost 0), `added_edges` (two rows and the part that
halving takes from a denormal cost), `points1/2`, `neighbours1/2`, `ground_truth`, `nodes1/2`
(JSON). Other files have a `K` (or `M`, `W`, or the only square matrix), with `Ct` or `E12` (mask),
`L12` (list of assignments) or `group1` and `group2` (their indicator matrices), and `gtruth` if
they have it; or the factors `KP`, `KQ`, `gph1`, `gph2` (and `Ct`) without a matrix, which are kept
as factors.

mat_sense.py has the rule that decides between costs (minimised) and affinities (maximised). In the
benchmark schema matchings may be partial unless `complete` or the file's name says otherwise; in
other files they are complete unless `complete` says otherwise.

Indices are 1-based in these files and nowhere else.
"""

from dataclasses import replace
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.factors import from_factors
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.matrix import check_matrix, infer_shape, warn_of_shape
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.core.values import check_shape, one_based, zero_based
from gmtoolbox.io import mat5, mat73
from gmtoolbox.io.files import names_from_text, names_to_text
from gmtoolbox.io.formats import EVERYTHING, reader, writer
from gmtoolbox.io.mat_checks import check_graphs, check_same
from gmtoolbox.io.mat_files import read_variables
from gmtoolbox.io.mat_products import (
    from_products,
    has_products,
    is_too_large,
    product_variables,
)
from gmtoolbox.io.mat_sense import SCHEMA_NAMES, check_meaning, meaning_of
from gmtoolbox.io.mat_variables import (
    dense,
    index_array,
    indicator,
    is_matrix,
    list_variables,
    mask,
    matrix,
    scalar,
    split_diagonal,
    square,
)

SUFFIX = ".mat"
COMPLETE_NAMES = ("_b", "_bn", "_bnz")  # the study's converter names bijective files so
AFFINITY_NAMES = ("K", "M", "W")
TRUTH_NAMES = ("ground_truth", "gtruth", "gTruth", "GT")
FACTORS = {"KP", "KQ", "gph1", "gph2"}
OTHER_NAMES = (*FACTORS, "Ct", "E12", "L12", "group1", "group2", "reducedK")  # never taken for a K
UNMASKED = "reducedK needs Ct next to it, which says to which pairs its rows belong"
MAX_LISTED = 2**22  # largest node that a list of assignments may name
MAX_ROWS = 2**31 - 1  # of any matrix in version 7
VERSIONS = ("6", "7", "7.3")


@reader(SUFFIX, preference=2)
def read(path, key=None, sense=None, shape=None):
    """Read a Problem from a .mat file.

    key    name of the matrix, if it cannot be guessed, or of a struct with the problem
    sense  "min" or "max", if the file does not state whether it holds costs or affinities
    shape  (n1, n2) of a matrix without Ct
    """
    variables = read_variables(path)
    name = Path(path).name
    name = name[: -len(SUFFIX)] if name.lower().endswith(SUFFIX) else name
    try:
        return problem_of(variables, name, key, sense, shape)
    except FileFormatError:
        raise
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


@writer(SUFFIX, keeps=EVERYTHING)
def mat_bytes(problem, version="7", schema=None):
    """The bytes of a .mat file; version is "6" (not compressed), "7" or "7.3" (HDF5).

    schema  "costs": the benchmark's variables, minimised; "affinity": K as it is maximised, with
            Ct, sense and complete. By default the one that goes with the problem's sense.
            "products": the two matrices A and B of a Koopmans-Beckmann problem, the default if it
            has too many products for a matrix.
    """
    schema = schema or ("products" if is_too_large(problem) else schema_of(problem))
    if schema not in SCHEMAS:
        raise InputError(f"schema must be one of {' '.join(SCHEMAS)}, got {schema!r}")
    if schema == "affinity" and problem.sense != "max":
        raise InputError("schema 'affinity' is for problems that are maximised")
    if schema == "products" and not isinstance(problem.edges, Products):
        raise InputError("schema 'products' is for Koopmans-Beckmann problems")
    if version not in VERSIONS:
        raise InputError(f"version must be one of {' '.join(VERSIONS)}, got {version!r}")
    n1, n2 = problem.shape
    if schema != "products" and version != "7.3" and n1 * n2 > MAX_ROWS:
        raise InputError(
            f"K would have n1*n2 = {n1 * n2} rows, version {version} holds {MAX_ROWS}; save as .h5"
        )
    variables = variables_of(problem, schema)
    if version == "7.3":
        return mat73.variables_bytes(variables)
    return mat5.version_5_bytes(variables, compress=version == "7")


def schema_of(problem):
    """Return the schema that goes with the sense of a problem."""
    return "affinity" if problem.sense == "max" else "costs"


# ---- Problem -> variables


def variables_of(problem, schema):
    """The variables of a file, in one of the SCHEMAS."""
    sign = problem.signed(1.0) if schema == "affinity" else 1.0
    other = {} if schema == "products" else edge_variables(problem, sign)
    return {**SCHEMAS[schema](problem), **other, **describing_variables(problem)}


def cost_variables(problem):
    """The benchmark's variables: costs, whatever the problem's sense."""
    costs = problem.as_costs()
    variables = {
        name: sparse.csc_array(getattr(costs, name)) for name in ("K", "Ct", "KP", "KQ", "reducedK")
    }
    for name in ("gph1", "gph2"):
        graph = getattr(costs, name)
        variables[name] = {"G": sparse.csc_array(graph.G), "H": sparse.csc_array(graph.H)}
    reported = {} if problem.sense == "min" else {"reported": problem.sense}
    return {**variables, "offset": float(problem.offset), "sense": "min", **reported}


def affinity_variables(problem):
    """Return K as gm_solve(K) reads it, and the mask, which also has the shape."""
    variables = {name: sparse.csc_array(getattr(problem, name)) for name in ("K", "Ct")}
    if problem.offset:
        variables["constant"] = float(problem.signed(problem.offset))
    return {**variables, "sense": problem.sense}


SCHEMAS = {"costs": cost_variables, "affinity": affinity_variables, "products": product_variables}


def edge_variables(problem, sign):
    """Return the edges that a matrix of costs times sign cannot hold."""
    variables, cost = {}, problem.edge_cost
    zero = cost == 0
    if np.any(zero):
        variables["zero_edges"] = one_based(np.column_stack([problem.a[zero], problem.b[zero]]))
    rest = cost - 2 * (0.5 * cost)  # 0 unless the cost is denormal
    if np.any(rest):
        some = rest != 0
        ends = one_based(np.column_stack([problem.a[some], problem.b[some]]))
        variables["added_edges"] = np.column_stack([ends.astype(float), sign * rest[some]])
    return variables


def describing_variables(problem):
    """Return the variables of all schemas besides the matrices."""
    variables = {"complete": np.bool_(problem.complete)}
    for name in ("points1", "points2"):
        if getattr(problem, name) is not None:
            variables[name] = getattr(problem, name)
    for name in ("neighbours1", "neighbours2", "ground_truth"):
        if getattr(problem, name) is not None:
            variables[name] = one_based(getattr(problem, name))
    for name in ("nodes1", "nodes2"):
        if getattr(problem, name) is not None:
            variables[name] = names_to_text(getattr(problem, name))
    return variables


# ---- variables -> Problem


def problem_of(variables, name="", key=None, sense=None, shape=None):
    """Build the problem that a set of variables describes; its `origin` lists how each was
    interpreted. key, sense and shape are those of `read`.
    """
    if key is not None and key not in variables:
        raise InputError(f"there is no variable {key!r}; there are {list_variables(variables)}")
    if key is not None and isinstance(variables[key], dict):
        return problem_of(variables[key], name, sense=sense, shape=shape)
    meaning = meaning_of(variables, sense)
    has_matrix = bool(variables.keys() & set(AFFINITY_NAMES))
    if key is None and has_products(variables):
        problem = from_product_variables(variables, name, meaning)
    elif "reducedK" in variables and key in (None, "K", "reducedK") and "Ct" in variables:
        problem = from_schema(variables, name, meaning)
    elif key is None and not has_matrix and FACTORS <= variables.keys():
        problem = from_factor_variables(variables, name, meaning)
    else:
        problem = from_matrix_variable(variables, name, meaning, key, shape)
    return confirm_shape(problem, shape)


def confirm_shape(problem, shape):
    """Return the problem, if it has the shape that the caller states."""
    if shape is not None and check_shape(shape) != problem.shape:
        raise InputError(f"the variables are of a problem {problem.shape}, got shape={shape!r}")
    return problem


def from_schema(variables, name, meaning):
    """Make the Problem of the benchmark's variables, of which Ct and reducedK are there."""
    Ct = mask(variables, "Ct")
    left, right = np.nonzero(Ct.T)[::-1]  # column-major
    n1, n2 = Ct.shape
    N, rows = len(left), left + n1 * right.astype(np.int64)
    reduced = square(variables, "reducedK", N, "the number of ones in Ct")
    if "K" in variables:
        K = square(variables, "K", n1 * n2, f"n1*n2 for Ct of shape ({n1}, {n2})")
        check_same(K, reduced, rows)
    sign = meaning.constant(1.0)
    diagonal, a, b, edge_cost = split_diagonal(reduced)
    a, b, edge_cost = with_other_edges(variables, N, a, b, edge_cost)
    return Problem(
        Ct.shape, left, right, sign * diagonal, a, b, sign * edge_cost,
        offset=meaning.constant(constant_of(variables)), name=name,
        origin=f"benchmark schema ({describe_meaning(meaning)}): {list_variables(variables)}",
        **extras(variables, name, Ct.shape, meaning),
    )  # fmt: skip


def describe_meaning(meaning):
    """Return in words the meaning of the matrices."""
    return "costs, minimised" if meaning.costs else "affinities, maximised"


def constant_of(variables):
    """Return the constant of the objective, in the sense of the matrices."""
    return sum(scalar(variables, name, 0.0) for name in ("offset", "constant"))


def with_other_edges(variables, n_candidates, a, b, edge_cost, sign=1.0):
    """Add to the edges of a matrix those that cost nothing (zero_edges), and the digits that
    halving takes from denormal costs (added_edges).
    """
    for name, n_columns in (("zero_edges", 2), ("added_edges", 3)):
        if name not in variables:
            continue
        table = dense(matrix(variables, name)).astype(float)
        if table.shape[1] != n_columns:
            raise InputError(f"{name} must have {n_columns} columns, got {table.shape[1]}")
        ends = index_array({name: table[:, :2]}, name, n_candidates)
        cost = sign * table[:, 2] if n_columns == 3 else np.zeros(len(table))
        a, b = np.concatenate([a, ends[:, 0]]), np.concatenate([b, ends[:, 1]])
        edge_cost = np.concatenate([edge_cost, cost])
    return a, b, edge_cost


def from_matrix_variable(variables, name, meaning, key=None, shape=None):
    """Make the Problem of one matrix, over all pairs or over a list of assignments."""
    chosen = key
    key, why = matrix_name(variables) if key is None else (key, "asked for")
    K = check_matrix(matrix(variables, key))
    kind = "cost" if meaning.costs else "affinity"
    notes = [f"{key} ({K.shape[0]} x {K.shape[1]}): {kind} matrix, {why}"]
    if "reducedK" in variables and "Ct" not in variables:
        check_unmasked(variables, key, K)
    Ct = next(
        (mask(variables, other) for other in ("Ct", "E12") if other in variables and other != key),
        None,
    )
    if Ct is not None:
        notes.append(
            f"{'Ct' if 'Ct' in variables else 'E12'} {Ct.shape}: mask of the allowed assignments"
        )
    pairs, listed = assignment_list(variables, K.shape[0], Ct, notes)
    check_meaning(meaning, {key: K}, name, chosen)
    settings = extras(variables, name, None, meaning)
    settings |= {"offset": meaning.constant(constant_of(variables)), "name": name}
    if pairs is None:
        if shape is None and Ct is None:
            warn_of_shape(f"{name}: {key}" if name else key, K)
        shape = infer_shape(K.shape[0], shape, Ct)
        way = "min" if meaning.costs else "max"
        problem = Problem.from_matrix(K, shape=shape, Ct=Ct, **{**settings, "sense": way})
    else:
        sign = meaning.constant(1.0)
        diagonal, a, b, value = split_diagonal(K)
        problem = Problem(
            listed, pairs[:, 0], pairs[:, 1], sign * diagonal, a, b, sign * value, **settings
        )
    notes.append("minimised" if meaning.costs else "maximised")
    known = {"ground_truth": ground_truth(variables, problem, pairs, notes)}
    known |= node_names(variables, problem.shape)
    if variables.keys() & {"zero_edges", "added_edges"}:
        edges = problem.a, problem.b, problem.edge_cost, meaning.constant(1.0)
        edges = with_other_edges(variables, problem.n_candidates, *edges)
        known.update(zip(("a", "b", "edge_cost"), edges, strict=True))
    return replace(problem, sense=meaning.sense, origin="; ".join(notes), **known)


def check_unmasked(variables, key, K):
    """Check that reducedK without Ct is all of K: no pair is forbidden."""
    reduced = check_matrix(matrix(variables, "reducedK"))
    if key == "reducedK" or reduced.shape != K.shape:
        raise InputError(UNMASKED)
    check_same(K, reduced, np.arange(K.shape[0]))


def from_factor_variables(variables, name, meaning):
    """Make the Problem of KP, KQ, gph1, gph2 (and Ct) without any K, as FGM users have them; they
    are kept as factors.
    """
    check_graphs(variables)
    Ct = mask(variables, "Ct") if "Ct" in variables else None
    KP, KQ = (matrix(variables, key) for key in ("KP", "KQ"))
    check_meaning(meaning, {"KP": KP, "KQ": KQ}, name)
    settings = extras(variables, name, KP.shape, meaning)
    origin = f"KP, KQ, gph1, gph2: factors, {describe_meaning(meaning)}" + (
        "; Ct: mask of the allowed assignments" if Ct is not None else ""
    )
    settings |= {"offset": meaning.constant(constant_of(variables)), "origin": origin}
    settings |= {"name": name, "sense": "min" if meaning.costs else "max"}
    problem = from_factors(KP, KQ, variables["gph1"], variables["gph2"], Ct, **settings)
    return replace(problem, sense=meaning.sense)


def from_product_variables(variables, name, meaning):
    """Make the Problem of A, B and C, which are kept as products."""
    check_meaning(meaning, {key: matrix(variables, key) for key in "AB" if key in variables}, name)
    settings = extras(variables, name, None, meaning)
    settings |= {"offset": meaning.constant(constant_of(variables)), "name": name}
    settings["origin"] = f"A, B: products, {describe_meaning(meaning)}"
    problem = from_products(variables, settings, meaning)
    known = extras(variables, name, problem.shape, meaning)
    return replace(problem, **{field: known[field] for field in known.keys() - settings.keys()})


def matrix_name(variables):
    """Return (name of the matrix among the variables, why it was taken)."""
    for name in AFFINITY_NAMES:
        if name in variables:
            return name, "by its name"
    found = [
        name
        for name, value in variables.items()
        if name not in OTHER_NAMES and is_matrix(value) and value.shape[0] == value.shape[1] > 1
    ]
    if not found and "reducedK" in variables:
        raise InputError(UNMASKED)
    if len(found) != 1:
        reason = (
            f"{len(found)} square matrices ({', '.join(found)})" if found else "no square matrix"
        )
        raise InputError(
            f"no variable {' '.join(AFFINITY_NAMES)}, and {reason}: name one with key=; there are"
            f" {list_variables(variables)}"
        )
    return found[0], "the only square one"


def assignment_list(variables, N, Ct, notes):
    """Return ((N, 2) pairs, shape) if K's rows are listed assignments, (None, None) if they are all
    n1*n2 pairs.
    """
    pairs = None
    if "L12" in variables:
        pairs = index_array(variables, "L12", MAX_LISTED)
        if pairs.shape != (N, 2):
            raise InputError(
                f"L12 must be a list of {N} assignments (2 columns) to go with the affinity, got"
                f" shape {pairs.shape}"
            )
        notes.append(f"L12 {pairs.shape}: the assignment of each row")
    elif "group1" in variables and "group2" in variables:
        columns = [indicator(variables, group, N) for group in ("group1", "group2")]
        pairs = np.column_stack(columns)
        notes.append("group1, group2: the assignment of each row")
    elif Ct is not None and np.prod(Ct.shape) != N == np.count_nonzero(Ct):
        pairs = np.argwhere(Ct.T)[:, ::-1]
        notes.append("rows: the ones of the mask, column-major")
    if pairs is None:
        return None, None
    shape = tuple(int(n) + 1 for n in pairs.max(axis=0))
    if Ct is not None:
        shape = Ct.shape
    elif "group1" in variables and "group2" in variables:
        shape = (variables["group1"].shape[1], variables["group2"].shape[1])
    return pairs, shape


def ground_truth(variables, problem, pairs, notes):
    """Labels from a vector of n1 labels, an n1 x n2 indicator or an indicator over the listed
    assignments.
    """
    n1, n2 = problem.shape
    for name in TRUTH_NAMES:
        if name not in variables or not is_matrix(variables[name]):
            continue
        value = dense(variables[name])
        labels = np.full(n1, -1)
        if value.shape == (n1, n2) and np.all((value == 0) | (value == 1)) and n2 > 1:
            nodes, right = np.nonzero(value)
            labels[nodes[::-1]] = right[::-1]  # the first of several
        elif pairs is not None and value.size == len(pairs) != n1:
            chosen = np.flatnonzero(value.ravel())[::-1]
            labels[pairs[chosen, 0]] = pairs[chosen, 1]
        elif value.size == n1 and np.all((value >= 0) & (value <= n2) & (value == np.round(value))):
            labels = zero_based(value.ravel())
        else:
            continue
        notes.append(f"{name}: ground truth")
        return labels
    return None


def extras(variables, name, shape, meaning):
    """Return the fields of a Problem that are not matrices. `complete` is that of the variables,
    else False in the benchmark's schema, unless the file's name says otherwise, and else True.
    """
    complete = name.endswith(COMPLETE_NAMES) or not variables.keys() & set(SCHEMA_NAMES)
    if "complete" in variables:
        complete = scalar(variables, "complete", 0.0) != 0
    found = {"sense": meaning.sense, "complete": complete}
    for field in ("points1", "points2"):
        if field in variables and is_matrix(variables[field]):
            found[field] = dense(variables[field]).astype(float)
    for field in ("neighbours1", "neighbours2"):
        if field in variables:
            found[field] = index_array(variables, field, 2**31)
    if shape:
        found |= node_names(variables, shape)
    if shape and "ground_truth" in variables:
        found["ground_truth"] = truth_labels(variables, shape)
    return found


def truth_labels(variables, shape):
    """Return the labels of the variable ground_truth: labels, or an n1 x n2 matrix of 0 and 1."""
    value = dense(matrix(variables, "ground_truth"))
    if value.shape == shape and min(shape) > 1 and np.all((value == 0) | (value == 1)):
        return np.where(value.any(axis=1), value.argmax(axis=1), -1)
    return index_array(variables, "ground_truth", shape[1], lowest=-1).ravel()


def node_names(variables, shape):
    """Return nodes1 and nodes2, if the variables have them."""
    return {
        field: names_from_text(field, variables[field], n)
        for field, n in zip(("nodes1", "nodes2"), shape, strict=True)
        if isinstance(variables.get(field), str)
    }
