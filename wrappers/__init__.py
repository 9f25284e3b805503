"""The original MATLAB wrapper API for Python users."""
