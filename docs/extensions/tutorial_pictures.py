"""Write the pictures of the tutorials: run each page and keep the pictures that it saves.

    python docs/extensions/tutorial_pictures.py [NAME ...]

A page that shows NAME.svg saves a picture of that name; one that shows NAME.png saves NAME.svg,
which is converted to a small PNG (photographs).
"""

import doctest
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

from gmtoolbox.plot import Picture

DOCS = Path(__file__).resolve().parent.parent
TUTORIALS = DOCS / "tutorials"
WIDTH = 1280  # pixels of a PNG


def shown(page):
    """Return the pictures of its own folder that a page shows."""
    return re.findall(r"!\[[^]]*\]\(([\w-]+\.(?:svg|png))\)", page.read_text(encoding="utf-8"))


def run(page, folder):
    """Run the examples of a page in a folder with the problems of matfiles; fail if one fails."""
    shutil.copytree(DOCS.parent / "matfiles", folder / "matfiles")
    os.chdir(folder)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    if failed:
        raise SystemExit(f"{page.name}: {failed} examples failed")


def write_png(svg, target):
    """Write an SVG file as a PNG of WIDTH pixels and few colours."""
    draft = svg.with_suffix(".png")
    Picture(svg.read_text(encoding="utf-8")).save(draft)
    image = Image.open(draft).convert("RGB")
    size = WIDTH, round(WIDTH * image.height / image.width)
    image.resize(size, Image.Resampling.LANCZOS).quantize(96).save(target, optimize=True)


def main(names):
    """Write the pictures of the named tutorials, of all if none is named."""
    for page in sorted(TUTORIALS.glob("*.md")):
        if names and page.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run(page, Path(folder))
            for name in shown(page):
                target = TUTORIALS / name
                if target.suffix == ".png":
                    write_png(Path(folder, name).with_suffix(".svg"), target)
                else:
                    shutil.copyfile(Path(folder, name), target)
            os.chdir(DOCS)


if __name__ == "__main__":
    main(sys.argv[1:])
