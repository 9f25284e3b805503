"""XML from strangers: entities and depth are refused, namespaces do not matter."""

import pytest

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.io.xml_files import xml_root

BOMB = b"""<?xml version="1.0"?><!DOCTYPE gxl [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><gxl>&b;</gxl>"""


@pytest.mark.parametrize(
    "content, message",
    [
        (BOMB, "declares an entity"),
        (b'<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><g>&x;</g>', "entity"),
        (b'<!DOCTYPE g [<!ENTITY % x SYSTEM "http://example.org/x"> %x;]><g/>', "entity"),
        (b"<a>" * 100 + b"</a>" * 100, "nested deeper than 64"),
        (b"<a><b></a>", "cannot be read: mismatched tag"),
        (b"", "cannot be read"),
    ],
)
def test_refusals(content, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        xml_root("x.gxl", content)
    assert "\n" not in str(caught.value)


def test_a_named_dtd_and_namespaces_are_fine():
    root = xml_root(
        "x", b'<!DOCTYPE g SYSTEM "http://x/g.dtd"><n:g xmlns:n="u" n:id="1"><n:a/></n:g>'
    )
    assert root.tag == "g" and root.get("id") == "1" and root[0].tag == "a"
