"""The machinery that runs solvers: registry, options, budgets, kernels and rounding."""
