"""The import path of 0.1; the module itself is engine/registry.py."""

from gmtoolbox.engine.registry import *  # noqa: F403
