"""Machines as network namespaces: each has an address on a bridge, and may be cut off.

A cut is a cable that is pulled out behind the switch: links stay up, addresses are
known, and whatever is sent either way is dropped without a word.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.chaos.faults import children, kill

START_SECONDS = 120.0
MOST_MACHINES = 40


class ClusterError(Exception):
    """A machine cannot be made, or what runs on it does not start."""


@dataclass
class Machine:
    """One namespace, and the services that run in it."""

    name: str
    namespace: str
    link: str
    """Its end of the cable at the bridge."""
    bridge: str
    address: str
    services: list["Service"] = field(default_factory=list)
    is_on: bool = True

    def cut(self) -> None:
        _ip("link", "set", self.link, "nomaster")

    def mend(self) -> None:
        _ip("link", "set", self.link, "master", self.bridge)

    def kill(self) -> None:
        """End all that runs there, without a chance to say goodbye."""
        for service in self.services:
            service.kill()

    def within(self, uid: int | None = None, gid: int | None = None) -> list[str]:
        """Return what to put before a command so that it runs there."""
        whose = [] if uid is None else ["--setuid", f"{uid}", "--setgid", f"{gid}"]
        return ["nsenter", f"--net=/run/netns/{self.namespace}", *whose, "--"]


@dataclass
class Service:
    """One program on a machine, started again when it ends, as systemd does."""

    machine: Machine
    name: str
    command: Sequence[str]
    folder: Path
    answers: Callable[[], bool]
    settings: Mapping[str, str] = field(default_factory=dict)
    account: tuple[int, int] | None = None
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    """How often it ended without being killed."""

    def __post_init__(self) -> None:
        self.machine.services.append(self)

    @property
    def log(self) -> Path:
        return self.folder.parent / f"{self.name}.log"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.machine.within(*self.account or ()), *self.command],
                cwd=self.folder,
                env=dict(self.settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until it answers.

        Raises:
            ClusterError: If it does not.
        """
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > until:
                raise ClusterError(f"{self.name} does not start:\n{self.said()}")
            time.sleep(0.2)

    def kill(self) -> None:
        if self.process is None:
            return
        with suppress(psutil.Error):
            main = psutil.Process(self.process.pid)
            kill([main, *children(main)])
        self.process.wait()
        self.process = None

    def keep(self) -> None:
        """Start it (again) where it has ended and its machine is on."""
        if not self.machine.is_on:
            return
        if self.process is not None:
            if self.process.poll() is None:
                return
            self.deaths += 1
        self.start()

    def said(self) -> str:
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""


class Switch:
    """A bridge of this machine, to which namespaces are made and connected."""

    def __init__(self, number: int) -> None:
        self.number, self.bridge = number, f"vh{number}"
        self.machines: dict[str, Machine] = {}

    @property
    def own_address(self) -> str:
        """The clients', who are on this machine itself."""
        return self._address(1)

    @property
    def network(self) -> str:
        return f"10.87.{self.number}.0/24"

    def machine(self, name: str) -> Machine:
        """Add a machine."""
        place = len(self.machines) + 2
        namespace, link = f"{self.bridge}-{name}", f"{self.bridge}-{place}"
        made = Machine(name, namespace, link, self.bridge, self._address(place))
        self.machines[name] = made
        _ip("netns", "add", namespace)
        _ip("link", "add", link, "type", "veth", "peer", "eth0", "netns", namespace)
        _ip("-n", namespace, "link", "set", "lo", "up")
        _ip("-n", namespace, "link", "set", "eth0", "address", _hardware(place), "up")
        own = f"{made.address}/24"
        _ip("-n", namespace, "address", "add", own, "dev", "eth0")
        _ip("link", "set", link, "master", self.bridge, "up")
        # Who is cut off stays known: else the own kernel would say at once that nobody
        # is there, which a router between machines does not.
        for other in range(1, MOST_MACHINES):
            if other != place:
                self._know(other, "eth0", "-n", namespace)
        self._know(place, self.bridge)
        return made

    def _know(self, place: int, device: str, *where: str) -> None:
        who = [self._address(place), "lladdr", _hardware(place), "nud", "permanent"]
        _ip(*where, "neighbour", "replace", *who, "dev", device)

    def _address(self, place: int) -> str:
        return f"10.87.{self.number}.{place}"

    @contextmanager
    def running(self) -> Iterator["Switch"]:
        """Have the bridge, and at the end nothing of it and of its machines."""
        _ip("link", "add", self.bridge, "address", _hardware(1), "type", "bridge")
        try:
            _ip("address", "add", f"{self.own_address}/24", "dev", self.bridge)
            _ip("link", "set", self.bridge, "up")
            yield self
        finally:
            for machine in self.machines.values():
                machine.kill()
                _empty(machine.namespace)
                # The namespace alone would take it along, but later.
                _ip("link", "delete", machine.link, check=False)
                _ip("netns", "delete", machine.namespace, check=False)
            _ip("link", "delete", self.bridge, check=False)


@contextmanager
def a_switch() -> Iterator[Switch]:
    """Have one of a number that is free.

    Raises:
        ClusterError: Where namespaces cannot be made.
    """
    taken = {one.name.partition("-")[0] for one in Path("/sys/class/net").iterdir()}
    number = next(n for n in range(10, 250) if f"vh{n}" not in taken)
    with Switch(number).running() as switch:
        yield switch


def why_not() -> str:
    """Return why there can be no namespaces here; empty where there can."""
    if os.geteuid() != 0:
        return "namespaces need root"
    name = f"vh-{os.getpid()}"
    try:
        _ip("netns", "add", name)
        _ip("link", "add", name, "type", "bridge")
    except (ClusterError, OSError) as error:
        return str(error)
    finally:
        with suppress(OSError):
            _ip("link", "delete", name, check=False)
            _ip("netns", "delete", name, check=False)
    return ""


def _hardware(place: int) -> str:
    return f"02:00:00:00:00:{place:02x}"


def _empty(namespace: str) -> None:
    """End what was left there: programs that made themselves daemons."""
    listed = subprocess.run(
        ["ip", "netns", "pids", namespace], capture_output=True, text=True, check=False
    )
    for pid in listed.stdout.split():
        with suppress(psutil.Error):
            kill([psutil.Process(int(pid))])


def _ip(*words: str, check: bool = True) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise ClusterError(f"ip {' '.join(words)}: {done.stderr.strip()}")
