"""The Python behind python_call.m: lines {"function": "os.getcwd", "arguments": [...], "named":
{...}} in, lines out.

out TEXT      something was printed
value TEXT    what the function returned, as a text
error TEXT    it raised
"""

import contextlib
import importlib
import io
import json
import sys


class Printed(io.TextIOBase):
    """What is printed goes to Octave's window line by line, as in MATLAB."""

    begun = ""

    def write(self, text):
        *lines, self.begun = (self.begun + text).split("\n")
        for line in lines:
            print("out", line, file=sys.__stdout__, flush=True)
        return len(text)


for line in sys.stdin:
    request = json.loads(line)
    module, _, name = request["function"].rpartition(".")
    try:
        with contextlib.redirect_stdout(Printed()):
            value = getattr(importlib.import_module(module), name)(
                *request["arguments"], **request["named"]
            )
        print("value", value, flush=True)
    except Exception as error:
        print("error", f"Python Error: {type(error).__name__}: {error}", flush=True)
