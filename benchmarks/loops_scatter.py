"""Loops written by hand for numba: scatters.

`owner`: each thread goes over all coordinates and keeps a list of those in its part of the
destination, found without branches, 512 at a time. `columns`: each thread has a part of the
columns. `private`: each thread adds into a table of its own.
"""

import numpy as np
from loops_gather import parallel, prange, serial

try:
    from numba import get_num_threads
except ImportError:

    def get_num_threads() -> int:
        return 1


BLOCK = 512


@parallel
def set_rows(updates, ids, dest):
    for i in prange(ids.shape[0]):
        row = np.uintp(ids[i])
        for j in range(updates.shape[1]):
            dest[row, j] = updates[i, j]
    return dest


@serial
def add_rows(updates, ids, dest):
    for i in range(ids.shape[0]):
        row = np.uintp(ids[i])
        for j in range(updates.shape[1]):
            dest[row, j] += updates[i, j]
    return dest


@serial
def matches(ids, start, lo, hi, found):
    """Positions from `start` on whose coordinate is in [lo, hi); how many."""
    count = 0
    for i in range(start, min(start + BLOCK, ids.shape[0])):
        found[count] = i
        count += int((ids[i] >= lo) & (ids[i] < hi))
    return count


@parallel
def add_rows_owner(updates, ids, dest):
    parts = get_num_threads()
    size = (dest.shape[0] + parts - 1) // parts
    for t in prange(parts):
        found = np.empty(BLOCK, np.int64)
        for start in range(0, ids.shape[0], BLOCK):
            for k in range(matches(ids, start, t * size, (t + 1) * size, found)):
                i = np.uintp(found[k])
                row = np.uintp(ids[i])
                for j in range(updates.shape[1]):
                    dest[row, j] += updates[i, j]
    return dest


@parallel
def add_rows_columns(updates, ids, dest):
    parts = get_num_threads()
    size = (dest.shape[1] + parts - 1) // parts
    for t in prange(parts):
        for i in range(ids.shape[0]):
            row = np.uintp(ids[i])
            for j in range(t * size, min((t + 1) * size, dest.shape[1])):
                dest[row, j] += updates[i, j]
    return dest


@parallel
def max_rows_owner(updates, ids, dest):
    parts = get_num_threads()
    size = (dest.shape[0] + parts - 1) // parts
    for t in prange(parts):
        found = np.empty(BLOCK, np.int64)
        for start in range(0, ids.shape[0], BLOCK):
            for k in range(matches(ids, start, t * size, (t + 1) * size, found)):
                i = np.uintp(found[k])
                row = np.uintp(ids[i])
                for j in range(updates.shape[1]):
                    new = updates[i, j]
                    old = dest[row, j]
                    dest[row, j] = new if new > old else old
    return dest


@parallel
def messages_owner(x, weights, senders, receivers, out):
    parts = get_num_threads()
    size = (out.shape[0] + parts - 1) // parts
    for t in prange(parts):
        found = np.empty(BLOCK, np.int64)
        out[t * size : (t + 1) * size, :] = 0
        for start in range(0, receivers.shape[0], BLOCK):
            for k in range(matches(receivers, start, t * size, (t + 1) * size, found)):
                e = np.uintp(found[k])
                row, source, weight = np.uintp(receivers[e]), np.uintp(senders[e]), weights[e]
                for j in range(x.shape[1]):
                    out[row, j] += weight * x[source, j]
    return out


@parallel
def count_private(ids, out):
    parts = get_num_threads()
    size = (ids.shape[0] + parts - 1) // parts
    counts = np.zeros((parts, out.shape[0]), np.int64)
    for t in prange(parts):
        own = counts[t]
        for i in range(t * size, min((t + 1) * size, ids.shape[0])):
            own[np.uintp(ids[i])] += 1
    out[:] = counts.sum(axis=0)
    return out


@serial
def add_elements(updates, ids, dest):
    for i in range(ids.shape[0]):
        dest[np.uintp(ids[i])] += updates[i]
    return dest


@parallel
def add_elements_private(updates, ids, dest):
    parts = get_num_threads()
    size = (ids.shape[0] + parts - 1) // parts
    sums = np.zeros((parts, dest.shape[0]), np.float32)
    for t in prange(parts):
        own = sums[t]
        for i in range(t * size, min((t + 1) * size, ids.shape[0])):
            own[np.uintp(ids[i])] += updates[i]
    for b in prange(dest.shape[0]):
        for t in range(parts):
            dest[b] += sums[t, b]
    return dest


@parallel
def segment_sums(updates, starts, out):
    for s in prange(out.shape[0]):
        out[s, :] = 0
        for i in range(starts[s], starts[s + 1]):
            for j in range(updates.shape[1]):
                out[s, j] += updates[i, j]
    return out


@parallel
def set_along_dim0(updates, ids, dest):
    """Rows in turn, each thread a part of the columns, in which coordinates do not repeat."""
    parts = get_num_threads()
    size = (ids.shape[1] + parts - 1) // parts
    for t in prange(parts):
        for i in range(ids.shape[0]):
            for j in range(t * size, min((t + 1) * size, ids.shape[1])):
                dest[np.uintp(ids[i, j]), j] = updates[i, j]
    return dest


@parallel
def set_along_dim1(updates, ids, dest):
    for i in prange(ids.shape[0]):
        for j in range(ids.shape[1]):
            dest[i, np.uintp(ids[i, j])] = updates[i, j]
    return dest
