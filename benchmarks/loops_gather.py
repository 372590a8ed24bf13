"""Loops written by hand for numba: gathers, and what reads only through coordinates.

Coordinates are cast to unsigned ones, which spares numba's check for negative ones.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


parallel: Decorator = _plain
serial: Decorator = _plain
try:
    from numba import njit, prange
except ImportError:
    prange = range
else:
    parallel = cast(Decorator, njit(parallel=True))
    serial = cast(Decorator, njit)


@parallel
def rows(table, ids, out):
    for i in prange(ids.shape[0]):
        row = np.uintp(ids[i])
        for j in range(table.shape[1]):
            out[i, j] = table[row, j]
    return out


@parallel
def elements(table, ids, out):
    for i in prange(ids.shape[0]):
        out[i] = table[np.uintp(ids[i])]
    return out


@parallel
def along_dim0(table, ids, out):
    for i in prange(ids.shape[0]):
        for j in range(ids.shape[1]):
            out[i, j] = table[np.uintp(ids[i, j]), j]
    return out


@parallel
def along_dim1(table, ids, out):
    for i in prange(ids.shape[0]):
        for j in range(ids.shape[1]):
            out[i, j] = table[i, np.uintp(ids[i, j])]
    return out


@parallel
def last_axis(table, ids, out):
    for i in prange(table.shape[0]):
        for j in range(ids.shape[0]):
            out[i, j] = table[i, np.uintp(ids[j])]
    return out


@parallel
def pairs(table, ids, out):
    for i in prange(ids.shape[0]):
        out[i] = table[np.uintp(ids[i, 0]), np.uintp(ids[i, 1])]
    return out


@parallel
def bags(table, ids, out):
    for b in prange(ids.shape[0]):
        out[b, :] = 0
        for k in range(ids.shape[1]):
            row = np.uintp(ids[b, k])
            for j in range(table.shape[1]):
                out[b, j] += table[row, j]
    return out


@parallel
def weighted_bags(table, ids, weights, out):
    for b in prange(ids.shape[0]):
        out[b, :] = 0
        for k in range(ids.shape[1]):
            row, weight = np.uintp(ids[b, k]), weights[b, k]
            for j in range(table.shape[1]):
                out[b, j] += weight * table[row, j]
    return out


@parallel
def mean_bags(table, ids, out):
    each = np.float32(ids.shape[1])
    for b in prange(ids.shape[0]):
        out[b, :] = 0
        for k in range(ids.shape[1]):
            row = np.uintp(ids[b, k])
            for j in range(table.shape[1]):
                out[b, j] += table[row, j]
        for j in range(table.shape[1]):
            out[b, j] /= each
    return out


@parallel
def max_bags(table, ids, out):
    for b in prange(ids.shape[0]):
        out[b, :] = -np.inf
        for k in range(ids.shape[1]):
            row = np.uintp(ids[b, k])
            for j in range(table.shape[1]):
                out[b, j] = max(out[b, j], table[row, j])
    return out


@parallel
def scores(keys, ids, query, out):
    for i in prange(ids.shape[0]):
        row, total = np.uintp(ids[i]), np.float32(0)
        for j in range(keys.shape[1]):
            total += keys[row, j] * query[j]
        out[i] = total
    return out


@parallel
def update_rows(dest, ids):
    half, one = np.float32(0.5), np.float32(1)
    for i in prange(ids.shape[0]):
        row = np.uintp(ids[i])
        for j in range(dest.shape[1]):
            dest[row, j] = min(dest[row, j] * half + half, one)
    return dest


@parallel
def sparse_times_vector(starts, columns, values, x, out):
    """CSR: the entries of row r are starts[r] to starts[r + 1]."""
    for r in prange(out.shape[0]):
        total = np.float32(0)
        for e in range(starts[r], starts[r + 1]):
            total += values[e] * x[np.uintp(columns[e])]
        out[r] = total
    return out


@parallel
def sparse_times_dense(starts, columns, weights, x, out):
    """CSR: the edges of receiver r are starts[r] to starts[r + 1]."""
    for r in prange(out.shape[0]):
        out[r, :] = 0
        for e in range(starts[r], starts[r + 1]):
            row, weight = np.uintp(columns[e]), weights[e]
            for j in range(x.shape[1]):
                out[r, j] += weight * x[row, j]
    return out


def pattern_gather(pattern: tuple[int, ...], delta: int) -> Callable[..., Any]:
    """A kernel for one pattern, which is a constant to the compiler."""
    length = len(pattern)

    @parallel
    def gather(source, out):
        for i in prange(out.shape[0]):
            for j in range(length):
                out[i, j] = source[i * delta + pattern[j]]
        return out

    return gather


def pattern_scatter(pattern: tuple[int, ...], delta: int) -> Callable[..., Any]:
    """Sequential, as writes of different i may meet."""
    length = len(pattern)

    @serial
    def scatter(updates, dest):
        for i in range(updates.shape[0]):
            for j in range(length):
                dest[i * delta + pattern[j]] = updates[i, j]
        return dest

    return scatter


@parallel
def lengths(points, start, end, out):
    for i in prange(start.shape[0]):
        a, b, total = np.uintp(start[i]), np.uintp(end[i]), np.float32(0)
        for d in range(points.shape[1]):
            way = points[b, d] - points[a, d]
            total += way * way
        out[i] = np.sqrt(total)
    return out


@parallel
def weighted_values(values, ids, weights, out):
    for b in prange(ids.shape[0]):
        out[b] = 0
        for p in range(ids.shape[1]):
            page = np.uintp(ids[b, p])
            for t in range(values.shape[1]):
                for h in range(values.shape[2]):
                    weight = weights[b, h, p, t]
                    for d in range(values.shape[3]):
                        out[b, h, d] += values[page, t, h, d] * weight
    return out
