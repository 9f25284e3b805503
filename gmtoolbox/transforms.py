"""The import path of 0.1; the module itself is core/transforms.py."""

from gmtoolbox.core.transforms import BIJECTIVE, LEFT_COMPLETE, NONPOSITIVE, ZERO_UNARIES, bijective, materialised, prepare, swap  # noqa: F401
