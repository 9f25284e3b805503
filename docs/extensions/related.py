"""Related names, and the tutorials and examples that use a name, for pages of the reference."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
GROUPS = (  # names that belong together; each page of one lists the others
    "gm_solve gm_solve_many gm_solve_multi gm_batch gm_methods assign Result",
    "gm_batch Runs plot.profile plot.cactus plot.trace",
    "gm_methods solver Outcome Range Choice gm_solve",
    "Problem Result load save models.from_points models.from_graphs",
    "Result evaluate accuracy Evaluation load_result plot.matching gm_solve",
    "models.from_points models.from_matches match_keypoints match_images KeypointMatches",
    "load save load_dataset load_result load_graphs reader writer gm_formats",
    "reader writer gm_formats LossWarning FileFormatError",
    "graph_edit_distance edit_distances graph_similarity models.from_edit_costs EditResult"
    " EditMatrix plot.edit_path load_graphs",
    "maximum_common_subgraph common_core find_subgraph find_subgraphs count_subgraphs"
    " CommonSubgraph CommonCore",
    "search SearchResult GraphCollection Graph load_graphs edit_distances find_subgraphs",
    "is_isomorphic isomorphisms automorphisms Automorphisms find_subgraphs",
    "gm_solve_multi MultiProblem MultiResult synchronise track_f1 plot.tracks"
    " models.multi_from_points models.from_feature_sets",
    "track_cells CellTracks gm_solve_multi models.multi_from_points plot.tracks",
    "models.from_points models.from_matches models.from_features models.nearest_candidates"
    " models.delaunay_edges models.knn_edges plot.matching",
    "models.from_graphs models.from_layers models.from_koopmans_beckmann models.from_factors"
    " models.from_distances"
    " models.from_table",
    "align_graphs gm_solve models.from_graphs evaluate plot.matching",
    "quadratic_assignment models.from_koopmans_beckmann assign gm_solve",
    "models.from_costs assign",
    "models.from_molecules models.from_edit_costs graph_edit_distance maximum_common_subgraph",
    "models.to_ilp models.LinearProgram",
    "models.gaussian models.inner_product models.from_features",
    "models.reductions.matching_to_qap models.reductions.qap_to_matching"
    " models.reductions.incomplete_lap_to_lap models.reductions.swap",
    "plot.matching plot.affinity plot.trace plot.profile plot.cactus plot.tracks plot.edit_path"
    " plot.Picture plot.save_picture",
    "plot.Picture plot.save_picture plot.colours plot.check_suffix",
    "data.load data.load_network data.load_molecules data.load_keypoints data.Keypoints data.names",
    "blackbox_gradient gm_solve_many",
    "GMError InputError OptionError FileFormatError InfeasibleError TimeLimitError"
    " UnknownMethodError UnknownArgumentError",
    "GuessWarning SenseWarning ShapeWarning GraphWarning LossWarning",
)


def public(name):
    """Return a name as users type it after `gm.`."""
    return name.removeprefix("models.") if name.startswith("models.synth.") else name


def see_also(name, known):
    """Return the line 'See also' of a name like 'models.from_points', '' if it has none."""
    others = []
    for group in GROUPS:
        if name in group.split():
            others += group.split()
    if name.startswith("models.synth."):
        others = ["models.synth.generate", "data.load", "load_dataset"]
    others = [other for other in dict.fromkeys(others) if other != name]
    links = [
        f"[`gm.{public(other)}`](gmtoolbox.{other}.md)"
        for other in others
        if f"gmtoolbox.{other}" in known
    ]
    return "**See also:** " + ", ".join(links[:8]) + "." if links else ""


def title_of(page):
    """Return the first heading of a page."""
    return page.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")


def picture_of(page):
    """Return the first picture that a tutorial shows, None if it shows none."""
    found = re.search(r"!\[[^]]*\]\(([\w-]+\.(?:svg|png))\)", page.read_text(encoding="utf-8"))
    return f"../tutorials/{found[1]}" if found else None


def users(name):
    """Return the tutorials and the pages of the guide that use a name, and the example programs."""
    call = re.compile(rf"\bgm\.{re.escape(name)}\b")
    uses = lambda path: call.search(path.read_text(encoding="utf-8"))
    tutorials = [path for path in sorted((DOCS / "tutorials").glob("*.md")) if uses(path)]
    guide = [path for path in sorted(DOCS.glob("*.md")) if uses(path) and path.stem != "index"]
    programs = [path for path in sorted((DOCS / "examples").glob("*.py")) if uses(path)]
    return tutorials, guide, programs


def examples_of(name, has_gallery):
    """Return a small gallery of the tutorials, examples and pages that use a name, as Markdown."""
    tutorials, guide, programs = users(public(name))
    parts = []
    if tutorials:
        cards = []
        for page in tutorials[:6]:
            image = picture_of(page)
            top = f":img-top: {image}\n" if image else ""
            link = f":link: ../tutorials/{page.stem}\n:link-type: doc\n"
            cards.append(f":::{{grid-item-card}} {title_of(page)}\n{top}{link}:::")
        parts.append("::::{grid} 1 2 3 3\n:gutter: 2\n\n" + "\n".join(cards) + "\n::::")
    links = [f"[{title_of(page)}](../{page.stem}.md)" for page in guide[:6]]
    if has_gallery:
        links += [f"[{path.stem}.py](../auto_examples/{path.stem}.rst)" for path in programs]
    if links:
        parts.append("Also in: " + ", ".join(links) + ".")
    return "## Examples that use it\n\n" + "\n\n".join(parts) if parts else ""
