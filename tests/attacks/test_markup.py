"""Names and titles with control characters, lone surrogates and markup: every picture and page is
one that an XML parser, and so a browser, opens.
"""

import ast
import re
import xml.etree.ElementTree as xml
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed import nodes_of

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.profiles import StepFunction
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.store import InstanceRow, Run, Store
from gmtoolbox.core.result import trace_dtype
from gmtoolbox.core.text import NOT_IN_XML, markup

pytestmark = pytest.mark.usefixtures("without_pdf")

ODD = "a\x00\x01\x1b\x0b\x85\ufffe\uffff\ud800\udfff<b>&'\"]]>"
P = np.random.default_rng(0).random((4, 2))
TRACE = np.array([(0.1, 3.0, 1.0), (1.0, 2.0, 2.0)], trace_dtype())


@given(st.text(st.characters()))
def test_any_text_is_one_text_of_xml(text):
    found = xml.fromstring(f"<a b='{markup(text)}'>{markup(text)}</a>")
    plain = NOT_IN_XML.sub(lambda c: c[0].encode("unicode_escape").decode(), text)
    ends = plain.replace("\r\n", "\n").replace("\r", "\n")  # as every XML parser reads them
    assert (found.text or "") == ends
    assert found.get("b") == ends.replace("\n", " ").replace("\t", " ")


def pictures():
    G, H = (nx.relabel_nodes(nx.path_graph(3), {0: f"{ODD}{k}"}) for k in range(2))
    for graph in (G, H):
        nx.set_node_attributes(graph, ODD, "label")
        nx.set_edge_attributes(graph, ODD, "label")
    distance = gm.graph_edit_distance(G, H)
    problem = gm.Problem((4, 4), range(4), range(4), [0.0] * 4, points1=P, points2=P, name=ODD)
    names = [f"{ODD}{k}" for k in range(4)]
    named = gm.Problem((4, 4), range(4), range(4), -np.ones(4), points1=P, points2=P, nodes1=names)
    curves = [StepFunction(f"{ODD}{k}", [0.1, 1.0], [0.5, 1.0]) for k in range(3)]
    yield (
        "edit_path",
        gm.plot.edit_path(G, H, distance, node_label="label", edge_label="label", title=ODD),
    )
    yield "matching", gm.plot.matching(problem, title=ODD)
    yield "names", gm.plot.matching(named, gm.gm_solve(named), title=ODD)
    yield "trace", gm.plot.trace({f"{ODD}{k}": TRACE for k in range(3)}, title=ODD)
    yield "tracks", gm.plot.tracks([P, P], [range(4)] * 2, names=[ODD, ODD], title=ODD)
    yield "profile", gm.plot.profile(curves, title=ODD)
    yield "cactus", gm.plot.cactus(curves, title=ODD)
    yield "problem", problem._repr_html_()
    result = gm.gm_solve(named)
    result.trace, result.method = TRACE, ODD
    yield "result", result._repr_html_()
    yield "methods", gm.gm_methods()._repr_html_()


@pytest.mark.parametrize(
    "what, picture", list(pictures()), ids=lambda it: it if len(it) < 20 else ""
)
def test_pictures_are_xml(what, picture):
    xml.fromstring(f"<page>{picture}</page>")
    picture.encode()


def test_every_page_and_picture_of_a_report_is_legal(tmp_path):
    with Store(tmp_path / "s.db", write=True) as store:
        odd = ODD.replace("\ud800", "").replace("\udfff", "")  # which SQLite cannot store
        for k in range(2):
            row = InstanceRow(odd, f"{odd}{k}", k, "", 4, 4, points1=P, points2=P, sense="min")
            store.add_instance(row)
            for method in (f"{odd}1", f"{odd}2"):
                facts = dict(status="converged", value=2.0, bound=1.0, gap=0.5, time=1.0, n_iter=1)
                labels = np.arange(4, dtype=np.int32)
                trial = Run(odd, f"{odd}{k}", method, 1, labels=labels, trace=TRACE, **facts)
                store.add(trial)
            failed = Run(odd, f"{odd}{k}", f"{odd}3", 1, outcome="error", reason=odd, trace=TRACE)
            store.add(failed)
        write_report(store, tmp_path / "page")
    files = [path for path in (tmp_path / "page").rglob("*") if path.suffix in (".html", ".svg")]
    assert len(files) > 5
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not NOT_IN_XML.search(text), path.name
        if path.suffix == ".svg":
            xml.fromstring(text)


def test_nobody_escapes_otherwise():
    """html.escape lets control characters through: core/text.py is the one that calls it."""
    package = Path(gm.__file__).parent
    users = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search("escape|quoteattr", path.read_text("utf-8"))
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom)
        and node.module in ("html", "xml.sax.saxutils")
        and any(name.name in ("escape", "quoteattr") for name in node.names)
    ]
    assert users == ["core/text.py"]
