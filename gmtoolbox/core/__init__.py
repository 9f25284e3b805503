"""What everything else is made of: problems, results, errors."""
