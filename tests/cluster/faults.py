"""What is done to a cluster: machines are killed, cut off and lost, as a seed draws."""

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.chaos.runs import runs_of
from tests.cluster.machines import Machine
from tests.cluster.system import Cluster

KINDS = (
    "balancer",
    "web",
    "mcp",
    "worker",
    "beat",
    "pgbouncer",
    "database",
    "replica",
    "broker",
    "store",
)
ACTS = ("kill", "cut", "lose")
# What a store of tests holds is gone with its process.
LEFT_OUT = {"kill store", "lose store"}
TAKEOVER_SECONDS = 30
RECOVERY_SECONDS = 180


def schedule(count: int, dice: random.Random) -> list[str]:
    """Draw so many faults; the first of them meet every kind of machine once."""
    drawn: list[str] = []
    rounds = 0
    while len(drawn) < count:
        acts = list(ACTS)
        dice.shuffle(acts)
        one = [
            f"{acts[(place + rounds) % len(acts)]} {kind}"
            for place, kind in enumerate(KINDS)
        ]
        one = [f"cut {kind.split()[1]}" if kind in LEFT_OUT else kind for kind in one]
        dice.shuffle(one)
        drawn += one
        rounds += 1
    return drawn[:count]


@dataclass
class Faults:
    """Does faults to a cluster, and measures how it gets over each."""

    cluster: Cluster
    dice: random.Random
    cut_seconds: tuple[float, float]
    done: Counter[str] = field(default_factory=Counter)
    recoveries: list[tuple[float, str]] = field(default_factory=list)
    takeovers: list[float] = field(default_factory=list)
    is_balancer_away: bool = False
    breaches: list[str] = field(default_factory=list)

    def do(self, fault: str) -> float:
        """Do one fault, undo it, and wait until a new run is verified.

        Returns:
            How long that took since it was undone, seconds.
        """
        act, kind = fault.split()
        machine = self._victim(kind)
        self.is_balancer_away = kind == "balancer"
        begins = self._beats_begun()
        machine.is_on = act == "kill"
        if act != "kill":
            machine.cut()
        if act != "cut":
            machine.kill()
        began = time.monotonic()
        if act != "kill":
            time.sleep(self.dice.uniform(*self.cut_seconds))
        if kind == "beat":
            self._wait_for_takeover(fault, begins, began)
        machine.mend()
        machine.is_on = True
        self.done[fault] += 1
        undone = time.monotonic()
        took = self._recovered(fault, undone)
        self.is_balancer_away = False
        return took

    def _victim(self, kind: str) -> Machine:
        machines = self.cluster.of(kind)
        if kind != "beat":
            return self.dice.choice(machines)
        return max(machines, key=lambda beat: self._beats_begun(beat)[-1:])

    def _beats_begun(self, *beats: Machine) -> list[str]:
        """Return when some beat became the active one, each time."""
        lines = [
            line
            for beat in beats or self.cluster.of("beat")
            for line in beat.services[0].log.read_text(errors="replace").splitlines()
            if '"beat.active"' in line
        ]
        return sorted(json.loads(line)["timestamp"] for line in lines)

    def _wait_for_takeover(self, fault: str, begins: list[str], began: float) -> None:
        while self._beats_begun() == begins:
            if time.monotonic() - began > 2 * TAKEOVER_SECONDS:
                break
            time.sleep(0.1)
        took = time.monotonic() - began
        self.takeovers.append(took)
        if took > TAKEOVER_SECONDS:
            self.breaches.append(f"{fault}: no other beat for {took:.0f} s")

    def _recovered(self, fault: str, since: float) -> float:
        """Send a run of another project until it has its verdict."""
        number = len(self.recoveries)
        (run,) = runs_of(number, 1, 1, first=number)
        path, is_in, is_verified = "/api/v1/interactions/", False, False
        body = json.dumps(run.as_native()).encode()
        while not is_verified:
            if time.monotonic() - since > RECOVERY_SECONDS:
                self.breaches.append(
                    f"{fault}: no verdict for {RECOVERY_SECONDS:.0f} s"
                )
                break
            if not is_in:
                status, _ = self.cluster.ask("POST", path, body=body)
                is_in = status in {200, 201, 202}
            else:
                status, _ = self.cluster.ask("GET", f"{path}{run.id}/verdict/")
                is_verified = status == 200
            time.sleep(0.1)
        took = time.monotonic() - since
        self.recoveries.append((took, fault))
        return took
