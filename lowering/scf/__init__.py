"""`gs.generic` on memrefs to loops."""
