"""Pictures as files: SVG as it is, PNG and PDF by a converter of the machine or by matplotlib."""

import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from gmtoolbox.core.errors import GMError
from gmtoolbox.io.formats import PICTURE, format_of, save_file, writer
from gmtoolbox.plot.canvas import render

CONVERTERS = {  # program -> its arguments
    "rsvg-convert": lambda svg, target, w, h: [
        f"--format={target.suffix[1:]}",
        *(["--zoom", "2", "--background-color", "white"] if target.suffix == ".png" else []),
        "-o",
        target,
        svg,
    ],
    "inkscape": lambda svg, target, w, h: [
        f"--export-type={target.suffix[1:]}",
        f"--export-filename={target}",
        "--export-dpi=192",
        svg,
    ],
    "chromium": lambda svg, target, w, h: chrome(svg, target, w, h),
    "google-chrome": lambda svg, target, w, h: chrome(svg, target, w, h),
}
BROWSERS = ("chromium", "google-chrome")  # make no PDF of the right size


def chrome(svg, png, width, height):
    """Arguments with which a headless browser makes a PNG."""
    return [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
        "--force-device-scale-factor=2",
        f"--window-size={width},{height}",
        f"--user-data-dir={Path(png).parent / 'profile'}",
        f"--screenshot={png}",
        Path(svg).as_uri(),
    ]


def check_suffix(path):
    """Refuse a name for a picture before it is drawn.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    None

    Raises
    ------
    InputError
        Unless it ends in .svg, .png or .pdf.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.plot.check_suffix("matching.svg")
    """
    format_of(path, PICTURE, role="writer")


def save_picture(svg, path):
    """Write a picture as .svg, as .png at twice the size (192 dots per inch), or as .pdf.

    Parameters
    ----------
    svg : Picture
        The picture that a function of gm.plot returned.
    path : str or Path
        Its suffix decides.

    Returns
    -------
    None

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.plot.save_picture(gm.plot.matching(gm.synth.car(seed=0, size=6)), "car.svg")
    """
    save_file(svg, path, holds=PICTURE)


@writer(".svg", holds=PICTURE)
def svg_bytes(svg):
    """The text itself."""
    return svg.encode()


@writer(".png", holds=PICTURE)
def png_bytes(svg):
    """The picture in pixels."""
    return convert_picture(svg, ".png")


@writer(".pdf", holds=PICTURE)
def pdf_bytes(svg):
    """The picture on a page."""
    return convert_picture(svg, ".pdf")


def convert_picture(svg, suffix):
    """A picture as .png or .pdf by the first of rsvg-convert, matplotlib and the others."""
    programs = [name for name in CONVERTERS if shutil.which(name)]
    if suffix == ".pdf":
        programs = [name for name in programs if name not in BROWSERS]
    if programs[:1] != ["rsvg-convert"] and find_spec("matplotlib") is not None:
        return render(svg, suffix)
    if not programs:
        raise GMError(
            f"{suffix[1:].upper()} needs matplotlib (pip install matplotlib) or one of"
            f" {', '.join(CONVERTERS)} (apt-get install librsvg2-bin); SVG needs nothing"
        )
    return by_program(programs[0], svg, suffix)


def by_program(program, svg, suffix):
    """The bytes of a picture converted by a program."""
    width, height = (int(svg.split(f" {name}='")[1].split("'")[0]) for name in ("width", "height"))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "picture.svg", Path(folder) / f"picture{suffix}"
        source.write_text(svg, encoding="utf-8")
        command = [program, *map(str, CONVERTERS[program](source, target, width, height))]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        if not target.is_file():
            said = done.stderr.decode(errors="replace").strip()[-300:]
            raise GMError(f"{program} made no picture: {said}")
        return target.read_bytes()
