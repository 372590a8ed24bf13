"""Promises and coordinates that are checked when the code runs."""
