"""Benchmarks: plan, runner, store, evaluation, tables, report."""
