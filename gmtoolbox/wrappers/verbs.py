"""The register of what MATLAB can ask: one function for each verb.

A call is VERBS[verb](stem, tell). Arguments arrive in `stem`.in.mat: `arguments`, a struct of
scalars and texts (among them `folder`, MATLAB's current one), and arrays next to it. A problem is
the matrix K, or a path, or a whole problem struct saved as `stem`.problem1.mat. The answer goes to
`stem`.out.mat. While a call runs it may tell(kind, text): a "line" to be printed, an "event" for a
callback.
"""

import os
from functools import wraps

from gmtoolbox.io.structs import save_variables
from gmtoolbox.wrappers.arguments import read_request

VERBS = {}


def verb(function):
    """Register call(request, tell) -> dict of the variables of the answer, or None if there is
    nothing to answer.
    """

    @wraps(function)
    def call(stem, tell):
        request = read_request(stem)
        os.chdir(request["folder"])
        answer = function(request, tell)
        if answer is not None:
            save_variables(request["out"], answer, octave=request.get("octave", False))

    VERBS[function.__name__] = call
    return function
