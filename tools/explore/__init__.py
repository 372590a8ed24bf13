"""`gs-explore`: IR, passes and runs as a page in the browser."""
