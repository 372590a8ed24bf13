"""Functions on arrays with names and meaning of NumPy's and JAX's.

Arrays of NumPy, torch and JAX go in, and results are arrays of that framework. Each function is one
`gs.generic` with dynamic sizes, compiled when it is first called with such ranks and elements.
"""
