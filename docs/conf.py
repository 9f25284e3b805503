"""The documentation site. `scripts/site` builds it; `scripts/site --quick` leaves the examples out.

Pages that repeat what the code says are written by docs/extensions when the build begins: one per
method from the registry, one per public name from its docstring.
"""

import inspect
import os
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "extensions"))

from numpydoc import xref  # noqa: E402

import gmtoolbox as gm  # noqa: E402
from gmtoolbox._version import __version__  # noqa: E402

xref.DEFAULT_LINKS.clear()  # this site has no glossary of Python's and numpy's words

project = "gmtoolbox"
author = "The gmtoolbox developers"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "generated_pages",
    "mathml",
]
exclude_patterns = ["examples/*", "extensions/*", "auto_examples/*.py", "auto_examples/index.rst"]
nitpicky = False
default_role = "code"  # docstrings write `name` for code
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = True  # types link to their pages
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {
    name: f"{place.__name__}.{name}"
    for place in (gm, gm.plot, gm.models, gm.data)
    for name in place.__all__
    if inspect.isclass(getattr(place, name))
}

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"gmtoolbox {__version__}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_baseurl = os.environ.get("GMTOOLBOX_SITE_URL", "")
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {page: [] for page in ("index", "install", "quickstart", "concepts", "changes")}
html_theme_options = {
    "logo": {"text": f"gmtoolbox {__version__}"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 10,
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "navigation_depth": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# The examples take minutes: CI leaves them out, and docs/examples.md then lists their names.
if os.environ.get("GMTOOLBOX_SITE") == "quick":
    exclude_patterns.append("auto_examples/*")
else:
    extensions.append("sphinx_gallery.gen_gallery")
    sphinx_gallery_conf = {
        "examples_dirs": "examples",
        "gallery_dirs": "auto_examples",
        "filename_pattern": r"/",
        "image_scrapers": ("pictures.scraper",),
        "within_subsection_order": "pictures.place_in_order",
        "ignore_repr_types": r"Picture",
        "capture_repr": ("_repr_html_", "__repr__"),
        "download_all_examples": False,
        "show_signature": False,
        "show_memory": False,
        "min_reported_time": 1e9,
        "remove_config_comments": True,
        "plot_gallery": "True",
        "abort_on_example_error": True,
        "write_computation_times": False,
    }
