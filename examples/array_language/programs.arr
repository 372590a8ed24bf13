# The rows of a table.
def rows(table: f32[n, d], ids: i64[m]):
    return table[ids]

# A layer of a graph network: weighted messages along edges, added up where they arrive.
def messages(x: f32[n, d], weight: f32[e], source: i32[e], target: i32[e]):
    y = zeros(f32, n, d)
    y[target] += x[source] * weight[:, None]
    return maximum(y, 0) / d

# An image at points that lie between its pixels.
def bilinear(image: f32[h, w], y: i64[p], x: i64[p], dy: f32[p], dx: f32[p]):
    above = image[y, x] * (1 - dx) + image[y, x + 1] * dx
    below = image[y + 1, x] * (1 - dx) + image[y + 1, x + 1] * dx
    return above * (1 - dy) + below * dy

# Zeros around it, and every other column of what is inside upside down.
def frame(x: f64[n, m]):
    y = x
    y[0] = 0
    y[-1] = 0
    y[1:-1, ::2] = x[-2:0:-1, ::2]
    return y

# Sums by bin, of what was there and the products of two columns.
def sums(x: f32[n, 3], bin: i64[n], old: f32[k]):
    new = old
    new[bin] += x[:, 0] * x[:, -1]
    return new

# Windows of a signal: all that start at some places.
def windows(signal: i16[n], start: i64[k, 1], step: i64[w]):
    return signal[start + step]

# A substitution cipher, read backwards.
def letters(text: i64[n], table: i8[256]):
    return table[text][::-1]
