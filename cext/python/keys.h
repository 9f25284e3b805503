/* Keys of dicts that are small integers, as an array. */
#ifndef GM_PYTHON_KEYS_H
#define GM_PYTHON_KEYS_H

#ifndef Py_GIL_DISABLED
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

/* (list of n dicts, array of 32-bit integers): writes their keys one dict after the other. Returns
 * True if all of them are plain integers of 0 .. n - 1 and fill the array. */
PyObject *gm_write_keys(PyObject *module, PyObject *const *args, Py_ssize_t n_args);

#endif
