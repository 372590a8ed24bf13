"""Fusion of producers and consumers with a `gs.generic`."""
