"""What `gs-reduce` does."""
