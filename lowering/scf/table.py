"""The strategies of `convert-gs-to-scf`: what it may do beyond plain loops, from the outermost in.

Each is left out where the target's fact `disable` names it. Results do not change.
"""

STRATEGIES = {
    "overwritten": "points whose element a later point sets again do not run",
    "strips": "columns with coordinates of their own run in strips that a cache holds",
    "buckets": "points are sorted by the part of the output that they reach",
    "slice-sums": "rows of adjacent slices are reduced from a buffer",
    "private": "threads reduce into private copies of a small output",
    "records": "threads list what their points read, then run the list",
    "owned": "threads own parts of the output and run the points that reach them",
    "halo": "threads own parts of an output along which windows move",
    "segment-sums": "short segments of sorted coordinates are reduced from a buffer",
    "gathers": "hardware gathers load elements at coordinates",
    "masked-reads": "elements that may be out of bounds are read without a branch",
    "words": "elements that only move are packed into words",
    "narrow-rows": "rows of less than a vector have loops of their own",
    "streaming": "non-temporal stores",
    "prefetch": "software prefetches",
}
"""Name and meaning of each."""
