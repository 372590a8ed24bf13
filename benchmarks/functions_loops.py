"""Loops written by hand for numba, of the workloads of functions.py."""

import numpy as np
from numba import njit, prange


@njit(cache=True)
def lookup(table, ids):
    out = np.empty(ids.shape, table.dtype)
    for k in range(ids.size):
        out[k] = table[ids[k]]
    return out


@njit(parallel=True, cache=True)
def lookup_parallel(table, ids):
    out = np.empty(ids.shape, table.dtype)
    for k in prange(ids.size):
        out[k] = table[ids[k]]
    return out


@njit(cache=True)
def rows(table, ids):
    out = np.empty((ids.size, table.shape[1]), table.dtype)
    for k in range(ids.size):
        for j in range(table.shape[1]):
            out[k, j] = table[ids[k], j]
    return out


@njit(parallel=True, cache=True)
def rows_parallel(table, ids):
    out = np.empty((ids.size, table.shape[1]), table.dtype)
    for k in prange(ids.size):
        for j in range(table.shape[1]):
            out[k, j] = table[ids[k], j]
    return out


@njit(cache=True)
def add_rows(data, ids, count):
    out = np.zeros((count, data.shape[1]), data.dtype)
    for k in range(ids.size):
        for j in range(data.shape[1]):
            out[ids[k], j] += data[k, j]
    return out


@njit(cache=True)
def gather_add(table, senders, receivers, count):
    out = np.zeros((count, table.shape[1]), table.dtype)
    for k in range(senders.size):
        for j in range(table.shape[1]):
            out[receivers[k], j] += table[senders[k], j]
    return out


@njit(cache=True)
def counts(ids, count):
    out = np.zeros(count, np.int64)
    for k in range(ids.size):
        out[ids[k]] += 1
    return out


@njit(cache=True)
def sums(ids, weights, count):
    out = np.zeros(count, np.float64)
    for k in range(ids.size):
        out[ids[k]] += weights[k]
    return out


@njit(cache=True)
def histogram(x, low, high, count):
    out = np.zeros(count, np.int64)
    scale = count / (high - low)
    for k in range(x.size):
        if low <= x[k] <= high:
            out[min(int((x[k] - low) * scale), count - 1)] += 1
    return out


@njit(cache=True)
def histogram_sums(x, weights, low, high, count):
    out = np.zeros(count, np.float64)
    scale = count / (high - low)
    for k in range(x.size):
        if low <= x[k] <= high:
            out[min(int((x[k] - low) * scale), count - 1)] += weights[k]
    return out


@njit(cache=True)
def histogram_2d(x, y, count):
    out = np.zeros((count, count))
    for k in range(x.size):
        if 0 <= x[k] <= 1 and 0 <= y[k] <= 1:
            i, j = min(int(x[k] * count), count - 1), min(int(y[k] * count), count - 1)
            out[i, j] += 1
    return out


@njit(cache=True)
def group(ids, count):
    starts = np.zeros(count + 1, np.int64)
    for k in range(ids.size):
        starts[ids[k] + 1] += 1
    for k in range(count):
        starts[k + 1] += starts[k]
    place = starts[:-1].copy()
    order = np.empty(ids.size, np.int64)
    for k in range(ids.size):
        order[place[ids[k]]] = k
        place[ids[k]] += 1
    return order, starts


@njit(cache=True)
def masked(x, mask):
    count = 0
    for k in range(mask.size):
        count += mask[k]
    out = np.empty(count, x.dtype)
    place = 0
    for k in range(mask.size):
        if mask[k]:
            out[place] = x[k]
            place += 1
    return out


@njit(cache=True)
def masked_rows(x, mask):
    count = 0
    for k in range(mask.size):
        count += mask[k]
    out = np.empty((count, x.shape[1]), x.dtype)
    place = 0
    for k in range(mask.size):
        if mask[k]:
            out[place] = x[k]
            place += 1
    return out


@njit(cache=True)
def mask_set(x, mask, value):
    out = x.copy()
    for k in range(mask.size):
        if mask[k]:
            out[k] = value
    return out


@njit(cache=True)
def flip(x):
    out = np.empty_like(x)
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = x[n - 1 - i, m - 1 - j]
    return out


@njit(parallel=True, cache=True)
def flip_parallel(x):
    out = np.empty_like(x)
    n, m = x.shape
    for i in prange(n):
        for j in range(m):
            out[i, j] = x[n - 1 - i, m - 1 - j]
    return out


@njit(cache=True)
def channels(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for c in range(3):
                out[i, j, c] = x[i, j, 2 - c]
    return out


@njit(parallel=True, cache=True)
def channels_parallel(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            for c in range(3):
                out[i, j, c] = x[i, j, 2 - c]
    return out


@njit(cache=True)
def pixels(image, y, x):
    out = np.empty(y.shape + image.shape[2:], image.dtype)
    for k in range(y.size):
        for c in range(image.shape[2]):
            out[k, c] = image[y[k], x[k], c]
    return out


@njit(parallel=True, cache=True)
def pixels_parallel(image, y, x):
    out = np.empty(y.shape + image.shape[2:], image.dtype)
    for k in prange(y.size):
        for c in range(image.shape[2]):
            out[k, c] = image[y[k], x[k], c]
    return out


@njit(cache=True)
def deposit(grid, y, x, values):
    out = grid.copy()
    for k in range(y.size):
        out[y[k], x[k]] += values[k]
    return out


@njit(cache=True)
def set_rows(x, ids, values):
    out = x.copy()
    for k in range(ids.size):
        for j in range(x.shape[1]):
            out[ids[k], j] = values[k, j]
    return out


@njit(cache=True)
def bags(table, ids, starts):
    out = np.zeros((starts.size - 1, table.shape[1]), table.dtype)
    for b in range(starts.size - 1):
        for k in range(starts[b], starts[b + 1]):
            for j in range(table.shape[1]):
                out[b, j] += table[ids[k], j]
    return out


@njit(parallel=True, cache=True)
def bags_parallel(table, ids, starts):
    out = np.zeros((starts.size - 1, table.shape[1]), table.dtype)
    for b in prange(starts.size - 1):
        for k in range(starts[b], starts[b + 1]):
            for j in range(table.shape[1]):
                out[b, j] += table[ids[k], j]
    return out


@njit(cache=True)
def along(x, ids):
    out = np.empty(ids.shape, x.dtype)
    for i in range(ids.shape[0]):
        for j in range(ids.shape[1]):
            out[i, j] = x[i, ids[i, j]]
    return out


@njit(cache=True)
def spmv(data, indices, indptr, x):
    out = np.empty(indptr.size - 1, x.dtype)
    for i in range(out.size):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        out[i] = total
    return out
