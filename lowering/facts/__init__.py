"""Analysis of integer tensors: proves promises, and narrows coordinates."""
