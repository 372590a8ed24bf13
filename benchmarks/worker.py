"""One process that runs workloads with one number of threads, and reports in JSON lines.

The number of threads is that of the CPUs it may use, which is what runtimes without another
setting go by; `run.py` starts it with the variables that the others read.
"""

import gc
import json
import os
import sys
import traceback
import warnings
from typing import Any


def main() -> int:
    task = json.loads(sys.argv[1])
    # Libraries print: the pipe is ours alone.
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    limit_cpus(task["threads"])

    def tell(event: dict[str, Any]) -> None:
        print(json.dumps(event), file=pipe, flush=True)

    warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta state")
    # What reads the number of CPUs when it is imported comes after they are set.
    import workload
    from catalogue import workloads
    from contest import run

    workload.begin = task["begin"]
    everything = workloads()
    for id in task["workloads"]:
        try:
            for event in run(
                everything[id], task["threads"], task["peers"], task["rounds"], task["quick"]
            ):
                tell(event)
        except Exception as error:
            traceback.print_exc()
            tell({"event": "failed", "id": id, "threads": task["threads"], "why": str(error)})
        gc.collect()
    return 0


def limit_cpus(count: int) -> None:
    """This process, and all threads that it starts, on the first `count` of its CPUs."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


if __name__ == "__main__":
    sys.exit(main())
