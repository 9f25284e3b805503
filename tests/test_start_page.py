"""The first pages have commands that users paste. `scripts/try_wheel` runs them with the wheel in a
new environment; here they run with this one.
"""

import subprocess
import sys
from pathlib import Path

import pytest

import gmtoolbox as gm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import run_start_page as pages  # noqa: E402

SHELL = ("docs/index.md", "docs/install.md")
PYTHON = ("docs/index.md", "README.md")


def test_the_pages_have_commands():
    assert all(pages.commands(ROOT / page) for page in SHELL)
    assert all(pages.programs(ROOT / page) for page in PYTHON)


def test_the_wheel_of_the_install_page_is_the_one_that_is_built():
    lines = "".join(pages.blocks(ROOT / "docs" / "install.md", "sh")).split()
    names = [word for word in lines if word.endswith(".whl")]
    assert names == [f"gmtoolbox-{gm.__version__}-cp311-abi3-*.whl"]


def test_a_page_that_fails_ends_the_program(tmp_path):
    page = tmp_path / "page.md"
    fails = f"```sh\n{sys.executable} -c 'print(1); exit(3)'\n```"
    for text in (fails, "```sh\nno-such-program\n```", "```python\n>>> 1 + 1\n3\n\n```\n"):
        page.write_text(text)
        with pytest.raises(SystemExit):
            pages.run_page(page)


@pytest.mark.long
@pytest.mark.skipif(
    not Path(sys.executable).with_name("gmtoolbox").exists(), reason="gmtoolbox is not installed"
)
def test_the_first_pages_run(tmp_path):
    """In an empty folder, with the environment of the tests."""
    names = ["README.md", *SHELL, "docs/quickstart.md"]
    program = [sys.executable, str(ROOT / "scripts" / "run_start_page.py")]
    path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    done = subprocess.run(
        [*program, *(str(ROOT / name) for name in names)],
        cwd=tmp_path, env=path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" examples run") == len(names)
