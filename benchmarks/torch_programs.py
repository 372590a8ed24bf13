"""Programs of gathers and arithmetic between them, as models spell them in torch."""

from typing import Any


def bilinear(image: Any, y: Any, x: Any) -> Any:
    """The image between its pixels, at the places (y, x)."""
    top, left = y.floor(), x.floor()
    i = top.long().clamp(0, image.shape[0] - 2)
    j = left.long().clamp(0, image.shape[1] - 2)
    down, right = y - top, x - left
    upper = image[i, j] * (1 - right) + image[i, j + 1] * right
    lower = image[i + 1, j] * (1 - right) + image[i + 1, j + 1] * right
    return upper * (1 - down) + lower * down


def rotary(q: Any, cos: Any, sin: Any, place: Any) -> Any:
    """Queries turned by the angles of their places."""
    import torch

    c, s = cos[place].unsqueeze(1), sin[place].unsqueeze(1)
    half = q.shape[-1] // 2
    return q * c + torch.cat((-q[..., half:], q[..., :half]), -1) * s


def permuted(x: Any, weights: Any, order: Any) -> Any:
    """Rows in another order, weighted and put back."""
    back = order.argsort()
    return (x[order] * weights)[back]


def messages(table: Any, senders: Any, receivers: Any, weights: Any) -> Any:
    """Rows of the senders of edges, weighted and added up at the receivers."""
    sent = table[senders] * weights[:, None]
    return table.new_zeros(table.shape).index_add(0, receivers, sent)
