"""Producers that join the loops of the `gs.generic` that reads them."""
