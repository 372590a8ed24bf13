"""Documents that are generated from the sources, one file each."""
