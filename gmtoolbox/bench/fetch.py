"""gmtoolbox fetch: the study's own data, and QAPLIB, from their own pages.

Addresses of files change, so the manifest sources.json names the page that links to them; the link
is looked up there. A file's SHA-256 is compared with that of the manifest, with the one that the
page prints next to the link, and with the one of the first download, which is recorded in
downloads.json of the target folder. Existing files are not downloaded again.
"""

import hashlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.io.files import is_plain_name, replace_file, write_bytes

PATIENCE = 60.0  # seconds without a byte
READ_SIZE = 1 << 20
PAGE_LIMIT = 1 << 24  # bytes of a page
HASH = re.compile(r"\b[0-9a-f]{64}\b")
RECORD = "downloads.json"


def sources():
    """The manifest: name -> title, page, files."""
    text = resources.files("gmtoolbox.bench").joinpath("sources.json").read_text(encoding="utf-8")
    return json.loads(text)


def fetch(source, folder, say=print):
    """Download the files of a source that the folder does not have; their paths.

    source  page and files, as in the manifest
    say     is called with a line for each step
    """
    folder = Path(folder)
    record = read_record(folder)
    page, found = None, []
    for file in source["files"]:
        path = folder / plain_name(file["name"])
        known = {file["sha256"], record.get(path.name, {}).get("sha256")} - {None}
        if path.is_file():
            check_archive(path, digest(path), known)
            say(f"{path}: there already, as recorded" if known else f"{path}: there already")
        else:
            page = page or Page(source["page"])
            address, printed = page.link(path.name)
            say(f"{path}: from {address}")
            folder.mkdir(parents=True, exist_ok=True)
            download(address, path, known | printed)
        record[path.name] = record.get(path.name) or {
            "sha256": digest(path),
            "page": source["page"],
            "first": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        write_bytes(folder / RECORD, json.dumps(record, indent=1).encode())
        found.append(path)
    return found


def plain_name(name):
    """The name, if it is that of a file in the folder itself."""
    if not is_plain_name(name):
        raise InputError(f"{name!r} must be a plain file name")
    return name


def read_record(folder):
    """Return {file name: its SHA-256, page and date} of earlier downloads."""
    path = folder / RECORD
    if not path.is_file():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if not all(HASH.fullmatch(entry["sha256"]) for entry in record.values()):
            raise ValueError("no SHA-256")
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise InputError(f"{path}: is no record of downloads: {error}") from error
    return record


# ---- the page


class Links(HTMLParser):
    """Every link of a page, with the text that follows it up to the next."""

    def __init__(self):
        super().__init__()
        self.found = []  # [address, text behind]

    def handle_starttag(self, tag, attributes):
        """Note the address of a link."""
        address = dict(attributes).get("href")
        if tag == "a" and address:
            self.found.append([address, ""])

    def handle_data(self, text):
        """Note text behind the last link."""
        if self.found:
            self.found[-1][1] += text


class Page:
    """A page that links to files."""

    def __init__(self, address):
        self.address = address
        links = Links()
        with open_address(address) as answer:
            self.address = answer.url  # after redirections
            links.feed(answer.read(PAGE_LIMIT).decode("utf-8", "replace"))
        self.links = links.found

    def link(self, name):
        """(address, SHA-256s printed behind it) of the link to a file of that name."""
        for address, text in self.links:
            full = urllib.parse.urljoin(self.address, address)
            if Path(urllib.parse.urlparse(full).path).name == name:
                return full, set(HASH.findall(text))
        raise InputError(f"{self.address}: no link to {name} on this page any more")


def open_address(address):
    """Return the answer of a server; GMError if there is none."""
    if urllib.parse.urlparse(address).scheme not in ("https", "http"):
        raise InputError(f"{address}: only http and https are fetched")
    try:
        return urllib.request.urlopen(address, timeout=PATIENCE)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise GMError(f"{address}: cannot be fetched: {error}") from error


# ---- files


def download(address, path, known):
    """Write the content of an address to a file, which appears whole and checked or not at all."""
    total = hashlib.sha256()
    with open_address(address) as answer, replace_file(path) as draft:
        try:
            with open(draft, "wb") as file:
                while data := answer.read(READ_SIZE):
                    total.update(data)
                    file.write(data)
        except (urllib.error.URLError, OSError) as error:
            raise GMError(f"{address}: the download broke off: {error}") from error
        length = answer.headers.get("Content-Length")
        if length is not None and int(length) != Path(draft).stat().st_size:
            raise GMError(f"{address}: the download broke off before its {length} bytes")
        check_archive(path, total.hexdigest(), known)


def check_archive(path, found, known):
    """GMError if a file has not the SHA-256 that is known of it."""
    for expected in known:
        if found != expected:
            raise GMError(
                f"{path}: its SHA-256 is {found}, but {expected} is expected: it was damaged on the"
                " way, or another file stands there now"
            )


def digest(path):
    """The SHA-256 of a file."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while data := file.read(READ_SIZE):
            total.update(data)
    return total.hexdigest()
