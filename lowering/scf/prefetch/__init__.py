"""Prefetches: what is worth asking for, how far ahead, into which cache."""
