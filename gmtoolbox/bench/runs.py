"""Runs: the list of runs that gm_batch returns, with its tables, pictures and files.

Imports wait until a table, a picture or a file is asked for: gm_batch itself needs none of them.
"""

from pathlib import Path

from gmtoolbox.bench.store.store import Loaded, Store
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import optional
from gmtoolbox.core.text import count_noun

STORE = ".db"  # suffix of files that Runs.load reads again


class Text(str):
    """A text that notebooks and consoles show as it is printed."""

    def __repr__(self):
        return str(self)


class Runs(list):
    """A list of runs with tables, pictures and files of them.

    gm_batch returns it; `Runs.load` reads it from a store. A slice has the runs of the slice.

    Parameters
    ----------
    runs : iterable of Run
        The runs.
    instances : iterable of InstanceRow
        Facts about the problems: sense, optimum, ground truth.
    commands : iterable of Command, optional
        The calls that made the runs.
    time_limits : list of float, optional
        Time limits of the tables; by default those of the commands.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.car(seed=0, size=6)
    >>> runs = gm.gm_batch({"car": p}, ["fw", "fm"], time_limit=5)
    >>> runs.save("runs.db")
    >>> again = gm.Runs.load("runs.db")
    >>> len(again), again.table() == runs.table()
    (2, True)
    """

    def __init__(self, runs=(), instances=(), commands=(), time_limits=None):
        super().__init__(runs)
        self._instances, self._commands = list(instances), list(commands)
        self._time_limits = sorted(time_limits) if time_limits else None

    @classmethod
    def load(cls, store):
        """Read all runs of a store: a file that gm_batch(store=), `gmtoolbox bench` or save wrote.

        Parameters
        ----------
        store : str or Path
            Its file.

        Returns
        -------
        Runs
        """
        with Store(store) as opened:
            return cls(opened.runs(), opened.instances(), opened.commands())

    def __getitem__(self, key):
        found = super().__getitem__(key)
        if not isinstance(key, slice):
            return found
        return Runs(found, self._instances, self._commands, self._time_limits)

    def __repr__(self):
        return f"{self._heading()}\n\n{self.table()}" if self else self._heading()

    def _repr_html_(self):
        """Return the heading and the tables as HTML, for notebooks."""
        from gmtoolbox.bench.evaluate.tables import as_html
        from gmtoolbox.bench.printing import screen_tables

        tables = map(as_html, screen_tables(self.evaluation())) if self else ()
        return f"<p>{self._heading()}</p>{''.join(tables)}"

    def _heading(self):
        """Return the number of runs, instances, methods and failures."""
        failed = sum(run.outcome != "ok" for run in self)
        n_instances = len({(run.dataset, run.instance, run.problem) for run in self})
        n_methods = len({run.method for run in self})
        return (
            f"{count_noun(len(self), 'run')}: {count_noun(n_instances, 'instance')},"
            f" {count_noun(n_methods, 'method')}" + (f"; {failed} failed" if failed else "")
        )

    # ---- tables and pictures

    def loaded(self):
        """Return the runs and their instances as a store gives them, with distinct names for
        different problems and variants.
        """
        everything = Loaded(self._instances, list(self), self._commands)
        return everything.only({run.place for run in self})

    def evaluation(self):
        """Return the Evaluation of the runs, from which tables and profiles are made."""
        from gmtoolbox.bench.evaluate.evaluation import evaluate_runs

        return evaluate_runs(self.loaded(), self._time_limits)

    def table(self, form="text"):
        """Return the tables that `gmtoolbox bench` prints.

        Parameters
        ----------
        form : str
            As of `gmtoolbox bench --format`: 'text', 'runs', 'csv', 'latex', 'tabular', 'gaps',
            'gaps-csv' or 'significance'.

        Returns
        -------
        str
        """
        from gmtoolbox.bench.printing import tables_text

        return Text(tables_text(self.loaded(), form, self._time_limits))

    def significance(self):
        """Return for every pair of methods the instances won, tied and lost, and p of Wilcoxon's
        signed-rank test.

        Returns
        -------
        str
        """
        return self.table("significance")

    def curves(self, kind="profile", dataset=None):
        """Return a step function (method, x, y) for each method, the best first.

        Parameters
        ----------
        kind : str
            'profile' (performance profile), or 'cactus' (instances solved within a time).
        dataset : str, optional
            Count the instances of this dataset only.

        Returns
        -------
        list of Curve
        """
        from gmtoolbox.bench.evaluate.profiles import cactus, performance_profile, times_of

        evaluation = self.evaluation()
        if kind not in ("profile", "cactus"):
            raise InputError(f"kind must be 'profile' or 'cactus', got {kind!r}")
        if dataset is not None and dataset not in evaluation.problems:
            known = ", ".join(evaluation.problems)
            raise InputError(f"no dataset {dataset!r}; there is {known}")
        times = times_of(evaluation, dataset)
        return (
            performance_profile(times) if kind == "profile" else cactus(times, evaluation.n_seeds)
        )

    def profile(self, dataset=None):
        """Draw the performance profile of the methods.

        Parameters
        ----------
        dataset : str, optional
            Count the instances of this dataset only.

        Returns
        -------
        Picture
        """
        from gmtoolbox import plot

        title = f"Performance profile, {dataset or 'all datasets'}"
        return plot.profile(self.curves("profile", dataset), title=title)

    def to_dataframe(self):
        """Return a pandas DataFrame with a row for each run.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        from gmtoolbox.bench.export import columns

        pandas = optional("pandas", "to_dataframe")
        return pandas.DataFrame(columns(self))

    # ---- files

    def report(self, folder):
        """Write the report of `gmtoolbox report`.

        Parameters
        ----------
        folder : str or Path
            New folder, or an earlier report; a name that ends in .html makes one file.

        Returns
        -------
        Path
            The first page.
        """
        from gmtoolbox.bench.site.report import write_report

        with self._as_store() as store:
            return write_report(store, folder, self._time_limits)

    def save(self, path):
        """Write the runs to a file.

        Parameters
        ----------
        path : str or Path
            .db: a store, to which the runs are added if it exists; .csv, .h5, .mat: a table.
        """
        from gmtoolbox.bench.export import export

        if Path(path).suffix != STORE:
            export(self, path)
            return
        with Store(path, write=True) as store, self._as_store() as ours:
            store.copy(ours)

    def _as_store(self):
        """Return a Store in memory with these runs and their instances."""
        store = Store()
        places = {(run.dataset, run.instance, run.problem) for run in self}
        for row in self._instances:
            if row.place in places:
                store.add_instance(row)
        for run in self:
            store.add(run)
        for command in self._commands:
            store.add_command(command)
        return store
