"""Compile the kernels for every target, and build the Linux wheels; see scripts/wheels."""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = {  # zig's target -> platform of the wheel
    "x86_64-linux-gnu.2.28": "manylinux_2_28_x86_64",
    "aarch64-linux-gnu.2.28": "manylinux_2_28_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
}
TARGETS = (*LINUX, "x86_64-windows-gnu", "aarch64-macos", "x86_64-macos", "wasm32-wasi")
NEWEST_GLIBC = (2, 28)
# zig would add checks of undefined behaviour, which stop a program; ours are in tests/fuzz.
FLAGS = ["-std=c11", "-ffp-contract=off", "-fno-math-errno", "-fno-sanitize=undefined", "-fPIC"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]


def zig():
    """The program inside the package ziglang."""
    import ziglang

    return str(Path(ziglang.__file__).with_name("zig"))


def run(command, **options):
    """Run a command; CalledProcessError if it fails."""
    subprocess.run([*map(str, command)], check=True, timeout=1800, **options)


def sources():
    """Every C file."""
    return sorted((ROOT / "cext" / "src").rglob("*.c"))


def compile_check(targets=TARGETS, files=None):
    """The errors of compiling every file for every target: (target, file, text)."""
    headers = [f"-I{ROOT / 'cext' / name}" for name in ("include", "src")]

    def one(pair):
        target, file = pair
        with tempfile.TemporaryDirectory() as folder:
            command = [zig(), "cc", "-target", target, *FLAGS, *WARNINGS, *headers, "-O0", "-c"]
            done = subprocess.run(
                [*command, str(file), "-o", f"{folder}/x.o"],
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
        return (target, file, done.stderr) if done.returncode else None

    pairs = [(target, file) for target in targets for file in files or sources()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [found for found in pool.map(one, pairs) if found]


def make_sdist(folder):
    """The source archive, made in a folder."""
    run([sys.executable, "-m", "build", "--sdist", "--outdir", folder, ROOT])
    (archive,) = Path(folder).glob("*.tar.gz")
    return archive


def make_wheel(archive, target, folder):
    """A wheel of the source archive, unpacked where nothing else is: what it lacks is missed."""
    platform = LINUX[target]
    compiler = f"{zig()} cc -target {target} -fno-sanitize=undefined"
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data")
        (source,) = Path(place).iterdir()
        environment = {
            **os.environ,
            "CC": compiler,
            "LDSHARED": f"{compiler} -shared -Wl,-s",
            "CFLAGS": "-fPIC",
            "LDFLAGS": "",
        }
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder]
        command += ["--quiet", "--disable-pip-version-check"]
        command += [f"--config-settings=--build-option=--plat-name={platform}", source]
        run(command, env=environment)
    return next(Path(folder).glob(f"*-{platform}.whl"))


def newest_symbol(wheel):
    """The newest version of glibc that the wheel's library asks for, as numbers."""
    import re
    import zipfile

    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith(".so")]
        library = packed.read(name)
    found = re.findall(rb"\0GLIBC_([0-9.]+)(?=\0)", library)
    return max((tuple(map(int, one.split(b"."))) for one in found), default=(0,))


def check(archive, wheels):
    """What others check before they offer a file: metadata, contents, the stable ABI, glibc."""
    run([sys.executable, "-m", "twine", "check", "--strict", archive, *wheels])
    folder = Path(sys.executable).parent
    for wheel in wheels:
        run([folder / "check-wheel-contents", wheel])
        run([folder / "abi3audit", "--strict", "--report", wheel], stdout=subprocess.DEVNULL)
        if newest_symbol(wheel) > NEWEST_GLIBC:
            raise SystemExit(f"{wheel.name} asks for glibc {newest_symbol(wheel)}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compile, for every target")
    parser.add_argument("--targets", nargs="+", default=None, choices=TARGETS, metavar="TARGET")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="FOLDER")
    given = parser.parse_args(arguments)
    cache = ROOT / "build" / "zig"
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(cache))
    os.environ.setdefault("ZIG_LOCAL_CACHE_DIR", str(cache))
    if given.check:
        targets = given.targets or TARGETS
        errors = compile_check(targets)
        for target, file, text in errors:
            print(f"{target}: {file.relative_to(ROOT)}\n{text}", file=sys.stderr)
        print(f"{len(sources())} C files, {len(targets)} targets, {len(errors)} errors")
        return 1 if errors else 0
    shutil.rmtree(given.output, ignore_errors=True)
    archive = make_sdist(given.output)
    targets = given.targets or LINUX
    wheels = [make_wheel(archive, target, given.output) for target in targets]
    check(archive, wheels)
    for path in (archive, *wheels):
        print(f"{path.stat().st_size / 1e6:6.2f} MB  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
