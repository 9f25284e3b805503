"""The command line, but for the benchmark's part of it: one module per kind of command."""
