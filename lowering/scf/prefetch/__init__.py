"""Prefetches: what is worth it, how far ahead, into which cache."""
