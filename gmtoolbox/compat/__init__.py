"""The calls of other libraries, answered by the solvers of this package: see docs/migration.md."""
