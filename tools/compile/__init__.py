"""What `gs-compile` does."""
