"""Hints for names of pygmtools that are not here."""

from gmtoolbox.core.errors import did_you_mean

PAGE = "docs/migration.md"


def refuse_missing(module, known):
    """Return the __getattr__ of a module: an AttributeError that says what there is."""

    def __getattr__(name):
        hint = did_you_mean(name, known) or f"; there is {', '.join(known)}: see {PAGE}"
        raise AttributeError(f"{module} has no {name!r}{hint}", name=name)

    return __getattr__
