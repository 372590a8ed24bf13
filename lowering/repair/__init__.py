"""Forms that upstream's passes take wrongly, spelled so that they do not."""
