"""Batches of numpy arrays or torch tensors with numbers of nodes that differ.

Tensors are handled by their own methods, so that torch is not imported.
"""

from numbers import Integral

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import as_array, check_exact


def is_tensor(array):
    """Return True if an array is a tensor of torch."""
    return hasattr(array, "detach") and hasattr(array, "new_zeros")


def as_numpy(name, array, needs_gradient=False):
    """Return a numpy array; refuse a tensor whose gradient would be lost."""
    if not is_tensor(array):
        return as_array(name, array)
    if needs_gradient and array.requires_grad:
        raise InputError(
            f"{name} must not require a gradient, which this function does not have: give"
            f" {name}.detach(), or see gmtoolbox.torch_layer"
        )
    return array.detach().cpu().numpy()


def like(given, array):
    """Return a numpy array in the type of the caller: a tensor if `given` is one."""
    return given.new_tensor(array) if is_tensor(given) else array


def zeros_like(given, shape):
    """Return zeros of this shape, of the kind and type of `given`."""
    return given.new_zeros(shape) if is_tensor(given) else np.zeros(shape, given.dtype)


def as_floats(given):
    """Return an array or tensor of floating point numbers, as it is if it has them."""
    if is_tensor(given):
        return given if given.is_floating_point() else given.double()
    return given if given.dtype.kind == "f" else given.astype(float)


def set_backend(backend):
    """Check the name of a backend, and change nothing: arrays are recognised by their type.

    Parameters
    ----------
    backend : "numpy" or "pytorch"
    """
    if backend not in ("numpy", "pytorch"):
        raise InputError(f"backend must be 'numpy' or 'pytorch', got {backend!r}")


def check_backend(backend, given):
    """Check that `backend` names the kind of array that is given."""
    own = "pytorch" if is_tensor(given) else "numpy"
    if backend not in (None, own):
        raise InputError(f"backend must be {own!r} or None for these arrays, got {backend!r}")


def as_batch(name, array, dimensions=2):
    """Return (array with a batch dimension, whether it had one)."""
    array = array if is_tensor(array) else as_array(name, array)
    if array.ndim not in (dimensions, dimensions + 1):
        raise InputError(
            f"{name} must have {dimensions} or {dimensions + 1} dimensions, got {array.ndim}"
        )
    if not is_tensor(array):
        check_exact(name, array)
    is_batched = array.ndim == dimensions + 1
    return (array if is_batched else array[None]), is_batched


def as_counts(name, counts, length, most):
    """Return the number of nodes of each element of a batch; None: `most` for all."""
    if counts is None:
        return [most] * length
    counts = as_numpy(name, counts)
    if counts.ndim == 0:
        counts = np.repeat(counts[None], length)
    if counts.shape != (length,) or not all(isinstance(n, Integral) for n in counts.tolist()):
        raise InputError(f"{name} must be {length} integers, one for each element of the batch")
    if counts.min() < 1 or counts.max() > most:
        raise InputError(f"{name} must be in 1..{most}, got {counts.tolist()}")
    return counts.tolist()


def unbatch(array, is_batched):
    """Return the array without the batch dimension that as_batch added."""
    return array if is_batched else array[0]
