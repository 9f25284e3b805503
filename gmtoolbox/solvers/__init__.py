"""The methods, one file per paper; files with a leading underscore hold parts of several."""
