"""Loops and ops of upstream that read or write through coordinates, to `gs.generic`."""
