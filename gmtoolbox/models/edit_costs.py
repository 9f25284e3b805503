"""The costs of edits: the user's functions, asked once for each distinct pair of attributes, and
graphs whose attributes are numbered for them.
"""

import time
from contextlib import contextmanager
from copy import copy
from math import fsum, inf, isfinite

from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError, did_you_mean
from gmtoolbox.core.lazy import np
from gmtoolbox.core.once import once
from gmtoolbox.models.attribute_numbers import (
    Numbering,
    attribute_key,
    number_plain,
    values_of,
)
from gmtoolbox.models.attributed import (
    SharedLabels,
    as_attributed,
    as_directed,
    compare_label,
    ready_for_queries,
)
from gmtoolbox.models.cost_presets import PRESETS

# (node deleted or inserted, node relabelled, edge deleted or inserted, edge relabelled)
COSTS = {
    "unit": (1.0, 1.0, 1.0, 1.0),
    "constant": (1.0, 1.0, 1.0, 1.0),  # its name in GEDLIB
    "unlabelled": (1.0, 0.0, 1.0, 0.0),
    "chem1": (4.0, 2.0, 1.0, 1.0),  # Abu-Aisheh et al. 2017, see cost_presets.py
    "chem2": (2.75, 5.5, 0.825, 0.825),  # Riesen and Bunke 2010: 11 and 1.1, alpha = 0.25
}
NEED_LABELS = ("chem1", "chem2")  # costs of graphs whose nodes and edges have labels
LEAST_SECONDS = 0.05  # to ask for costs, however short the limit of a call is
LARGEST = 1e290  # of a cost, if it is finite: sums of them are doubles still
MATCHES = ("node_match", "edge_match")
COST_FUNCTIONS = (  # the functions that a user may give, in networkx's order
    "node_match",
    "edge_match",
    "node_subst_cost",
    "node_del_cost",
    "node_ins_cost",
    "edge_subst_cost",
    "edge_del_cost",
    "edge_ins_cost",
)
KNOWN_FUNCTIONS = frozenset(COST_FUNCTIONS)


# ---- functions


def check_functions(costs, functions):
    """Return the functions that are not None; InputError for one that nothing would ask."""
    if unknown := functions.keys() - KNOWN_FUNCTIONS:
        name, known = min(unknown), ", ".join(COST_FUNCTIONS)
        hint = did_you_mean(name, (*COST_FUNCTIONS, "costs"))
        raise InputError(f"there is no cost function {name!r}{hint}; known are {known}")
    given = {name: function for name, function in functions.items() if function is not None}
    for name, function in given.items():
        if not callable(function):
            raise InputError(f"{name} must be a function, got {function!r}")
    for name in MATCHES:
        if name not in given:
            continue
        other = f"{name[:4]}_subst_cost"
        if other in given:
            refuse_unused(f"is not asked if {other} is given", **{name: True})
        if ignores_matches(costs):
            rule = f"does not go with costs={costs!r}, which compare in their own way"
            refuse_unused(rule, **{name: True})
    if costs != "unit" and len(given.keys() - MATCHES) == len(COST_FUNCTIONS) - len(MATCHES):
        refuse_unused("goes with costs that no function gives", costs=True)
    return given


def cost_functions(arguments):
    """Return {name: function} of the COST_FUNCTIONS among the given arguments."""
    return {name: arguments[name] for name in COST_FUNCTIONS if name in arguments}


class AskedLate(Exception):
    """The time of a call was over before all costs were asked for."""


class EditCosts:
    """The user's cost functions, asked once for each distinct pair of attribute dicts.

    Dicts of equal content get one number, as do bundles: the edges from one node to another, of
    which a multigraph may have several. Bundle 0 is the empty one.
    """

    deadline = inf  # by time.perf_counter: new costs of substitutions are not asked for later

    def __init__(self, *, costs="unit", **functions):
        """functions: any of COST_FUNCTIONS; `costs` is used if one is missing or None."""
        is_name = isinstance(costs, str)
        costs = costs.lower() if is_name else costs
        preset = PRESETS.get(costs) if is_name else None
        node, relabel, edge, edge_relabel = check_scale("unit" if preset else costs)
        self.label_needed_by = costs if is_name and costs in NEED_LABELS else None
        given = check_functions(costs, functions)
        if preset:
            given = {**preset.functions(), **given}
        function_of = given.get
        self.compares = {  # kind: (substitution cost, match, cost of a relabelling)
            "node": (function_of("node_subst_cost"), function_of("node_match"), relabel),
            "edge": (function_of("edge_subst_cost"), function_of("edge_match"), edge_relabel),
        }
        self.single = {  # (kind, verb): (function, cost without one)
            ("node", "del"): (function_of("node_del_cost"), node),
            ("node", "ins"): (function_of("node_ins_cost"), node),
            ("edge", "del"): (function_of("edge_del_cost"), edge),
            ("edge", "ins"): (function_of("edge_ins_cost"), edge),
        }
        kinds = {name[:4] for name in given}
        self.has_function = {"node": "node" in kinds, "edge": "edge" in kinds}
        self.numbers = {"node": Numbering(), "edge": Numbering()}
        self.known = {}

    @once
    def bundles(self):
        """Return the Numbering of bundles."""
        made = Numbering()
        made.of((), ())
        return made

    def number_all(self, kind, data, graph):
        """The number of each attribute dict; without functions labels alone make a difference."""
        of = self.numbers[kind].of
        if self.has_function[kind] or (graph.labelled and graph.label_names is None):
            return number_plain(data, self.numbers[kind])
        if not graph.labelled:
            return len(data) * [of((), {})] if data else []
        names = graph.label_names[kind == "edge"]
        values = values_of(*names, data) if len(names) == 1 else None
        if values is not None:
            return self.numbers[kind].of_values(*names, values, data)
        keys = ({name: own[name] for name in names if name in own} for own in data)
        return [of(attribute_key(key), own) for key, own in zip(keys, data, strict=True)]

    def keep_attributes(self):
        """Copy the numbered attributes, which the caller may change before a function is asked."""
        for numbering in self.numbers.values():
            numbering.content = list(map(dict, numbering.content))

    def bundle(self, members):
        """The number of a bundle of edges with these numbers."""
        members = tuple(sorted(members))
        return self.bundles.of(members, members)

    def has_cost(self, kind):
        """Return whether a function of the caller gives the costs of substitutions, whose errors
        name nodes and edges.
        """
        return self.compares[kind][0] is not None

    def constant(self, kind, verb):
        """Return the cost to delete or insert any node or edge; None if a function gives it."""
        function, cost = self.single[kind, verb]
        return cost if function is None else None

    def one(self, kind, verb, number, name):
        """Cost to delete or insert the node or edge of this number; `name` is for messages."""
        found = self.known.get((kind, verb, number))
        if found is None:
            function, default = self.single[kind, verb]
            found = default
            if function is not None:
                found = function(self.numbers[kind].content[number])
            if not is_plain_cost(found):
                found = self.check(found, f"{kind}_{verb}_cost", False, f"{kind} {name!r}")
            self.known[kind, verb, number] = found
        return found

    @contextmanager
    def asked_in(self, started, seconds):
        """Raise AskedLate if functions and labels are asked later, by time.perf_counter. They have
        a little time in any case.
        """
        self.deadline = max(started + seconds, time.perf_counter() + LEAST_SECONDS)
        try:
            yield
        finally:
            del self.deadline

    def look_at_clock(self):
        """Raise AskedLate after the deadline."""
        if time.perf_counter() > self.deadline:
            raise AskedLate

    def substitute(self, kind, a, b, labelled, names):
        """Cost to turn the node or edge numbered a into the one numbered b; `names` of both are for
        messages.
        """
        key = (kind, a, b, labelled)
        found = self.known.get(key)
        if found is None:
            cost, match, relabel = self.compares[kind]
            first, second = self.numbers[kind].content[a], self.numbers[kind].content[b]
            if cost is not None or match is not None:
                self.look_at_clock()
            if cost is not None:
                found = self.ask(kind, first, second, names)
            elif match is not None:
                found = 0.0 if match(first, second) else relabel
            elif relabel == 0.0:
                found = 0.0
            elif isinstance(labelled, SharedLabels):
                is_same = labelled.compare(kind, first, second, self.label_needed_by)
                found = 0.0 if is_same else relabel
            elif labelled and not compare_label(first, second, a == b):
                found = relabel
            else:
                found = 0.0
            self.known[key] = found
        return found

    def substitute_each(self, kind, a, theirs, labelled, name):
        """Return the costs of substitute to turn a into each of theirs, {number: name}."""
        cost, match, relabel = self.compares[kind]
        if match is None and relabel > 0.0 and isinstance(labelled, SharedLabels):
            match = labelled.matcher(kind, self.label_needed_by)
        if cost is None and match is None:
            each = theirs.items()
            return [self.substitute(kind, a, b, labelled, (name, other)) for b, other in each]
        self.look_at_clock()
        content, known, found = self.numbers[kind].content, self.known, []
        own = content[a]
        for b in theirs:
            key = kind, a, b, labelled
            value = known.get(key)
            if value is None and cost is None:
                value = known[key] = 0.0 if match(own, content[b]) else relabel
            elif value is None:
                value = known[key] = self.ask(kind, own, content[b], (name, theirs[b]))
            found.append(value)
        return found

    def ask(self, kind, first, second, names):
        """Return the answer of the caller's function about two attribute dicts, checked."""
        found = self.compares[kind][0](first, second)
        if not is_plain_cost(found):  # texts take longer than most functions
            whose = f"{kind}s {names[0]!r} and {names[1]!r}"
            found = self.check(found, f"{kind}_subst_cost", True, whose)
        return found

    @staticmethod
    def check(value, name, infinite, whose):
        """The float that the function `name` has answered; `infinite`: whether inf is allowed."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = -1.0
        if not (0 <= number <= LARGEST or (infinite and number == inf)):
            rule = "a number >= 0" if infinite else "a finite number >= 0"
            most = f" up to {LARGEST:g}" if number > LARGEST else ""
            raise InputError(f"{name} must be {rule}{most}, got {value!r} for {whose}")
        return number


def is_plain_cost(value):
    """Return whether an answer of a function can be taken as it is."""
    return value.__class__ is float and 0.0 <= value <= LARGEST


class CappedCosts(EditCosts):
    """Edit costs, none above a cap. If a path of a lower cost is known, the cheapest paths stay the
    same and cost the same: no cheaper one has a step that the cap changes.
    """

    def __init__(self, given, cap):
        self.given, self.cap, self.known = given, cap, {}
        self.has_function = given.has_function
        self.numbers, self.bundles = given.numbers, given.bundles

    def has_cost(self, kind):
        return self.given.has_cost(kind)

    def constant(self, kind, verb):
        found = self.given.constant(kind, verb)
        return None if found is None else min(found, self.cap)

    def one(self, kind, verb, number, name):
        found = min(self.given.one(kind, verb, number, name), self.cap)
        self.known[kind, verb, number] = found
        return found

    def substitute_each(self, kind, a, theirs, labelled, name):
        each = theirs.items()
        return [self.substitute(kind, a, b, labelled, (name, other)) for b, other in each]

    def substitute(self, kind, a, b, labelled, names):
        found = self.given.substitute(kind, a, b, labelled, names)
        if kind == "edge" or isfinite(found):  # a node that may not be substituted stays so
            found = min(found, self.cap)
        self.known[kind, a, b, labelled] = found
        return found


def ignores_matches(costs):
    """Return whether costs of this name do not ask match functions."""
    return isinstance(costs, str) and (costs in PRESETS or costs == "unlabelled")


def check_scale(costs):
    """Four numbers, from their name or as given."""
    if isinstance(costs, str):
        if costs not in COSTS:
            known = (*COSTS, *PRESETS)
            hint = did_you_mean(costs, known)
            raise InputError(f"costs must be one of {', '.join(known)}, got {costs!r}{hint}")
        return COSTS[costs]
    try:
        scale = tuple(float(number) for number in costs)
    except (TypeError, ValueError):
        scale = ()
    # a relabelling that costs inf is forbidden
    known = [0 <= x <= LARGEST or (k % 2 == 1 and x == inf) for k, x in enumerate(scale)]
    if len(scale) != 4 or not all(known):
        most = f" up to {LARGEST:g}" if any(x > LARGEST for x in scale) else ""
        raise InputError(
            f"costs must be four numbers >= 0{most} (node, node relabelled, edge, edge relabelled),"
            f" got {costs!r}"
        )
    return scale


# ---- graphs, numbered


class NumberedGraph:
    """A graph whose attribute dicts are numbers of an EditCosts.

    node, edge           number of each node and of each edge
    members              edges by (tail, head); undirected: tail <= head
    loops                bundle of each node's self loops
    tail, head, bundle   pairs of different nodes with edges
    distinct             of `node` and `bundle`: (different numbers, the index of each)

    All of these are made when they are first asked for: the sizes of graphs may decide, and small
    graphs are compared without bundles.
    """

    def __init__(self, graph, costs):
        self.graph, self.directed, self.labelled = graph, graph.directed, graph.labelled
        self.nodes, self.edges = graph.nodes, graph.edges
        self.node_data, self.edge_data = graph.node_data, graph.edge_data
        self.bundle_of, self.number_all = costs.bundle, costs.number_all
        self.known = {}  # costs of deleting and inserting

    def __len__(self):
        return len(self.nodes)

    @once
    def node(self):
        """Return the number of each node."""
        return self.number_all("node", self.node_data, self.graph)

    @once
    def edge(self):
        """Return the number of each edge."""
        return self.number_all("edge", self.edge_data, self.graph)

    def keep_attributes(self, costs):
        """Copy the attributes that costs depend on: the caller may change them before they are
        numbered.
        """
        for kind in ("node", "edge"):
            if kind not in self.__dict__ and (self.labelled or costs.has_function[kind]):
                name = f"{kind}_data"
                setattr(self, name, list(map(dict, getattr(self, name))))

    @once
    def members(self):
        """Return {(tail, head): edges}."""
        found = {}
        for k, (i, j) in enumerate(zip(self.graph.tail, self.graph.head, strict=True)):
            pair = (i, j) if self.directed or i <= j else (j, i)
            found.setdefault(pair, []).append(k)
        return found

    @once
    def bundles(self):
        """Return {(tail, head): number of the bundle}."""
        alone = {number: self.bundle_of([number]) for number in dict.fromkeys(self.edge)}
        return {
            pair: alone[self.edge[edges[0]]]
            if len(edges) == 1
            else self.bundle_of(self.edge[k] for k in edges)
            for pair, edges in self.members.items()
        }

    @once
    def loops(self):
        """Return the bundle of each node's loops, 0 for none."""
        return [self.bundles.get((i, i), 0) for i in range(len(self))]

    @once
    def example(self):
        """Return {bundle: the edges of one of its places}."""
        return {bundle: self.members[pair] for pair, bundle in self.bundles.items()}

    @once
    def apart(self):
        """Return the pairs of different nodes with edges."""
        return [pair for pair in self.bundles if pair[0] != pair[1]]

    @once
    def tail(self):
        """Return the first node of each pair."""
        return np.array([i for i, _ in self.apart], np.int64)

    @once
    def head(self):
        """Return the second node of each pair."""
        return np.array([j for _, j in self.apart], np.int64)

    @once
    def bundle(self):
        """Return the bundle of each pair."""
        return [self.bundles[pair] for pair in self.apart]

    @once
    def distinct(self):
        """Return {name: (different numbers, the index of each)}."""
        return {name: distinct(getattr(self, name)) for name in ("node", "bundle")}

    @once
    def first_nodes(self):
        """Return {number: the first node that has it}, in order of appearance."""
        names = dict(zip(reversed(self.node), reversed(self.nodes), strict=True))
        return {number: names[number] for number in self.distinct["node"][0]}

    def copy_for_other_costs(self):
        """Return the same graph, for other costs of the same numbers."""
        made = copy(self)
        made.known = {}
        return made

    def total(self, costs, verb):
        """Cost to delete (insert) the whole graph."""
        return fsum(self.node_costs(costs, verb)) + fsum(self.edge_costs(costs, verb))

    def node_costs(self, costs, verb):
        """Return the costs of deleting (inserting) each node."""
        return self.known_costs(costs, "node", verb, self.node, self.graph.nodes)

    def edge_costs(self, costs, verb):
        """Return the costs of deleting (inserting) each edge."""
        return self.known_costs(costs, "edge", verb, self.edge, self.graph.edges)

    def known_costs(self, costs, kind, verb, numbers, names):
        """The cost of each number, asked for once; `names` are for messages."""
        if (kind, verb) not in self.known:
            same = costs.constant(kind, verb)
            self.known[kind, verb] = (
                len(numbers) * [same]
                if same is not None
                else [
                    costs.one(kind, verb, number, name)
                    for number, name in zip(numbers, names, strict=True)
                ]
            )
        return self.known[kind, verb]


def distinct(numbers):
    """Return (the different numbers, the index of each); np.unique takes longer than a small
    graph's whole problem.
    """
    place = {}
    inverse = [place.setdefault(number, len(place)) for number in numbers]
    return list(place), np.array(inverse, np.int64)


def as_one_kind(graphs, name):
    """The graphs in one form, all directed or all undirected; name(k) is for messages."""
    graphs = [as_attributed(name(k), graph) for k, graph in enumerate(graphs)]
    graphs = ready_for_queries(graphs, name)
    if len({graph.directed for graph in graphs}) < 2:
        return graphs
    graphs = [as_directed(graph) if graph.symmetric else graph for graph in graphs]
    for k, graph in enumerate(graphs):
        if graph.directed != graphs[0].directed:
            kinds = ["directed" if g.directed else "undirected" for g in (graphs[0], graph)]
            raise InputError(
                f"{name(0)} and {name(k)} must both be directed or both undirected, got {kinds[0]}"
                f" and {kinds[1]}"
            )
    return graphs


def pair_of_graphs(costs, G1, G2):
    """Both graphs, numbered, once they are of one kind."""
    return [NumberedGraph(g, costs) for g in as_one_kind((G1, G2), ("G1", "G2").__getitem__)]
