"""Forged trees of subproblems: attempts to have the checker call a matching optimal that is not.

Cases, truth and outcomes are those of `forgeries`. A tree divides the problem at random, has duals
of its certificates at leaves and branches, and children that lean on the duals above them; then its
structure, its duals or both are changed.
"""

import copy
import random
import warnings
from collections import Counter
from contextlib import suppress

import numpy as np
from attacks.forgeries import FORGERIES, SEVERAL, TRIPS, TYPES, judge, make_case

from gmtoolbox.proofs.checker import Model, Refused, read_stage
from gmtoolbox.proofs.tree_checker import prove_tree, remaining_candidates

DUALS = tuple(name for name in FORGERIES if "stage" not in name and "cutoff" not in name)


# ---- trees


def collect_hints(case, model):
    """Return the duals of certificates of this problem, and of others that fit it, and none."""
    found = [{}]
    for certificate in (*case.honest * 3, *case.foreign):
        root = {name: x for name, x in certificate.items() if name not in ("stages", "cutoff")}
        with suppress(Refused):
            read_stage(root, "hints", model)
            found.append(root)
    return found


def draw_tree(rng, hints, model, decided=None):
    """Return the objects of a random tree, deep enough to be a proof at times."""
    decided = decided or {}
    open_nodes = [i for i in range(model.n1) if i not in decided]
    if not open_nodes or rng.random() < (0.3 if decided else 0.0):
        return [{"leaf": rng.choice(hints) if open_nodes else {}}]
    i, branch = rng.choice(open_nodes), {}
    if rng.random() < 0.6:
        branch["duals"] = rng.choice(hints)
    objects = [{"branch": i, **branch}]
    for p in remaining_candidates(model, decided):
        if model.node[p] == i:
            leans = branch and rng.random() < 0.5
            below = [] if leans else draw_tree(rng, hints, model, {**decided, i: p})
            objects += below or [{"above": True}]
    return objects


# ---- forgeries: each changes the objects of a tree


def dropped(rng, case, objects):
    del objects[rng.randrange(len(objects))]


def repeated(rng, case, objects):
    objects.insert(rng.randrange(len(objects) + 1), copy.deepcopy(rng.choice(objects)))


def exchanged(rng, case, objects):
    j, k = rng.randrange(len(objects)), rng.randrange(len(objects))
    objects[j], objects[k] = objects[k], objects[j]


def cut_off(rng, case, objects):
    del objects[rng.randrange(len(objects)) :]


def one_object(rng, case, objects):
    """Replace the tree by a leaf, or by one child for all."""
    kept = copy.deepcopy(rng.choice(objects))
    objects[:] = rng.choice([[kept], [objects[0], kept], [{"above": True}], [{"leaf": {}}], []])


def other_node(rng, case, objects):
    """Branch on another node, a decided one, or none."""
    branches = [x for x in objects if "branch" in x]
    rng.choice(branches)["branch"] = rng.choice([*range(-1, 6), *TYPES])


def other_kind(rng, case, objects):
    """Make a leaf of a branch, a branch of a leaf, or lean any of them on the duals above."""
    k = rng.randrange(len(objects))
    duals = objects[k].get("leaf", objects[k].get("duals", {}))
    objects[k] = rng.choice(
        [{"above": True}, {"leaf": duals}, {"branch": rng.randrange(4), "duals": duals},
         {"branch": rng.randrange(4)}, {"above": rng.choice(TYPES)}, {"above": True, "leaf": duals}]
    )  # fmt: skip


def all_lean(rng, case, objects):
    """Lean all leaves on the duals above them, also if there are none."""
    duals = rng.choice([{}, {"duals": {}}])
    objects[:] = [{"above": True} if "leaf" in x else {**duals, **x} for x in objects]


def all_duals(rng, case, objects):
    """Use the same duals everywhere."""
    found = rng.choice([x[name] for x in objects for name in ("leaf", "duals") if name in x])
    for x in objects:
        for name in ("leaf", "duals"):
            if name in x:
                x[name] = copy.deepcopy(found)


def without_wrong(rng, case, objects):
    """Keep a part of the tree that looks like a whole one: the first child for its siblings."""
    k = rng.randrange(len(objects))
    j = rng.randrange(k, len(objects)) + 1
    objects[k:j] = rng.choice([objects[k : k + 1], objects[k:j] * 2, [{"above": True}] * (j - k)])


def changed_duals(name):
    """Return a forgery that changes the duals of one object as FORGERIES[name] does."""

    def forge(rng, case, objects):
        places = [(x, key) for x in objects for key in ("leaf", "duals") if x.get(key)]
        if places:
            x, key = rng.choice(places)
            FORGERIES[name](rng, case, x[key])

    return forge


STRUCTURE = {
    "object dropped": dropped,
    "object repeated": repeated,
    "objects exchanged": exchanged,
    "tree cut off": cut_off,
    "one object for all": one_object,
    "branch on another node": other_node,
    "object of another kind": other_kind,
    "all leaves lean": all_lean,
    "same duals everywhere": all_duals,
    "part of the tree": without_wrong,
}
TREE_FORGERIES = {**STRUCTURE, **{f"duals: {name}": changed_duals(name) for name in DUALS}}


def forge(rng, case, objects):
    """Return (name, objects) of a random forgery."""
    objects = copy.deepcopy(objects)
    n = 1 if rng.random() < 0.6 else rng.randint(2, 4)
    names = [rng.choice(list(rng.choice([STRUCTURE, TREE_FORGERIES]))) for _ in range(n)]
    for name in names:
        with np.errstate(all="ignore"), warnings.catch_warnings(), suppress(*TRIPS):
            warnings.simplefilter("ignore")
            TREE_FORGERIES[name](rng, case, objects)
    return names[0] if n == 1 else SEVERAL, objects


def campaign(n, seed=0, n_cases=60):
    """Return ({(kind of forgery, outcome): count}, forgeries that were accepted); every tree has a
    branch, and is judged before it is changed, too.
    """
    cases = [case for case in map(make_case, range(seed, seed + n_cases)) if case]
    models = [Model(case.given) for case in cases]
    hints = [collect_hints(*pair) for pair in zip(cases, models, strict=True)]
    rng, counts, accepted = random.Random(seed), Counter(), []
    for k in range(n):
        case, own, model = (found[k % len(cases)] for found in (cases, hints, models))
        genuine = draw_tree(rng, own, model)
        for name, objects in (("unchanged", genuine), forge(rng, case, genuine)):
            outcome = judge(case, iter(objects), prove_tree)
            counts[name, outcome] += 1
            if outcome == "ACCEPTED":
                accepted.append((case, name, objects))
    return counts, accepted
