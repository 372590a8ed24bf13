"""The algebra of gathers and scatters: the patterns of gs-canonicalize."""
