"""The pictures of an example: every gm.plot Picture that a block gives a name to."""

from sphinx_gallery.scrapers import figure_rst

from gmtoolbox.plot import Picture

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
