# Rows of a table.
def rows(table: f32[n, d], ids: i64[m]):
    y[i, c] = table[ids[i], c]
    return y

# A layer of a graph network: weighted messages along edges, added up where they arrive.
def messages(x: f32[n, d], weight: f32[e], source: i32[e], target: i32[e]):
    y = zeros(f32, n, d)
    y[target[k], c] += x[source[k], c] * weight[k]
    y[i, c] = maximum(y[i, c], 0) / d
    return y

# A sparse matrix times a vector.
def product(row: i64[e], column: i64[e], value: f64[e], x: f64[n], y: f64[m]):
    y[row[k]] += value[k] * x[column[k]]
    return y

# A bag of embeddings for each line of tokens: a gather that is added up without a temporary.
def bags(table: f32[n, d], tokens: i64[b, t], weight: f32[b, t]):
    y = zeros(f32, b, d)
    y[i, c] += table[tokens[i, j], c] * weight[i, j]
    return y

# The first and the last element of each row, without a border: numbers as places.
def frame(x: f64[n, m]):
    x[0, c] = 0
    x[-1, c] = 0
    return x

# Windows of a signal: a coordinate and a loop.
def windows(signal: i16[n], start: i64[k], window: i16[w]):
    y[i, j] = signal[start[i] + j] * window[j]
    return y

# A text through a table, through another one: coordinates of coordinates.
def letters(text: i64[n], first: i64[m], second: i8[k]):
    y[i] = second[first[text[i]]]
    return y
