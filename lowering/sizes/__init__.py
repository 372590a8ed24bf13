"""Constraints of ops on dynamic sizes, asserted by gs-check-sizes."""
