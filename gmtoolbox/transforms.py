"""The import path of 0.1; the module itself is core/transforms.py."""

from gmtoolbox.core.transforms import *  # noqa: F403
