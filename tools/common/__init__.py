"""What the tools share: command lines, inputs, exit codes, processes."""
