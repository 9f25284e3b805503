"""Changes to an open HDF5 file that tests of its readers make."""


def bomb(file):
    """A dataset of 8 TB in a few bytes."""
    file.create_dataset(
        "E", shape=(10**6, 10**6), dtype="f8", chunks=(1000, 1000), compression="gzip"
    )


def put(name, data):
    """The change that replaces a dataset."""

    def change(file):
        del file[name]
        file[name] = data

    return change
