"""The generated .m files are those of the registry."""

from gmtoolbox.wrappers.generate import FOLDER, matlab_files


def test_matlab_files_are_those_of_the_registry():
    """If this fails, run `python -m gmtoolbox.wrappers.generate`."""
    files = matlab_files()
    generated = {path.name for path in FOLDER.glob("wrapper_*.m")}
    made = {"Contents.m", "demos.xml", "resources/functionSignatures.json"}
    assert files.keys() == generated | made
    for name, text in files.items():
        assert (FOLDER / name).read_text("utf-8") == text


def test_every_help_has_an_example():
    for path in FOLDER.glob("*.m"):
        if path.stem != "Contents":
            lines = help_of(path)
            assert any(line.startswith("   Example") for line in lines), path.name


def help_of(path):
    """The lines of a function's help, without their %."""
    lines = path.read_text("utf-8").splitlines()[1:]
    end = next(k for k, line in enumerate(lines) if not line.startswith("%"))
    return [line[1:] for line in lines[:end]]


def test_every_matlab_function_has_help_text():
    for path in [*FOLDER.glob("gm_*.m"), *FOLDER.glob("wrapper_*.m"), *FOLDER.glob("private/*.m")]:
        lines = path.read_text("utf-8").splitlines()
        assert lines[0].startswith("function ") and lines[1].startswith(
            f"%{path.stem.upper()}  "
        ), path
