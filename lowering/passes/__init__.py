"""What passes are made of: the registry, options, pipelines as text, and what is checked before."""
