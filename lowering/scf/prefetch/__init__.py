"""Prefetches: what pays, how far ahead, into which cache."""
