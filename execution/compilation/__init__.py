"""From IR to machine code in this process."""
