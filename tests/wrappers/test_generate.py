"""The generated .m files are those of the registry."""

from gmtoolbox.wrappers.generate import FOLDER, matlab_files


def test_matlab_files_are_those_of_the_registry():
    """If this fails, run `python -m gmtoolbox.wrappers.generate`."""
    files = matlab_files()
    generated = {path.name for path in FOLDER.glob("wrapper_*.m")}
    assert files.keys() == generated | {"Contents.m", "functionSignatures.json"}
    for name, text in files.items():
        assert (FOLDER / name).read_text() == text


def test_every_matlab_function_has_help_text():
    for path in [*FOLDER.glob("gm_*.m"), *FOLDER.glob("wrapper_*.m"), *FOLDER.glob("private/*.m")]:
        lines = path.read_text().splitlines()
        assert lines[0].startswith("function ") and lines[1].startswith(
            f"%{path.stem.upper()}  "
        ), path
