"""A report as one HTML file: the other pages wait in templates, style and script are inside."""

import re

from gmtoolbox.core.text import markup

CONTENT = re.compile(r"<main id='content' tabindex='-1'>(.*)</main>", re.S)
NAV = re.compile(r"<nav .*?</nav>", re.S)
TITLE = re.compile(r"<title>(.*?)</title>", re.S)
LINK = re.compile(r"<a href='([^'#:]+\.html)'>(.*?)</a>", re.S)


def join_pages(pages, style, script):
    """Return one page that holds all of {file name: text}, the first of them shown.

    Links to pages that are left out become plain text.
    """
    first = next(iter(pages.values()))
    templates = "".join(
        f"<template data-page='{markup(name, True)}' data-title='{TITLE.search(text)[1]}'>"
        f"{content_of(text, pages)}</template>"
        for name, text in pages.items()
    )
    head = first.split("</head>")[0].replace(
        "<link rel='stylesheet' href='style.css'>", f"<style>{style}</style>"
    )
    return (
        f"{head}</head><body><a class='skip' href='#content'>To the content</a>"
        f"<main id='content' tabindex='-1'>{content_of(first, pages)}</main>{templates}"
        f"<script>{script}</script></body></html>\n"
    )


def content_of(text, pages):
    """Return the content of a page with its navigation; its links name the pages in the address
    (#page=...), so that they can be copied and opened elsewhere, and other links are undone.
    """
    nav = NAV.search(text)
    body = (nav[0] if nav else "") + CONTENT.search(text)[1]
    return LINK.sub(
        lambda link: f"<a href='#page={link[1]}'>{link[2]}</a>" if link[1] in pages else link[2],
        body,
    )
