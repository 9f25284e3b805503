"""Looking into SVG pictures."""

import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg, tag, **attributes):
    """The elements of this tag with these attributes (class_ is `class`)."""
    found = xml.fromstring(svg).iter(SVG + tag)
    return [
        element
        for element in found
        if all(element.get(name.rstrip("_")) == value for name, value in attributes.items())
    ]
