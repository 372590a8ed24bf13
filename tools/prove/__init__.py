"""What `gs-prove` does."""
