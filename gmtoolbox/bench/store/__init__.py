"""The rows of runs on disk: the database, its schema, locks, and which runs it has already."""
