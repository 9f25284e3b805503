"""The import path of 0.1; the module itself is engine/options.py."""

from gmtoolbox.engine.options import Choice, Option, Range, check_options, options_of  # noqa: F401
