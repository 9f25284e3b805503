"""The report: pages of HTML with their style and script."""
