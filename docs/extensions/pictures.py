"""The pictures of an example (every gm.plot Picture that a block gives a name to), and the order of
the examples.
"""

from pathlib import Path

from sphinx_gallery.scrapers import figure_rst

from gmtoolbox.plot import Picture

ORDER = (  # as a reader meets them; an example that is not listed comes last
    "images",
    "keypoint_matches",
    "graphs",
    "edit_distance",
    "many_graphs",
    "qaplib",
    "matlab",
    "own_solver",
    "benchmark",
)
_shown = {}  # example -> pictures that stand on its page already


def scraper(block, block_vars, gallery_conf):
    """Write the new pictures of a block as SVG; the text that shows them."""
    shown = _shown.setdefault(block_vars["src_file"], set())
    paths = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Picture) and value not in shown:
            shown.add(value)
            path = next(block_vars["image_path_iterator"]).replace(".png", ".svg")
            value.save(path)
            paths.append(path)
    return figure_rst(paths, gallery_conf["src_dir"])


def place_in_order(filename):
    """Return the place of an example in the gallery."""
    name = Path(filename).stem
    return ORDER.index(name) if name in ORDER else len(ORDER)
