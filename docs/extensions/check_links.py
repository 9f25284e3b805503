"""Follow every link and picture of a built site that stays inside it: `check_links.py FOLDER`.

Dead ones are listed, and the exit status is 1. Scripts, styles or pictures from other hosts count
as dead, too: the site must work offline.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors, links and parts of one page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.parts = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and "stylesheet" in (given.get("rel") or ""):
            self.parts.append(given["href"])
        if tag in ("img", "script", "source", "iframe") and given.get("src"):
            self.parts.append(given["src"])


def dead_links(folder):
    """(page, link, reason) of every link that leads nowhere."""
    found = [p for p in sorted(folder.rglob("*.html")) if "_static" not in p.parts]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in found}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for link in page.parts:
            if urlsplit(link).scheme not in ("", "data") or urlsplit(link).netloc:
                yield name, link, "is loaded from another host"
        for link in [*page.links, *page.parts]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield name, link, "no such file"
            elif parts.fragment and target in pages:
                if unquote(parts.fragment) not in pages[target].anchors:
                    yield name, link, "no such place on that page"


def main(folder):
    folder = Path(folder).resolve()
    dead = list(dead_links(folder))
    for page, link, reason in dead:
        print(f"{page}: {link}: {reason}", file=sys.stderr)
    count = sum(1 for _ in folder.rglob("*.html"))
    print(f"{folder}: {count} pages, {len(dead)} dead links")
    return 1 if dead or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
