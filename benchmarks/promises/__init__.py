"""What this project promises, as ratios that `asv run` follows from version to version.

Ratios of times measured side by side, and shares of answers that are proven or best, depend little
on the machine; benchmarks/history keeps them. `asv run --quick HEAD^!` measures the newest commit,
`asv publish` and `asv preview` draw the curves. The full tables, beside more programs and on the
study's instances, are made by the scripts in the folder above.
"""
