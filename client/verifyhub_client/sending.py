"""The thread that sends answers in the background.

Hubs for threads and for asyncio use the same thread: a task of an event loop would not
run while the agent blocks the loop, and would end before the program does.
"""

import atexit
import json
import logging
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from verifyhub_client.delivery import Courier, Delivery
from verifyhub_client.masking import Masker, masked_run
from verifyhub_client.protocol import backoff
from verifyhub_client.settings import Background
from verifyhub_client.spool import Claimed, Spool
from verifyhub_client.stats import Counters, Stats
from verifyhub_client.steps import Send

log = logging.getLogger("verifyhub_client")
# How often an idle thread looks for batches of ended processes in the folder.
LOOK_SECONDS = 30.0
_all: "weakref.WeakSet[BackgroundSender]" = weakref.WeakSet()


@dataclass(slots=True)
class _InHand:
    """The batch that is being sent; `claimed` if it is a file of the folder."""

    lines: Sequence[bytes]
    claimed: Claimed | None = None


@dataclass(slots=True)
class _Waiting:
    """Answers in memory, oldest first; `due` is the time to send the first one."""

    lines: deque[bytes] = field(default_factory=deque)
    size: int = 0
    due: float = 0.0

    def take(self, answers: int, size: int) -> list[bytes]:
        """Remove and return a batch of at least one answer, if there is any."""
        batch: list[bytes] = []
        taken = 0
        while self.lines and len(batch) < answers:
            if batch and taken + len(self.lines[0]) > size:
                break
            batch.append(self.lines.popleft())
            taken += len(batch[-1])
        self.size -= taken
        return batch


class BackgroundSender:
    """Accepts answers without waiting, and sends them in batches from its own thread.

    Args:
        send: Sends one request; only called in the thread.
        settings: Settings and limits.
        owner: Hub and key; each has its own part of the folder.
        masker: Masks secrets before an answer is stored; None for no masking.

    Raises:
        ValueError: If the folder is invalid.
    """

    def __init__(
        self,
        send: Send,
        settings: Background,
        owner: str,
        *,
        masker: Masker | None = None,
    ) -> None:
        self._send, self._settings, self._masker = send, settings, masker
        self._courier = Courier(send, seconds=settings.request_seconds)
        self._spool = _spool(settings, owner)
        self._changed = threading.Condition()
        self._counters = Counters()
        self._waiting = _Waiting()
        self._hand: _InHand | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = self._is_urgent = False
        # The folder is read first, since an earlier process may have left batches.
        self._folder_is_empty = self._spool is None
        self._failures, self._not_before = 0, 0.0
        _all.add(self)
        if self._spool and self._spool.usage().files:
            self._start()

    def put(self, body: Mapping[str, Any]) -> bool:
        """Accept an answer, without waiting or raising; False if it is dropped."""
        self._counters.add(observed=1)
        try:
            if self._masker is not None:
                body = masked_run(body, self._masker)
            text = json.dumps(body, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            self._counters.add(f"no JSON: {type(error).__name__}", dropped=1)
            return False
        # No server accepts a lone surrogate.
        return self._put(text.encode(errors="replace"))

    def reject(self, error: Exception) -> None:
        """Count an answer that cannot be sent."""
        self._counters.add(f"no answer: {type(error).__name__}", observed=1, dropped=1)

    def flush(self, seconds: float) -> bool:
        """Wait until everything is sent; False if the time is over before."""
        end = time.monotonic() + seconds
        with self._changed:
            if not self._has_work():
                return True
            self._is_urgent = True
            if not self._start():
                return False
            self._changed.notify_all()
            while self._has_work() and (left := end - time.monotonic()) > 0:
                if self._not_before >= end:
                    # The next try would be too late.
                    break
                self._changed.wait(min(left, 0.5))
            self._is_urgent = False
            return not self._has_work()

    def close(self, seconds: float | None = None) -> bool:
        """Send waiting answers, store the rest in the folder, and end the thread.

        Args:
            seconds: The maximum wait; None for `exit_seconds` of the settings.
        """
        left = self._settings.exit_seconds if seconds is None else seconds
        done = self.flush(left)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            rest = self._waiting.take(len(self._waiting.lines), self._waiting.size)
            if self._hand and not self._hand.claimed:
                rest = [*self._hand.lines, *rest]
                self._hand = None
        if rest:
            self._leave(rest)
        return done

    def stats(self) -> Stats:
        """Return the current counters."""
        counted = self._counters.read()
        with self._changed:
            waiting = len(self._waiting.lines)
            if self._hand and not self._hand.claimed:
                waiting += len(self._hand.lines)
        if self._spool is None:
            return replace(counted, waiting=waiting)
        usage = self._spool.usage()
        return replace(
            counted,
            waiting=waiting,
            folder_answers=usage.answers,
            folder_files=usage.files,
            folder_bytes=usage.bytes,
        )

    def forget(self) -> None:
        """Reset in a forked child, since the parent sends the waiting answers."""
        if self._hand and self._hand.claimed:
            self._hand.claimed.release()
        # Threads that do not exist in the child may hold locks.
        self._changed, self._counters = threading.Condition(), Counters()
        self._waiting, self._hand, self._thread = _Waiting(), None, None
        self._is_urgent = False
        self._folder_is_empty = self._spool is None
        self._courier = Courier(self._send, seconds=self._settings.request_seconds)

    def _put(self, line: bytes) -> bool:
        settings, waiting = self._settings, self._waiting
        dropped = 0
        with self._changed:
            fits = len(line) <= settings.max_bytes and not self._is_closed
            while fits and (
                len(waiting.lines) >= settings.max_answers
                or waiting.size + len(line) > settings.max_bytes
            ):
                if settings.drop == "newest":
                    fits = False
                else:
                    waiting.size -= len(waiting.lines.popleft())
                    dropped += 1
            if fits:
                self._append(line)
        if dropped or not fits:
            why = "closed" if self._is_closed else "no room in memory"
            self._counters.add(why, dropped=dropped + (not fits))
        return fits

    def _append(self, line: bytes) -> None:
        waiting = self._waiting
        if not waiting.lines:
            waiting.due = time.monotonic() + self._settings.flush_seconds
        waiting.lines.append(line)
        waiting.size += len(line)
        # Wakes the thread for the first answer and for a full batch.
        if len(waiting.lines) == 1 or self._is_batch():
            self._start()
            self._changed.notify_all()

    def _start(self) -> bool:
        """Start the thread if it is not running; False if that is impossible."""
        if self._thread and self._thread.is_alive():
            return True
        if self._is_closed:
            return False
        thread = threading.Thread(
            target=self._work, name="verifyhub-client", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:
            # The interpreter is ending; `close` stores the waiting answers.
            return False
        self._thread = thread
        return True

    def _work(self) -> None:
        while not self._is_closed:
            try:
                self._wait_for_work()
                self._store()
                self._deliver()
            except Exception as error:  # noqa: BLE001 - the thread goes on
                # No error may reach the agent; the answers are sent again later.
                log.warning(
                    "Sending in the background failed: %s", type(error).__name__
                )
                self._put_off(Delivery(problem=type(error).__name__))
        with self._changed:
            if self._hand and self._hand.claimed:
                self._hand.claimed.release()
                self._hand = None

    def _wait_for_work(self) -> None:
        with self._changed:
            while not self._is_closed and (pause := self._pause()) > 0:
                was_woken = self._changed.wait(pause)
                if not was_woken and pause >= LOOK_SECONDS and self._spool:
                    self._folder_is_empty = False

    def _pause(self) -> float:
        """Return the seconds until there is work; 0 for now."""
        now, waiting = time.monotonic(), self._waiting
        times = [LOOK_SECONDS]
        if waiting.lines and (self._spool or not self._hand):
            is_due = self._is_urgent or self._is_batch()
            at = now if is_due else waiting.due
            # The folder can be written at any time, the server must not be in a pause.
            times.append((at if self._spool else max(at, self._not_before)) - now)
        if self._hand or not self._folder_is_empty:
            times.append(self._not_before - now)
        return max(0.0, min(times))

    def _is_batch(self) -> bool:
        waiting, settings = self._waiting, self._settings
        return (
            len(waiting.lines) >= settings.batch_answers
            or waiting.size >= settings.batch_bytes
        )

    def _is_due(self) -> bool:
        return bool(self._waiting.lines) and (
            self._is_urgent or self._is_batch() or self._waiting.due <= time.monotonic()
        )

    def _has_work(self) -> bool:
        return bool(self._waiting.lines or self._hand or not self._folder_is_empty)

    def _store(self) -> None:
        """Write due answers to the folder, or take a batch if there is no folder."""
        settings = self._settings
        while True:
            with self._changed:
                if not self._is_due() or (self._hand and not self._spool):
                    return
                batch = self._waiting.take(settings.batch_answers, settings.batch_bytes)
                # Not empty until the batch is stored and sent.
                if self._spool is None:
                    self._hand = _InHand(batch)
                    return
                self._folder_is_empty = False
            self._into(self._spool, batch)

    def _into(self, spool: Spool, batch: Sequence[bytes]) -> None:
        try:
            dropped = spool.put(batch)
        except OSError as error:
            self._counters.add(f"the folder: {error.strerror}", dropped=len(batch))
            return
        if dropped:
            self._counters.add("no room in the folder", dropped_from_folder=dropped)

    def _deliver(self) -> None:
        """Send batches until there is none or the server is unavailable."""
        while time.monotonic() >= self._not_before and not self._is_closed:
            with self._changed:
                hand = self._hand = self._hand or self._claimed()
                if hand is None:
                    self._folder_is_empty = True
                    self._changed.notify_all()
                    return
            done = self._courier.deliver(hand.lines)
            self._counters.add(done.problem, sent=done.sent, refused=done.refused)
            if done.settled < len(hand.lines):
                self._put_off(done)
            self._settle(hand, done.settled)

    def _claimed(self) -> _InHand | None:
        claimed = self._spool.claim() if self._spool else None
        return _InHand(claimed.lines(), claimed) if claimed else None

    def _settle(self, hand: _InHand, settled: int) -> None:
        with self._changed:
            if settled:
                self._failures = 0
            if settled < len(hand.lines):
                hand.lines = hand.lines[settled:]
                return
            if hand.claimed:
                hand.claimed.done()
            if self._hand is hand:
                self._hand = None
            self._changed.notify_all()

    def _put_off(self, done: Delivery) -> None:
        """Set the pause before the next try, by the failures and the server."""
        settings, longest = self._settings, self._settings.longest_pause_seconds
        self._failures += 1
        pause = backoff(self._failures, settings.first_pause_seconds, longest)
        if done.is_hopeless:
            pause = longest
        self._not_before = time.monotonic() + max(
            pause, min(done.pause_seconds, longest)
        )
        self._counters.add(done.problem, retries=1)

    def _leave(self, rest: Sequence[bytes]) -> None:
        """Store unsent answers for the next process, or count them as lost."""
        if self._spool is None:
            self._counters.add("not sent at the end", dropped=len(rest))
            log.warning("%d answers were not sent to VerifyHub.", len(rest))
        else:
            self._into(self._spool, rest)


def _spool(settings: Background, owner: str) -> Spool | None:
    if settings.folder is None:
        return None
    # The name reveals neither hub nor key.
    name = sha256(owner.encode()).hexdigest()[:32]
    return Spool(
        Path(settings.folder).expanduser() / name,
        max_bytes=settings.folder_bytes,
        max_files=settings.folder_files,
        drop=settings.drop,
    )


def _close_all() -> None:
    for sender in list(_all):
        with suppress(Exception):
            sender.close()


def _forget_all() -> None:
    for sender in list(_all):
        sender.forget()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
