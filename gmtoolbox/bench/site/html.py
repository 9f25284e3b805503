"""Pieces of HTML that the report's pages are made of; names and texts are escaped here."""

from gmtoolbox.core.text import file_name, markup, time_text


def chart(svg, name, attributes="", caption="", files=()):
    """Return a figure that the keyboard reaches, with links to its files: [(text, address)]."""
    links = " ".join(f"<a href='{target}' download>{markup(text)}</a>" for text, target in files)
    saved = f"<span class='files'>{links}</span>" if links else ""
    words = f"<figcaption>{markup(caption)} {saved}</figcaption>" if caption or links else ""
    return (
        f"<figure class='chart' tabindex='0' aria-label='{markup(name, True)}'"
        f" {attributes}>{svg}{words}</figure>"
    )


def page(title, body, nav=""):
    """Return a whole page; nav: the links back."""
    depth = f"<nav aria-label='Where you are'>{nav}</nav>" if nav else ""
    return f"""<!doctype html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='viewport' content='width=device-width, initial-scale=1'>
<meta name='color-scheme' content='light dark'>
<title>{markup(title)}</title><link rel='stylesheet' href='style.css'>
<link rel='icon' href='data:,'></head>
<body><a class='skip' href='#content'>To the content</a>{depth}
<main id='content' tabindex='-1'>{body}</main><script src='script.js'></script></body></html>
"""


def crumbs(*above):
    """HTML of the way from the overview to a page; above: (name, address) in between."""
    links = [("Overview", "index.html"), *above]
    return " / ".join(f"<a href='{target}'>{markup(name)}</a>" for name, target in links)


def sortable(caption, headings, rows, marks=None, scroll=True):
    """A table whose columns sort; rows: lists of (HTML, sort key), the first names the row."""
    head = "".join(
        f"<th scope='col'><button type='button'>{markup(heading)}</button></th>"
        for heading in headings
    )
    lines = []
    for row, mark in zip(rows, marks or [""] * len(rows), strict=True):
        (name, key), *others = row
        cells = f"<th scope='row' data-key='{markup(str(key), True)}'>{name}</th>" + "".join(
            f"<td data-key='{markup(str(key), True)}'>{content}</td>" for content, key in others
        )
        lines.append(f"<tr{mark}>{cells}</tr>")
    table = (
        f"<table class='sortable'><caption>{markup(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
    return wrap_table(table, caption) if scroll else table


def wrap_table(table, name):
    """A wide table in a box of its own that the keyboard can scroll."""
    return (
        f"<div class='scroll' role='region' tabindex='0' aria-label='{markup(name, True)}'>"
        f"{table}</div>"
    )


def switch(group, legend, choices, chosen):
    """Radio buttons of which each shows the elements of its value; choices: [(value, text)]."""
    buttons = "".join(
        f"<label><input type='radio' name='{group}' data-shows='{group}'"
        f" value='{markup(value, True)}'{' checked' if value == chosen else ''}>"
        f" {markup(shown)}</label>"
        for value, shown in choices
    )
    return f"<fieldset class='controls'><legend>{markup(legend)}</legend>{buttons}</fieldset>"


def part_of(group, value, chosen):
    """Attributes of an element that a switch shows."""
    hidden = "" if value == chosen else " hidden"
    return f"data-group='{group}' data-value='{markup(value, True)}'{hidden}"


def name_some(methods):
    """Return the names of up to three methods, or how many they are."""
    if len(methods) > 3:
        return f"{len(methods)} methods"
    return " and ".join(filter(None, [", ".join(methods[:-1]), methods[-1]]))


def choice_of(group, figures, winners):
    """One of the figures {method: HTML} at a time, that of the first winner first, and a list to
    choose from.
    """
    best = winners[0]
    options = "".join(
        f"<option{' selected' if method == best else ''}>{markup(method)}</option>"
        for method in figures
    )
    shown = "".join(
        f"<figure {part_of(group, method, best)}>{figure}</figure>"
        for method, figure in figures.items()
    )
    return f"""
<div class='controls'><label>Method <select data-shows='{group}'>{options}</select></label>
<span class='quiet'>the best: {markup(name_some(winners))}</span></div>{shown}"""


def put(folder, name, content):
    """Write a file of the site."""
    (folder / name).write_text(content, encoding="utf-8", errors="backslashreplace")


def dataset_page(dataset):
    """File name of a dataset's page."""
    return f"dataset-{file_name(dataset)}.html"


def instance_page(dataset, instance):
    """Its first '-' but one ends the dataset, so no two instances have one page."""
    return f"instance-{file_name(dataset).replace('-', '~2d')}-{file_name(instance)}.html"


def span(numbers):
    """'3' or '3-8' of some numbers."""
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low}-{high}"


def seconds(value):
    """Return a time in words, for HTML."""
    return markup(time_text(value))
