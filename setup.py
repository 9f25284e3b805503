from setuptools import setup

setup(
    cffi_modules=["cext/build_cext.py:ffibuilder"],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
