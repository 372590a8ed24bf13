"""Rewrites of ops that upstream's passes lower wrongly."""
