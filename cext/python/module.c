/* The compiled module: what cffi makes of cext/include/gm.h, and two functions in Python's own C
 * interface, that of keys.h and one for assignments. A small matrix is solved in less time than
 * cffi and Python spend on the way to it. */
#include "keys.h"

#include "gm.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST_ENTRIES = 4096, /* of a matrix whose checks would take as long as its solution */
    FEW_ENTRIES = 1024,  /* up to which other threads wait: letting them in takes as long */
    SPARE_ROWS = 64      /* up to which arrays of labels are kept */
};
static const double LARGEST_EXACT = 0x1p52; /* of the sum of integers that stay as they are */

/* An array of labels, and its method that copies it: that takes less time than a new array. */
typedef struct labels {
    Py_buffer view;
    PyObject *copy;
} labels;

static _Atomic(labels *) spares[SPARE_ROWS + 1]; /* by the number of rows; NULL: in use, or none */
static PyObject *matrix_type, *result_type, *make_array, *later_names, *make_later;
static PyObject *name_labels, *name_value, *name_later, *name_sense, *text_max;
static PyObject *no_arguments;
static newfunc make_object; /* object.__new__ */
static double largest_total;

static void free_labels(labels *own)
{
    if (!own)
        return;
    Py_XDECREF(own->copy);
    if (own->view.obj)
        PyBuffer_Release(&own->view);
    PyMem_Free(own);
}

static labels *make_labels(int32_t n)
{
    labels *own = PyMem_Calloc(1, sizeof *own);
    PyObject *array = own ? PyObject_CallFunction(make_array, "i", (int)n) : NULL;
    const int is_made = array && PyObject_GetBuffer(array, &own->view, PyBUF_WRITABLE) == 0 &&
                        (own->copy = PyObject_GetAttrString(array, "copy")) != NULL;
    Py_XDECREF(array);
    if (!is_made) {
        free_labels(own);
        own = NULL;
    }
    return own;
}

static labels *take_labels(int32_t n)
{
    labels *own = n <= SPARE_ROWS ? atomic_exchange(&spares[n], NULL) : NULL;
    return own ? own : make_labels(n);
}

static void give_back(labels *own, int32_t n)
{
    free_labels(n <= SPARE_ROWS ? atomic_exchange(&spares[n], own) : own);
}

#define READ_ALL(type)                                                                             \
    for (Py_ssize_t i = 0; i < n1; i++)                                                            \
        for (Py_ssize_t j = 0; j < n2; j++) {                                                      \
            type entry;                                                                            \
            memcpy(&entry, first + i * down + j * across, sizeof entry);                           \
            *out++ = (double)entry;                                                                \
        }                                                                                          \
    return 1

/* Writes the entries row by row; returns 0 if they are not numbers of C. */
static int read_entries(const Py_buffer *view, double *out)
{
    const char *first = view->buf;
    const Py_ssize_t n1 = view->shape[0], n2 = view->shape[1];
    const Py_ssize_t down = view->strides[0], across = view->strides[1];
    switch (view->format[0]) {
    case 'b': READ_ALL(signed char);
    case '?':
    case 'B': READ_ALL(unsigned char);
    case 'h': READ_ALL(short);
    case 'H': READ_ALL(unsigned short);
    case 'i': READ_ALL(int);
    case 'I': READ_ALL(unsigned);
    case 'l': READ_ALL(long);
    case 'L': READ_ALL(unsigned long);
    case 'q': READ_ALL(long long);
    case 'Q': READ_ALL(unsigned long long);
    case 'f': READ_ALL(float);
    case 'd': READ_ALL(double);
    default: return 0;
    }
}

/* Whether the doubles lie row by row, so that they need not be copied. */
static int is_plain(const Py_buffer *view)
{
    return view->format[0] == 'd' && view->strides[1] == (Py_ssize_t)sizeof(double) &&
           view->strides[0] == view->shape[1] * (Py_ssize_t)sizeof(double) &&
           (uintptr_t)view->buf % _Alignof(double) == 0;
}

/* gm_assign_matrix, meanwhile with other threads if it takes long. */
static double solve(const Py_buffer *view, const double *entries, int is_maximised, double largest,
                    int32_t *chosen)
{
    const gm_assign_order order = {is_maximised ? -1.0 : 1.0, INFINITY, largest, NULL};
    const int32_t n1 = (int32_t)view->shape[0], n2 = (int32_t)view->shape[1];
    if (n1 * n2 <= FEW_ENTRIES)
        return gm_assign_matrix(n1, n2, entries, &order, chosen);
    double cost;
    Py_BEGIN_ALLOW_THREADS;
    cost = gm_assign_matrix(n1, n2, entries, &order, chosen);
    Py_END_ALLOW_THREADS;
    return cost;
}

/* As solve; NaN also for entries that are not numbers of C. */
static double solve_entries(const Py_buffer *view, int is_maximised, int32_t *chosen)
{
    if (!view->format || view->format[0] == 0 || view->format[1] != 0)
        return NAN;
    if (is_plain(view))
        return solve(view, view->buf, is_maximised, largest_total, chosen);
    const size_t n = (size_t)view->shape[0] * (size_t)view->shape[1];
    double *entries = PyMem_Malloc(sizeof *entries * n), cost = NAN;
    const double largest = view->format[0] == 'd' ? largest_total : LARGEST_EXACT;
    if (entries && read_entries(view, entries))
        cost = solve(view, entries, is_maximised, largest, chosen);
    PyMem_Free(entries);
    return cost;
}

static int is_small(const Py_buffer *view)
{
    return view->ndim == 2 && view->shape[0] > 0 && view->shape[1] > 0 &&
           view->shape[0] <= MOST_ENTRIES / view->shape[1];
}

/* The Result of labels and their cost: only what everyone reads is set, see
 * gmtoolbox/assignment.py. It takes the array. */
static PyObject *make_result(PyObject *array, double cost, int is_maximised, const Py_buffer *view,
                             double seconds)
{
    PyObject *value = PyFloat_FromDouble(is_maximised ? 0.0 - cost : cost);
    PyObject *n1 = PyLong_FromSsize_t(view->shape[0]), *n2 = PyLong_FromSsize_t(view->shape[1]);
    PyObject *time = PyFloat_FromDouble(seconds);
    PyObject *given = value && n1 && n2 && time ? PyTuple_Pack(4, value, n1, n2, time) : NULL;
    PyObject *later = given ? PyTuple_Pack(3, later_names, make_later, given) : NULL;
    PyObject *result = make_object((PyTypeObject *)result_type, no_arguments, NULL);
    const int is_made = array && result && later &&
                        PyObject_SetAttr(result, name_labels, array) == 0 &&
                        PyObject_SetAttr(result, name_value, value) == 0 &&
                        PyObject_SetAttr(result, name_later, later) == 0 &&
                        (!is_maximised || PyObject_SetAttr(result, name_sense, text_max) == 0);
    PyObject *const own[] = {array, value, n1, n2, time, given, later};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        Py_XDECREF(own[k]);
    if (!is_made)
        Py_CLEAR(result);
    return result;
}

static PyObject *assign_small(PyObject *module, PyObject *const *args, Py_ssize_t n_args)
{
    (void)module;
    const double start = gm_clock();
    Py_buffer view;
    if (n_args != 2 || (PyObject *)Py_TYPE(args[0]) != matrix_type ||
        (args[1] != Py_True && args[1] != Py_False))
        Py_RETURN_NONE;
    if (PyObject_GetBuffer(args[0], &view, PyBUF_RECORDS_RO) != 0) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    const int is_maximised = args[1] == Py_True;
    PyObject *result = NULL;
    if (is_small(&view)) {
        const int32_t n = (int32_t)view.shape[0];
        labels *own = take_labels(n);
        if (own) {
            const double cost = solve_entries(&view, is_maximised, own->view.buf);
            PyObject *array = isnan(cost) ? Py_NewRef(Py_None) : PyObject_CallNoArgs(own->copy);
            give_back(own, n);
            result = isnan(cost)
                         ? array
                         : make_result(array, cost, is_maximised, &view, gm_clock() - start);
        }
    } else {
        result = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *prepare_assign(PyObject *module, PyObject *args)
{
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOd", &matrix_type, &result_type, &make_array, &later_names,
                          &make_later, &largest_total))
        return NULL;
    Py_INCREF(args); /* for ever, with all that it holds */
    name_labels = PyUnicode_InternFromString("labels");
    name_value = PyUnicode_InternFromString("value");
    name_later = PyUnicode_InternFromString("later");
    name_sense = PyUnicode_InternFromString("sense");
    no_arguments = PyTuple_New(0);
    make_object = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    text_max = PyUnicode_InternFromString("max");
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"assign_small", (PyCFunction)(void (*)(void))assign_small, METH_FASTCALL,
     "Return the Result of a small plain matrix, or None: (matrix, maximize)."},
    {"prepare_assign", prepare_assign, METH_VARARGS,
     "Set the types and functions of assign_small, before its first call."},
    {"write_keys", (PyCFunction)(void (*)(void))gm_write_keys, METH_FASTCALL,
     "Write the keys of dicts, small integers, to an array: (dicts, array)."},
    {0},
};

PyObject *gm_cffi_module(void); /* the entry that cffi writes: see cext/build_cext.py */

PyMODINIT_FUNC PyInit__cext(void)
{
    PyObject *module = gm_cffi_module();
    if (module && PyModule_AddFunctions(module, methods) != 0)
        Py_CLEAR(module);
    return module;
}
