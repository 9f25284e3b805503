/* Keys of dicts that are small integers, as an array: the neighbours of a networkx graph. */
#include "keys.h"

#include <stdint.h>

#ifndef Py_GIL_DISABLED
/* Writes the keys of a dict from `at` on; returns how many entries of `out` are full then, -1 if a
 * key is no integer of 0 .. n_nodes - 1 or there is no room. */
static Py_ssize_t write_dict(PyObject *dict, Py_ssize_t n_nodes, int32_t *out, Py_ssize_t at,
                             Py_ssize_t size)
{
    PyObject *key;
    Py_ssize_t place = 0;
    if (!PyDict_CheckExact(dict))
        return -1;
    while (PyDict_Next(dict, &place, &key, NULL)) {
        const long node = PyLong_CheckExact(key) ? PyLong_AsLong(key) : -1;
        if (node < 0 || node >= n_nodes || at == size) {
            PyErr_Clear(); /* of integers beyond long */
            return -1;
        }
        out[at++] = (int32_t)node;
    }
    return at;
}
#endif

PyObject *gm_write_keys(PyObject *module, PyObject *const *args, Py_ssize_t n_args)
{
    (void)module;
    int is_written = 0;
#ifndef Py_GIL_DISABLED /* other threads may change a dict otherwise */
    Py_buffer view;
    if (n_args != 2 || !PyList_CheckExact(args[0]))
        return PyErr_Format(PyExc_TypeError, "write_keys takes a list of dicts and an array");
    if (PyObject_GetBuffer(args[1], &view, PyBUF_WRITABLE) != 0)
        return NULL;
    const Py_ssize_t n = PyList_Size(args[0]);
    const Py_ssize_t size = view.len / (Py_ssize_t)sizeof(int32_t);
    Py_ssize_t at = 0;
    for (Py_ssize_t k = 0; k < n && at >= 0; k++)
        at = write_dict(PyList_GetItem(args[0], k), n, view.buf, at, size);
    is_written = at == size;
    PyBuffer_Release(&view);
#else
    (void)args;
    (void)n_args;
#endif
    return PyBool_FromLong(is_written);
}
