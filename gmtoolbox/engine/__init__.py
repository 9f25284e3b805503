"""What solvers are run by: the registry, options, budgets, kernels and rounding."""
