"""A store that was read once, with distinct names for different things.

Names are labels for people: a file that was rewritten, or another one of the same name, is another
problem, and a method whose options were changed is another variant. Tables group by names, so that
variants get different ones here: `a [3f9c21]` and `a [unverified]`, `fm:patience=10`.
"""

import json
import math
from dataclasses import replace

SHOWN = 6  # digits of a fingerprint that are shown
UNVERIFIED = "unverified"


class Loaded:
    """Instances and runs of a store, read as from the store itself.

    shared  {(dataset, instance): names of its problems} if one name has several problems
    """

    def __init__(self, instances, runs, commands=()):
        self._given = instances, runs
        self._commands = list(commands)
        name_of = instance_names(instances, runs)
        self.shared = shared_names(name_of)
        called = variant_names(runs)
        self._instances = [rename_row(row, instance=name_of[row.place]) for row in instances]
        self._runs = [
            rename_row(
                run,
                instance=name_of[run.dataset, run.instance, run.problem],
                method=called[variant_of(run)],
            )
            for run in runs
        ]

    def instances(self):
        """Every InstanceRow."""
        return self._instances

    def runs(self):
        """Every Run."""
        return self._runs

    def commands(self):
        """Every Command."""
        return self._commands

    def only(self, places):
        """The part of it that has the runs at these places, with the instances of those runs."""
        instances, runs = self._given
        runs = [run for run in runs if run.place in places]
        solved = {(run.dataset, run.instance, run.problem) for run in runs}
        return Loaded([row for row in instances if row.place in solved], runs, self._commands)


def rename_row(row, **names):
    """The row, or a copy with other names."""
    is_called_so = all(getattr(row, field) == name for field, name in names.items())
    return row if is_called_so else replace(row, **names)


def instance_names(instances, runs):
    """Return {(dataset, instance, problem): name}: the instance, with its problem if a name has
    several.
    """
    places = {row.place for row in instances}
    places |= {(run.dataset, run.instance, run.problem) for run in runs}
    problems = {}
    for dataset, instance, problem in places:
        problems.setdefault((dataset, instance), []).append(problem)
    found = {}
    for (dataset, instance), several in problems.items():
        for problem in several:
            mark = f" [{problem[:SHOWN] or UNVERIFIED}]" if len(several) > 1 else ""
            found[dataset, instance, problem] = instance + mark
    return found


def shared_names(name_of):
    """{(dataset, instance): new names} of the instances that were renamed."""
    found = {}
    for (dataset, instance, _), name in sorted(name_of.items()):
        if name != instance:
            found.setdefault((dataset, instance), []).append(name)
    return found


def variant_of(run):
    """Return the fields that runs of one name share if they are one variant. Unknown options (an
    older version wrote those that the method decided) make no difference.
    """
    options = None if run.decided is None else json.dumps(run.options, sort_keys=True)
    return run.method, run.solver, run.code, options


def variant_names(runs):
    """Return {variant: name}: the method, with the differences if a name has several."""
    variants = {}
    for run in runs:
        variants.setdefault(run.method, {})[variant_of(run)] = run
    found = {}
    for method, several in variants.items():
        known = {key: run for key, run in several.items() if run.decided is not None}
        found.update(dict.fromkeys(several, method))
        if len(known) > 1:
            found.update({key: f"{method}:{text}" for key, text in differences(known).items()})
    return found


def differences(runs):
    """{key: the options of the run in which it differs from the others, and its solver}."""
    options = [run.options for run in runs.values()]
    names = sorted({name for one in options for name in one})
    differing = [name for name in names if len({json.dumps(one.get(name)) for one in options}) > 1]
    solvers = {(run.solver, run.code[:SHOWN]) for run in runs.values()}
    found = {}
    for key, run in runs.items():
        said = [" ".join((run.solver, run.code[:SHOWN])).strip()] if len(solvers) > 1 else []
        said += [f"{name}={json.dumps(run.options.get(name))}" for name in differing]
        found[key] = ",".join(said)
    return found


def longest(runs):
    """The runs; of those that differ in nothing but their time limit the one with the largest."""
    found = {}
    for run in runs:
        limit = math.inf if run.time_limit is None else run.time_limit
        if run.key not in found or limit > found[run.key][0]:
            found[run.key] = limit, run
    return [run for _, run in found.values()]
