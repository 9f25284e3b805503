"""The independent checker: what a result claims, computed again from its labels and duals."""
