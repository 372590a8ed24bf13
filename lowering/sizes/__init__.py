"""What ops ask of dynamic sizes, asserted by gs-check-sizes."""
