"""Write docs/two-photographs.png, the picture of the start page and of the README, from the example
docs/examples/images.py.
"""

import runpy
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).resolve().parent.parent

if __name__ == "__main__":
    example = runpy.run_path(str(DOCS / "examples" / "images.py"))
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "large.png"
        example["picture"].save(draft)
        small = Image.open(draft).convert("RGB").resize((1280, 664), Image.Resampling.LANCZOS)
    small.quantize(96).save(DOCS / "two-photographs.png", optimize=True)
