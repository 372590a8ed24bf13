"""Loop nests, and what moves in them."""
