"""`gs-tune`, step by step."""
