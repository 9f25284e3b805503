"""The import path of 0.1; the module itself is core/problem.py."""

from gmtoolbox.core.problem import *  # noqa: F403
