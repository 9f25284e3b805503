"""The facts about an instance in the JSON files next to it: dataset.json and <name>.json."""

import json
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError


def declared_complete(path, name):
    """Return whether a dataset.json next to the file lists it and declares its problem as
    complete.
    """
    folder = Path(path).parent
    if not (folder / "dataset.json").is_file():
        return False
    description = read_json(folder / "dataset.json")
    if not isinstance(description.get("instances"), list) or name not in description["instances"]:
        return False
    side = folder / f"{name}.json"
    facts = read_json(side) if side.is_file() else {}
    return facts.get("complete", description.get("complete")) is True


def read_json(path):
    """The object of a JSON file, or FileFormatError."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, f"is no JSON: {error}") from error
    if not isinstance(content, dict):
        raise FileFormatError(path, f"must hold an object, got {type(content).__name__}")
    return content
