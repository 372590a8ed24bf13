"""The process that transforms, compiles and runs for the server: a line of JSON each way."""

import json
import os
import sys
import traceback
from typing import Any

from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.isolation import die_with
from mlir_gs.tools.common.loading import load, split_load


def _serve(incoming: Any, outgoing: Any) -> None:
    def send(answer: dict[str, Any]) -> None:
        outgoing.write(json.dumps(answer).encode() + b"\n")
        outgoing.flush()

    try:
        load(split_load([])[1])
    except UsageError as error:
        send({"doing": "starting"})
        send({"error": str(error)})
        return
    from mlir_gs.tools.explore.requests import Requests

    requests = Requests(lambda what: send({"doing": what}))
    send({"doing": "starting"})
    for line in incoming:
        send(_answered(requests, json.loads(line)))


def _answered(requests: Any, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        return requests.answer(asked)
    except UsageError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "it needs more memory than there is (--memory-limit)"}
    except RecursionError:
        return {"error": "the input nests too deeply"}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"internal error: {type(error).__name__}: {error}"}


if __name__ == "__main__":
    if hasattr(os, "fork"):
        die_with(int(sys.argv[1]))
    # What compiled code or MLIR prints is no part of an answer.
    streams = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(*streams)
