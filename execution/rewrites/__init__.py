"""Rewrites of lowered IR: allocations, errors, parts, results in the caller's memory."""
