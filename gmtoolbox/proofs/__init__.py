"""The independent checker: value and bound of a result, computed again from labels and duals."""
