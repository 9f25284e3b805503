"""Pictures as files: SVG as it is, PNG with the help of a converter that the machine has."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from gmtoolbox.core.errors import GMError, InputError
from gmtoolbox.io.files import replacing

CONVERTERS = {  # program -> its arguments; the first one that is installed makes the PNG
    "rsvg-convert": lambda svg, png, w, h: [
        "--zoom",
        "2",
        "--background-color",
        "white",
        "-o",
        png,
        svg,
    ],
    "inkscape": lambda svg, png, w, h: [
        "--export-type=png",
        f"--export-filename={png}",
        "--export-dpi=192",
        svg,
    ],
    "chromium": lambda svg, png, w, h: chrome(svg, png, w, h),
    "google-chrome": lambda svg, png, w, h: chrome(svg, png, w, h),
}


def chrome(svg, png, width, height):
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
    if Path(path).suffix not in (".svg", ".png"):
        raise InputError(f"{path}: pictures are written as .svg or .png")


def save_picture(svg, path):
    """Write a picture as .svg, or as .png at twice the size (192 dots per inch)."""
    check_suffix(path)
    content = svg.encode() if Path(path).suffix == ".svg" else rasterised(svg)
    with replacing(path) as draft:
        draft.write_bytes(content)


def rasterised(svg):
    """PNG of a picture."""
    program = next((name for name in CONVERTERS if shutil.which(name)), None)
    if program is None:
        raise GMError(
            f"PNG needs one of {', '.join(CONVERTERS)} (apt-get install librsvg2-bin); SVG needs"
            " nothing"
        )
    width, height = (int(svg.split(f" {name}='")[1].split("'")[0]) for name in ("width", "height"))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "picture.svg", Path(folder) / "picture.png"
        source.write_text(svg, encoding="utf-8")
        command = [program, *map(str, CONVERTERS[program](source, target, width, height))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if not target.is_file():
            raise GMError(f"{program} made no PNG: {done.stderr.strip()[-300:]}")
        return target.read_bytes()
