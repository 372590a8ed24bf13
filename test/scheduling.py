"""How pytest-xdist gives files to its processes: a test in which one died failed, and runs once."""

from typing import Any

from xdist.scheduler import LoadFileScheduling


class OnceScheduling(LoadFileScheduling):
    """As `--dist loadfile`. That gives a test in which a process died to the next process, and
    files that are done as well: one that gets such a file first waits for ever."""

    def remove_node(self, node: Any) -> str | None:
        """The test that a process leaves behind, if it died in one."""
        work = self.assigned_work[node]
        left = [test for tests in work.values() for test, done in tests.items() if not done]
        if left:
            work[self._split_scope(left[0])][left[0]] = True
        for scope in [scope for scope, tests in work.items() if all(tests.values())]:
            del work[scope]
        super().remove_node(node)
        return left[0] if left else None

    def _reschedule(self, node: Any) -> None:
        # Another process than the one that is ready may be a new one as well.
        if node in self.registered_collections:
            super()._reschedule(node)
