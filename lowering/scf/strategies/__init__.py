"""What may be done with a whole op: one file or two for each strategy."""
