"""Tables of edges, as spreadsheets and Gephi write them."""

import pytest

import gmtoolbox as gm


def read(tmp_path, text, name="g.csv"):
    (tmp_path / name).write_text(text)
    (graph,) = gm.load_graphs(tmp_path / name)
    return graph


def test_the_first_line_names_the_attributes(tmp_path):
    graph = read(tmp_path, "Source,Target,Weight,colour\nann,bob,2.5,red\nbob,cy,1,\n")
    assert graph.nodes == ["ann", "bob", "cy"]
    assert graph.edges == [("ann", "bob"), ("bob", "cy")]
    assert graph.edge_data == [{"weight": 2.5, "colour": "red"}, {"weight": 1.0}]


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_without_names_a_third_column_is_the_label(tmp_path, between):
    with pytest.warns(gm.GraphWarning, match="the edge b a is listed twice"):
        graph = read(tmp_path, "a,b,x\nb,c,y\nb,a,z\nd,,\n".replace(",", between))
    assert graph.nodes == ["a", "b", "c", "d"] and not graph.directed
    assert graph.edge_data == [{"label": "x"}, {"label": "y"}] and graph.edge_label == ("label",)


def test_a_table_of_gephi_may_be_directed(tmp_path):
    text = "Source,Target,Type,Weight\n1,2,Directed,1.0\n2,1,Directed,3.0\n"
    graph = read(tmp_path, text)
    assert graph.directed and graph.edges == [("1", "2"), ("2", "1")]
    with pytest.warns(gm.GraphWarning, match="listed twice with different attributes"):
        assert not read(tmp_path, text.replace("Directed", "Undirected")).directed
    assert read(tmp_path, "source,target,type\n1,2,single\n").edge_label == ("type",)


@pytest.mark.parametrize(
    "text, complaint",
    [("a,b,1,2\n", "has 4 columns"), (",b\n", "must begin with a node")],
)
def test_other_tables_are_refused(tmp_path, text, complaint):
    with pytest.raises(gm.FileFormatError, match=complaint):
        read(tmp_path, text)


def test_a_column_of_numbers_is_the_weight_of_a_network(tmp_path):
    rows = "a,b,2\nb,c,3\nc,a,5\n"
    for name, text in (("g.csv", rows), ("g.txt", rows.replace(",", " "))):
        (tmp_path / name).write_text(text)
        p = gm.models.from_graphs(tmp_path / name, tmp_path / name)
        assert gm.gm_solve(p).value == 2 * (4 + 9 + 25)
        assert gm.gm_solve(p).mapping == {"a": "a", "b": "b", "c": "c"}
    p = gm.models.from_graphs(tmp_path / "g.csv", tmp_path / "g.txt", weight=None)
    assert gm.gm_solve(p).value == 6.0
    (tmp_path / "words.csv").write_text("a,b,single\nb,c,double\n")
    p = gm.models.from_graphs(tmp_path / "words.csv", tmp_path / "words.csv")
    assert gm.gm_solve(p).value == 4.0


def test_tables_next_to_graphs_of_other_formats_are_not_graphs(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n")
    (tmp_path / "b.tsv").write_text("x\ty\ny\tz\n")
    assert [graph.name for graph in gm.load_graphs(tmp_path)] == ["a", "b"]
    (tmp_path / "c.edges").write_text("0 1\n")
    (tmp_path / "a.csv").write_text("graph,c\nc,0\n")  # distances, say
    assert [graph.name for graph in gm.load_graphs(tmp_path)] == ["c"]


def test_the_first_line_shows_the_delimiter(tmp_path):
    graph = read(tmp_path, "source;target\nSmith, Ann, jr;Doe, Bob, sr\nDoe, Bob, sr;Fox, Cy\n")
    assert graph.nodes == ["Smith, Ann, jr", "Doe, Bob, sr", "Fox, Cy"]
    assert read(tmp_path, '# a;b;c\nlonely\n"a;b;c",d\n').nodes == ["lonely", "a;b;c", "d"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1", "utf-8"])
def test_bytes_of_other_programs(tmp_path, encoding):
    """Excel writes a mark in front; names in Latin-1 became one and the same."""
    text = "source,target,weight\nMüller,Möller,2\nMöller,Mäller,3\n"
    (tmp_path / "g.csv").write_bytes(text.encode(encoding))
    (graph,) = gm.load_graphs(tmp_path / "g.csv")
    assert graph.nodes == ["Müller", "Möller", "Mäller"]
    assert graph.edge_data == [{"weight": 2.0}, {"weight": 3.0}]


def test_lines_end_where_csv_says(tmp_path):
    graph = read(tmp_path, 'source,target\n"a\nb",c\u2028d\nab,c\u2028d\n')
    assert graph.nodes == ["a\nb", "c\u2028d", "ab"] and len(graph.edges) == 2
    with pytest.raises(gm.FileFormatError, match="cannot be read"):
        read(tmp_path, 'a,"b\nb,c\n')


@pytest.mark.parametrize(
    "text", ["person,friend\nann,bob\nbob,cy\n", "p,q,strength\nann,bob,2\ncy,dan,1\n"]
)
def test_a_first_line_that_may_be_names_is_asked_for(tmp_path, text):
    with pytest.warns(gm.GuessWarning, match="call the first two source and target"):
        graph = read(tmp_path, text)
    assert len(graph.edges) == 3


@pytest.mark.parametrize("text", ["a,b\nc,d\n", "1,2\n3,4\n4,5\n", "a,b\nb,c\n", "a,b,x\n"])
def test_other_first_lines_are_edges(tmp_path, text):
    assert len(read(tmp_path, text).edges) == text.count("\n")
