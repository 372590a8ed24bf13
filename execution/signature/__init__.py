"""What crosses a call: parameters, results, and expressions for their sizes."""
