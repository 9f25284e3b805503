import sys

from setuptools import setup

options = {"bdist_wheel": {"py_limited_api": "cp310"}}
if sys.platform == "win32":  # Visual C++ does not know the vectors of gcc and clang
    options["build_ext"] = {"compiler": "mingw32"}

setup(cffi_modules=["cext/build_cext.py:ffibuilder"], options=options)
