"""The originals' wrappers: `wrapper_<method>(file)` for every registered method.

>>> from gmtoolbox.wrappers import wrapper_rrwm
>>> result = wrapper_rrwm("car1_bn.mat")
Start optimization:
Model: n1: 9 n2: 9
time: 0.001893 upper_bound: -65.270000 labeling: [1,2,3,4,5,6,7,8,9]

The lines are those of the study's MATLAB wrappers to the letter, their trailing blanks included, so
that log parsers written for those read ours. A '-' in a method's name becomes '_'. All functions
are one body, made from the registry.
"""

from pathlib import Path

from gmtoolbox.core.transforms import BIJECTIVE
from gmtoolbox.core.values import one_based
from gmtoolbox.driver import as_problem, solve_on_solver_clock
from gmtoolbox.engine.registry import get_solver, gm_methods

RELEASED = "2026-11-18"  # the date of the .m files


def matlab_folder():
    """Return the folder of the .m files: next to this file if installed, or in the source."""
    installed = Path(__file__).resolve().parent / "matlab"
    return installed if installed.is_dir() else installed.parents[2] / "wrappers" / "matlab"


def wrapper_name(method):
    """The name of a method's wrapper."""
    return "wrapper_" + method.replace("-", "_")


def run_wrapper(method, file, *, write=None, complete=None, **arguments):
    """Solve one file and print the originals' lines; arguments are those of gm_solve. Returns the
    Result.

    write  called with each line (without its end); prints by default
    """
    write = print_line if write is None else write
    solver = get_solver(method)
    problem = as_problem(file, complete=complete)
    n1, n2 = problem.shape
    write("Start optimization: ")
    write(f"Model: n1: {n1} n2: {n2} ")
    log = Log(problem, solver.has_bound, write)
    progress = None if prints_once(solver) else log.print_improvement
    result = solve_on_solver_clock(problem, method, progress=progress, **arguments)
    log.end(result)
    return result


def prints_once(solver):
    """The MATLAB originals, which are those that want bijective input, print one line at the end;
    the others one per improvement.
    """
    return BIJECTIVE in solver.needs


def print_line(line):
    """Print a line at once, for readers that follow the log of an anytime method."""
    print(line, flush=True)


class Log:
    """One line per improvement. Costs are minimised in it, whatever the sense of the file.

    A bound found before the first matching appears on the line of that matching, and a value that a
    method reports without labels on the line of the next labels. The last line is the answer.
    """

    def __init__(self, problem, has_bound, write):
        self.problem, self.has_bound, self.write = problem, has_bound, write
        self.labels, self.cost = None, None
        self.value = None  # the cost of self.labels according to the solver
        self.printed = None

    def print_improvement(self, event, labels, iteration):
        """Print an improvement; a progress function of gm_solve."""
        time, value, bound = event
        if labels is not None:
            self.labels, self.value = labels, value
            self.cost = self.problem.total_cost(labels)
        if self.labels is not None and value == self.value and self.is_better(bound):
            self.line(time, bound)

    def end(self, result):
        """Print the answer, if the last line did not have it."""
        self.labels = result.labels
        self.cost = self.problem.signed(result.value)
        if self.printed != self.answer(result.bound):
            self.line(result.solver_time, result.bound)

    def answer(self, bound):
        """Return the content of a line besides the time."""
        return self.cost, self.problem.signed(bound), tuple(int(label) for label in self.labels)

    def is_better(self, bound):
        """Return whether the last line has a worse cost or a weaker bound, or there is none."""
        if self.printed is None:
            return True
        cost, signed_bound, _ = self.answer(bound)
        return cost < self.printed[0] or signed_bound > self.printed[1]

    def line(self, time, bound):
        """Print one line."""
        self.printed = self.answer(bound)
        bound = self.printed[1]
        lower = f"lower_bound: {fixed_text(bound)} " if self.has_bound else ""
        labeling = ",".join(f"{label:.0f}" for label in one_based(self.labels))
        self.write(
            f"time: {fixed_text(time)} upper_bound: {fixed_text(self.cost)}"
            f" {lower}labeling: [{labeling}] "
        )


def fixed_text(number):
    """MATLAB's %f: infinities are Inf and -Inf."""
    return f"{number:f}".replace("inf", "Inf")


def wrapper_for(method):
    """The wrapper of a method."""

    def wrapper(file, **arguments):
        return run_wrapper(method, file, **arguments)

    wrapper.__name__ = wrapper.__qualname__ = wrapper_name(method)
    wrapper.__doc__ = (
        f"Solve `file` with {method} and print the originals' lines; keywords as in gm_solve."
        " Returns the Result."
    )
    return wrapper


__all__ = ["run_wrapper", *(wrapper_name(solver.name) for solver in gm_methods())]
globals().update({wrapper_name(solver.name): wrapper_for(solver.name) for solver in gm_methods()})
