"""Which wheels are built for whom, and what the compile check says."""

import importlib.util
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("wheel_targets", ROOT / "scripts/wheel_targets.py")
wheel_targets = importlib.util.module_from_spec(spec)
spec.loader.exec_module(wheel_targets)


def test_every_promised_system_is_a_target():
    for system in ("linux-gnu.2.28", "linux-musl", "windows-gnu", "macos"):
        assert any(system in target for target in wheel_targets.TARGETS)
    for machine in ("x86_64", "aarch64"):
        wanted = {f"manylinux_2_28_{machine}", f"musllinux_1_2_{machine}"}
        assert wanted <= set(wheel_targets.LINUX.values())


def test_the_newest_symbol_of_a_wheel_is_found(tmp_path):
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("gmtoolbox/_cext.abi3.so", b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0")
    assert wheel_targets.newest_symbol(wheel) == (2, 34)


def test_an_error_for_one_target_is_told(tmp_path):
    pytest.importorskip("ziglang")
    file = tmp_path / "x.c"
    file.write_text(
        "#ifdef _WIN32\n#error not here\n#endif\nint x(void);\nint x(void) { return 1; }\n"
    )
    targets = ("x86_64-linux-musl", "x86_64-windows-gnu")
    ((target, _, text),) = wheel_targets.compile_check(targets, [file])
    assert target == "x86_64-windows-gnu" and "not here" in text
