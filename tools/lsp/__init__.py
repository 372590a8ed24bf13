"""`gs-lsp`: what it knows of a file, and how it tells editors."""
