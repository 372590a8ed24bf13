"""`gs` inside other frameworks: `integrations.torch` and `integrations.jax`.

Each is imported by name, since it needs the package that it is named after.
"""
