"""Zachary's karate club: who joins whom, found by message passing along the friendships.

The club of 34 members split in two, around the instructor (member 0, "Mr. Hi") and an officer of
the club (member 33). Only these two sides are given. In each step every other member takes the mean
of what the friends believe: a gather, then a scatter that adds.
"""

import argparse
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
SIDES = ("Mr. Hi", "Officer")
LEADERS = (0, 33)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10, help="of message passing (%(default)s)")
    steps = parser.parse_args().steps
    edges, sides = load_graph()
    # A friendship carries messages in both directions.
    senders, receivers = np.concatenate([edges, edges[:, ::-1]]).astype(np.int32).T[:, :, None]
    step = compile((HERE / "message_passing.mlir").read_text("utf-8"))

    same = True
    friends = step(np.ones((len(sides), 1), np.float32), senders, receivers)
    belief = lead(np.zeros((len(sides), 2), np.float32))
    for _ in range(steps):
        received = step(belief, senders, receivers)
        expected = np.zeros_like(belief)
        np.add.at(expected, receivers[:, 0], belief[senders[:, 0]])
        same = same and np.array_equal(received, expected)
        belief = lead(received / friends)

    believed = belief.argmax(axis=1)
    print(f"edges    {len(edges)}, so {len(senders)} messages in each of {steps} steps")
    print(f"NumPy    {'equal' if same else 'DIFFERENT'}")
    print(f"sides    {(believed == sides).sum()} of {len(sides)} members found\n")
    print_table(edges, sides, belief)
    return 0 if same else 1


def load_graph() -> tuple[np.ndarray, np.ndarray]:
    """Friendships [78, 2], and the side that each member joined: [34], a position in SIDES."""
    if importlib.util.find_spec("networkx") is not None:
        import networkx

        graph = networkx.karate_club_graph()
        joined = [SIDES.index(graph.nodes[member]["club"]) for member in graph]
        return np.array(graph.edges), np.array(joined)
    print("left out: networkx is not installed; the graph is that of karate.json")
    data = json.loads((HERE / "karate.json").read_text("utf-8"))
    edges = np.array(data["edges"])
    joined = np.zeros(edges.max() + 1, np.int64)
    joined[data["officer"]] = 1
    return edges, joined


def lead(belief: np.ndarray) -> np.ndarray:
    """The leaders do not change sides."""
    belief[LEADERS, :] = np.eye(2)
    return belief


def print_table(edges: np.ndarray, sides: np.ndarray, belief: np.ndarray) -> None:
    """Members in the order of belief, with the matrix of friendships in that order."""
    friendly = np.zeros((len(sides), len(sides)), bool)
    friendly[edges[:, 0], edges[:, 1]] = friendly[edges[:, 1], edges[:, 0]] = True
    share = belief[:, 1] / np.maximum(belief.sum(axis=1), np.finfo(np.float32).tiny)
    order = np.argsort(share, kind="stable")
    print("member  joined   believed  friends, in the same order")
    for member in order:
        row = " ".join("#" if friend else "." for friend in friendly[member, order])
        joined, wrong = SIDES[sides[member]], belief[member].argmax() != sides[member]
        print(f"{member:6}  {joined:8}  {share[member]:6.2f}{'*' if wrong else ' '}  {row}")
    print("believed: the weight of the officer's side; * is not the side that was joined")


if __name__ == "__main__":
    sys.exit(until_closed(main))
