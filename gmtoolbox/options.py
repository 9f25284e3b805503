"""The import path of 0.1; the module itself is engine/options.py."""

from gmtoolbox.engine.options import *  # noqa: F403
