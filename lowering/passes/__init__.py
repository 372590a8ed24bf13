"""The registry of passes and pipelines: options, texts of pipelines, notes, limits of inputs."""
