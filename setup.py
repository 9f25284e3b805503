"""Build the compiled module: parallel and incremental, one stable-ABI module where there is one."""

import hashlib
import json
import os
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

HAS_GIL = not sysconfig.get_config_var("Py_GIL_DISABLED")
OBJECTS = Path("build", "objects")  # kept between builds, also those of `pip install -e .`


class BuildChanged(build_ext):
    """A build_ext that compiles a C file only if it, a header of it or the command has changed."""

    def build_extensions(self):
        if self.compiler.compiler_type in ("unix", "mingw32"):
            self.compiler.compile = self.compile_changed
        super().build_extensions()

    def compile_changed(self, sources, output_dir=None, macros=None, include_dirs=None, debug=0,
                        extra_preargs=None, extra_postargs=None, depends=None):  # fmt: skip
        """Return the object files of all sources; the arguments are those of setuptools."""
        compiler = self.compiler
        _, _, extra, options, _ = compiler._setup_compile(
            output_dir, macros, include_dirs, [], depends, extra_postargs
        )
        arguments = compiler._get_cc_args(options, debug, extra_preargs)
        key = repr([compiler.compiler_so, arguments, extra, sys.version])
        folder = OBJECTS / hashlib.sha256(key.encode()).hexdigest()[:16]

        def compile_one(source):
            # _cext.c is generated in a new temporary folder: only its name is the same each time
            place = Path(source) if not os.path.isabs(source) else Path(source).name
            target = folder / Path(place).with_suffix(".o")
            if not is_current(target, source):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                rules = ["-MMD", "-MF", str(target.with_suffix(".d"))]
                compiler._compile(str(target), source, ".c", arguments, [*rules, *extra], options)
            return str(target)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_one, sources))
        # tests link them once more, with every function exported: tests/c_internals.py
        (OBJECTS / "newest.json").write_text(json.dumps([os.path.abspath(o) for o in objects]))
        return objects


def is_current(target, source):
    """Return True if the object file is newer than its source and every header it includes."""
    rules = target.with_suffix(".d")
    if not (target.exists() and rules.exists()):
        return False
    made = target.stat().st_mtime_ns
    needed = rules.read_text("utf-8").replace("\\\n", " ").split(":", 1)[1].split()
    return source in needed and all(
        os.path.exists(path) and os.stat(path).st_mtime_ns < made for path in needed
    )


options = {}
if HAS_GIL:  # the free-threaded Python has no stable ABI yet: one wheel per version there
    options["bdist_wheel"] = {"py_limited_api": "cp311"}
if sys.platform == "win32":  # Visual C++ does not know the vectors of gcc and clang
    options["build_ext"] = {"compiler": "mingw32"}

setup(
    cffi_modules=["cext/build_cext.py:ffibuilder"],
    cmdclass={"build_ext": BuildChanged},
    options=options,
)
