"""Functions on memrefs as kernels: results in the caller's memory, errors, copies, allocations."""
