"""The report's page of many graphs: F1, consistency and the tracks across all graphs."""

from gmtoolbox import plot
from gmtoolbox.bench.run.many_graphs import consistency, true_tracks
from gmtoolbox.bench.site.html import choice_of
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import markup, percent
from gmtoolbox.core.tracks import split


def many_headings(headings):
    """Those of two graphs; tracks have an F1, and chains of matches that agree."""
    at = headings.index("accuracy")
    return (*headings[:at], "F1", "cycle consistency", *headings[at + 1 :])


def track_cells(row, run, cells):
    """The cells of a run, with its consistency before the status."""
    agreed = None if run.labels is None else consistency(row, run.labels)
    return [*cells[:-1], (percent(agreed), "" if agreed is None else agreed), cells[-1]]


def track_figures(site, row, runs):
    """The tracks of every method, one shown at a time, the best first."""
    runs = {method: run for method, run in runs.items() if run.labels is not None}
    if row.points1 is None or not runs:
        return ""
    best = min(runs, key=lambda method: site.rank(row, runs[method]))
    figures = {method: track_figure(row, method, run) for method, run in runs.items()}
    return f"<h2>Tracks</h2>{choice_of('tracks', figures, best)}"


def track_figure(row, method, run):
    """HTML of drawn tracks with their counts."""
    points = np.split(row.points1, np.cumsum(row.sizes)[:-1])
    truth = true_tracks(row) if any(row.ground_truth or []) else None
    title = f"Tracks of {row.instance} by {method}"
    drawn = plot.tracks(points, split(run.labels, row.sizes), truth, title=title)
    counts = np.bincount(run.labels)
    together, alone = np.count_nonzero(counts > 1), np.count_nonzero(counts == 1)
    shown = f"{markup(method)}: {together} tracks, {alone} nodes alone"
    return f"{drawn}<figcaption>{shown}</figcaption>"
