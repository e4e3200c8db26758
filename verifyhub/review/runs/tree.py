"""The tree of a session: tasks, their subtasks, and the attempts at each.

A subtask may arrive before its task, whose answer uses it; a missing parent is shown in
the tree as expected.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

# Deeper subtasks are shown at this level, since chains have no limit.
MAX_DEPTH = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRow:
    """One interaction with the fields that the tree needs; `task` compares tasks."""

    id: UUID
    client_id: str | None
    parent: str
    task: str
    created_at: datetime


@dataclass(slots=True)
class TaskNode:
    """A task with its attempts in order; without any, it has not arrived.

    `depth` is 0 for a task without a parent, 1 for its subtasks.
    """

    name: str = ""
    attempts: list[TreeRow] = field(default_factory=list)
    children: list["TaskNode"] = field(default_factory=list)
    depth: int = 0

    @property
    def is_expected(self) -> bool:
        """Whether it is the parent of others but has not arrived."""
        return not self.attempts


def build_tree(rows: Iterable[TreeRow]) -> list[TaskNode]:
    """Arrange a session's interactions.

    Args:
        rows: All interactions, oldest first.

    Returns:
        Every task in reading order: top-level tasks newest first, each followed by its
        subtasks in the order of arrival.
    """
    ordered = list(rows)
    # A parent is a client id or a UUID; the client id takes precedence.
    by_name = {str(row.id): row for row in ordered}
    by_name |= {row.client_id: row for row in ordered if row.client_id}
    nodes = _attempts_together(ordered, by_name)
    roots: list[TaskNode] = []
    expected: dict[str, TaskNode] = {}
    uppers: dict[int, TaskNode] = {}
    # Each node once, in order, since attempts at one task share it.
    for own in {id(node): node for node in nodes.values()}.values():
        upper = _upper(own, by_name, nodes, expected)
        if upper is None or _is_below(own, upper, uppers):
            roots.append(own)
            continue
        uppers[id(own)] = upper
        upper.children.append(own)
    waiting = [node for node in expected.values() if node.children]
    return _in_reading_order(sorted([*roots, *waiting], key=_newest, reverse=True))


def _attempts_together(
    rows: Sequence[TreeRow], by_name: dict[str, TreeRow]
) -> dict[UUID, TaskNode]:
    """Assign each interaction to the node of its task; later ones are attempts."""
    nodes: dict[UUID, TaskNode] = {}
    for row in rows:
        path = [row]
        seen = {row.id}
        while path[-1].id not in nodes:
            earlier = by_name.get(path[-1].parent)
            if earlier is None or earlier.task != row.task or earlier.id in seen:
                nodes[path[-1].id] = TaskNode(name=path[-1].client_id or "")
                break
            seen.add(earlier.id)
            path.append(earlier)
        node = nodes[path[-1].id]
        for step in path:
            nodes[step.id] = node
    for row in rows:
        nodes[row.id].attempts.append(row)
    return nodes


def _upper(
    node: TaskNode,
    by_name: dict[str, TreeRow],
    nodes: dict[UUID, TaskNode],
    expected: dict[str, TaskNode],
) -> TaskNode | None:
    """Return the parent of a node: the one that its attempts name outside of it."""
    for row in node.attempts:
        if not row.parent:
            continue
        named = by_name.get(row.parent)
        if named is None:
            return expected.setdefault(row.parent, TaskNode(name=row.parent))
        if nodes[named.id] is not node:
            return nodes[named.id]
    return None


def _is_below(node: TaskNode, upper: TaskNode, uppers: dict[int, TaskNode]) -> bool:
    """Whether `upper` is already below `node`, since parents may form cycles."""
    current: TaskNode | None = upper
    while current is not None:
        if current is node:
            return True
        current = uppers.get(id(current))
    return False


def _newest(node: TaskNode) -> datetime:
    latest: datetime | None = None
    pending = [node]
    while pending:
        current = pending.pop()
        pending += current.children
        for row in current.attempts[-1:]:
            latest = row.created_at if latest is None else max(latest, row.created_at)
    if latest is None:
        raise ValueError("a node without attempts has children")
    return latest


def _in_reading_order(roots: Sequence[TaskNode]) -> list[TaskNode]:
    ordered: list[TaskNode] = []
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        ordered.append(node)
        for child in node.children:
            child.depth = min(node.depth + 1, MAX_DEPTH)
        pending += reversed(node.children)
    return ordered
