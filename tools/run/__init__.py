"""What `gs-run` does."""
