"""The objects that everything else uses: problems, results, errors."""
