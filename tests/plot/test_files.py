"""Pictures as files."""

import shutil
import struct
from types import SimpleNamespace

import pytest

from gmtoolbox import plot
from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.plot.files import CONVERTERS


def curve(method, x, y):
    return SimpleNamespace(method=method, x=x, y=y)


def test_files(tmp_path, monkeypatch):
    svg = plot.profile([curve("a", [1.0], [1.0])])
    plot.save_picture(svg, tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text("utf-8") == svg
    with pytest.raises(InputError, match=".svg .png .pdf"):
        plot.save_picture(svg, tmp_path / "p.gif")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr("gmtoolbox.plot.files.find_spec", lambda name: None)
    with pytest.raises(GMError, match="apt-get install librsvg2-bin"):
        plot.save_picture(svg, tmp_path / "p.png")
    assert [path.name for path in tmp_path.iterdir()] == ["p.svg"]


@pytest.mark.skipif(not any(map(shutil.which, CONVERTERS)), reason="no converter installed")
def test_png_has_twice_the_size(tmp_path):
    plot.save_picture(plot.profile([curve("a", [1.0], [1.0])]), tmp_path / "p.png")
    content = (tmp_path / "p.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", content[16:24]) == (
        1640,
        800,
    )
