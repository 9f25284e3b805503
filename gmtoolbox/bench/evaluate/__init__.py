"""From runs to tables, profiles, gaps, comparisons and verdicts."""
