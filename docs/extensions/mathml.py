"""Formulas as MathML, which browsers draw themselves: the site needs no script and no network."""

import re

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.util import logging

FUNCTION = r"<mi>(?:log|exp|sin|cos)</mi>"
SPACE = '<mspace width="0.17em"/>'
warnings = logging.getLogger(__name__)


def typeset(node, display):
    """Return a formula as MathML; warn about commands that would be shown as they are written."""
    formula = convert(node.astext().strip(), display=display)
    unknown = re.findall(r"\\[A-Za-z{}]+", re.sub(r"<[^>]+>", "", formula))
    if unknown:
        warnings.warning("MathML lacks %s in %s", unknown, node.astext(), location=node)
    # n log n: browsers set names of functions without a space
    formula = re.sub(rf"(</m(?:i|n|sub|sup|frac)>)({FUNCTION})", rf"\1{SPACE}\2", formula)
    return re.sub(rf"({FUNCTION})(?=<m(?:i|n|sub|sup|frac)[ >])", rf"\1{SPACE}", formula)


def inline(translator, node):
    # the word joiner keeps a comma after the formula in its line
    translator.body.append(typeset(node, "inline") + "&#8288;")
    raise SkipNode


def block(translator, node):
    translator.body.append(f'<div class="math">{typeset(node, "block")}</div>\n')
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
