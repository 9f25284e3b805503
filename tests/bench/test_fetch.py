"""Downloads from a server on loopback: checked, recorded, whole or not at all."""

import hashlib
import io
import json
import tarfile
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from gmtoolbox import cli
from gmtoolbox.bench import fetch as fetching
from gmtoolbox.bench.fetch import RECORD, Page, fetch, sources
from gmtoolbox.core.errors import GMError, InputError


class Quiet(SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *_):
        self.asked.append(self.path)


@contextmanager
def served(folder):
    """The address of a folder's files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Quiet.asked.clear()
    try:
        yield f"http://127.0.0.1:{server.server_port}/page.html"
    finally:
        server.shutdown()
        thread.join(timeout=20)
        server.server_close()


def packed(files):
    """The bytes of a .tar.gz."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def dat(n, seed):
    numbers = np.random.default_rng(seed).integers(1, 9, (2, n, n))
    return f"{n}\n\n" + "\n".join(" ".join(map(str, row)) for A in numbers for row in A)


@pytest.fixture
def site(tmp_path):
    """A page like that of the library, with two small instances and the solution of one."""
    folder = tmp_path / "site"
    (folder / "data.d").mkdir(parents=True)
    data = packed({"tiny4.dat": dat(4, 0).encode(), "tiny5.dat": dat(5, 1).encode()})
    (folder / "data.d" / "qapdata.tar.gz").write_bytes(data)
    solution = packed({"tiny4.sln": b"4 123\n2 1 4 3\n", "tiny5.sln": b"damaged"})
    (folder / "qapsoln.tar.gz").write_bytes(solution)
    (folder / "page.html").write_text(
        "<a href='data.d/qapdata.tar.gz'>data</a> (SHA256:"
        f" <code>{hashlib.sha256(data).hexdigest()}</code>) <a href='/qapsoln.tar.gz'>solutions</a>"
    )
    return folder


def test_the_manifest_names_pages_and_invents_nothing():
    for source in sources().values():
        assert source["page"].startswith("https://") and source["known_from"]
        for file in source["files"]:
            assert set(file) == {"name", "sha256"}
            assert file["sha256"] is None or len(file["sha256"]) == 64


@pytest.mark.usefixtures("without_processes")
def test_fetch_makes_a_dataset_that_bench_takes(site, tmp_path, capsys):
    folder = tmp_path / "data"
    with served(site) as address:
        arguments = ["fetch", "qaplib", "-o", str(folder), "--page", address]
        assert cli.main(arguments) == 0
        first = list(Quiet.asked)
        assert cli.main(arguments) == 0  # nothing is asked for again
        assert Quiet.asked == first and len(first) == 3
    record = json.loads((folder / RECORD).read_text("utf-8"))
    assert record["qapdata.tar.gz"]["sha256"] == fetching.digest(site / "data.d/qapdata.tar.gz")
    assert "there already, as recorded" in capsys.readouterr().out
    store = str(tmp_path / "s.db")
    assert cli.main(["bench", str(folder), "-m", "faq", "-t", "5", "-s", store]) == 0
    assert "qaplib (5 s)" in capsys.readouterr().out
    assert json.loads((folder / "qaplib" / "tiny4.json").read_text("utf-8")) == {
        "best_known": 123.0
    }
    assert not (folder / "qaplib" / "tiny5.json").exists()


def test_a_file_that_changed_since_the_first_download_is_refused(site, tmp_path):
    source = {"files": [{"name": "qapsoln.tar.gz", "sha256": None}]}
    with served(site) as address:
        source["page"] = address
        (path,) = fetch(source, tmp_path / "data", lambda line: None)
        path.unlink()
        (site / "qapsoln.tar.gz").write_bytes(b"another one")
        with pytest.raises(GMError, match="is expected"):
            fetch(source, tmp_path / "data", lambda line: None)
        assert not path.exists()  # what is wrong is not kept
    path.write_bytes(b"and by hand")
    with pytest.raises(GMError, match="is expected"):
        fetch(source, tmp_path / "data", lambda line: None)


@pytest.mark.parametrize("where", ["manifest", "page"])
def test_a_known_hash_is_compared_at_the_first_download(site, tmp_path, where):
    source = {"files": [{"name": "qapdata.tar.gz", "sha256": None}]}
    if where == "manifest":
        source["files"][0]["sha256"] = "0" * 64
    else:
        text = (site / "page.html").read_text("utf-8")
        (site / "page.html").write_text(fetching.HASH.sub("1" * 64, text))
    with served(site) as address, pytest.raises(GMError, match="SHA-256"):
        fetch({**source, "page": address}, tmp_path / "data", lambda line: None)
    assert [p.name for p in (tmp_path / "data").iterdir()] == []


def test_refusals(site, tmp_path):
    with served(site) as address:
        with pytest.raises(InputError, match="no link to other.7z"):
            Page(address).link("other.7z")
        with pytest.raises(GMError, match="cannot be fetched"):
            Page(address.replace("page", "none"))
    with pytest.raises(InputError, match="only http"):
        Page(f"file://{site}/page.html")
    with pytest.raises(GMError, match="cannot be fetched"):
        Page("http://127.0.0.1:1/")
    with pytest.raises(InputError, match="plain file name"):
        fetch({"files": [{"name": "../x", "sha256": None}]}, tmp_path / "d", lambda line: None)
    unreachable = {"page": "http://127.0.0.1:1/", "files": [{"name": "x.gz", "sha256": None}]}
    with pytest.raises(GMError, match="cannot be fetched"):
        fetch(unreachable, tmp_path / "d", lambda line: None)
    assert not (tmp_path / "d").exists()  # no empty folder is left
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / RECORD).write_text("{}[")
    with pytest.raises(InputError, match="no record"):
        fetch({"files": []}, tmp_path / "d", lambda line: None)


def test_a_download_that_breaks_off_leaves_nothing(tmp_path, monkeypatch):
    class Short:
        headers = {"Content-Length": "100"}

        def __init__(self):
            self.parts = [b"only this", b""]

        def read(self, size):
            return self.parts.pop(0)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(fetching, "open_address", lambda address: Short())
    with pytest.raises(GMError, match="broke off"):
        fetching.download("http://x", tmp_path / "file", set())
    assert list(tmp_path.iterdir()) == []
