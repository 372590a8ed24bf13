"""`gs.generic` on tensors to linalg."""
