"""XML files from strangers: no entities, no other documents, bounded depth."""

from gmtoolbox.core.errors import FileFormatError

DEEPEST = 64  # elements inside elements; graph files have about six


def xml_root(path, content):
    """Return the root element of an XML text, whose names have no namespaces.

    A document type may name its DTD, which is not read. An entity that it declares is refused:
    a few lines of them expand to gigabytes, or to other files.
    """
    from xml.etree import ElementTree  # only files in XML need them
    from xml.parsers import expat  # as above

    builder, depth = ElementTree.TreeBuilder(), 0

    def begin(tag, attributes):
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            refuse(f"has elements nested deeper than {DEEPEST}")
        names = {name.rpartition(":")[2]: value for name, value in attributes.items()}
        builder.start(tag.rpartition(":")[2], names)

    def end(tag):
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition(":")[2])

    def refuse(complaint):
        raise FileFormatError(path, complaint, parser.CurrentLineNumber)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = lambda *_: refuse("declares an entity, which is refused")
    parser.ExternalEntityRefHandler = lambda *_: refuse("refers to another file, which is refused")
    try:
        parser.Parse(content, True)
        return builder.close()
    except expat.ExpatError as error:
        raise FileFormatError(path, f"cannot be read: {error}") from error
