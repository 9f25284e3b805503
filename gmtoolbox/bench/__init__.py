"""Benchmarks, in rooms: store, run, cluster, evaluate, site; here the commands."""
