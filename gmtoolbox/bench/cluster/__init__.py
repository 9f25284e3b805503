"""Runs on SLURM and Dask."""
