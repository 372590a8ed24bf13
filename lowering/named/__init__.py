"""Named ops to gs.generic and back."""
