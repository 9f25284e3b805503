"""Calls of the server's verbs without a process: files in, files out."""

from scipy.io import loadmat

from gmtoolbox.io.mat_files import save_variables
from gmtoolbox.wrappers.calls import VERBS


def ask_verb(folder, verb, arrays=None, structs=(), lines=None, **arguments):
    """The variables of the answer. structs are problem structs, lines collects printed reports."""
    stem = folder / "request"
    content = {"arguments": {"folder": str(folder), **arguments}, **(arrays or {})}
    save_variables(f"{stem}.in.mat", content)
    for k, struct in enumerate(structs, 1):
        save_variables(f"{stem}.problem{k}.mat", struct)
    out = folder / "request.out.mat"
    out.unlink(missing_ok=True)
    report = (lambda *reported: None) if lines is None else lambda *reported: lines.append(reported)
    VERBS[verb](str(stem), report)
    return loadmat(out, simplify_cells=True) if out.exists() else {}
