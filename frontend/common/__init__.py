"""What the front ends share."""
