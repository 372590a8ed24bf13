"""What `gs-opt` does."""
