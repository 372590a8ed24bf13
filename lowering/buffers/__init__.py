"""From tensors to memrefs."""
