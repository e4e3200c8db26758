"""What a URL reaches whose name server means no good: run in a network of its own.

`unshare --user --map-root-user --net --mount python -m tests.egress.rebinding`: there
this program answers for every name, holds one public address and some inside, and
counts who connects to which. It sends by the doors that take other people's URLs, and
prints what each URL reached.
"""

import ipaddress
import json
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import django

PUBLIC, INSIDE, INSIDE_6 = "203.0.114.9", "10.11.12.13", "fd12::13"
HERE = "127.0.0.1"
PORTS = (80, 443)
A, AAAA, CNAME = 1, 28, 5
# What each name leads to: one answer after the other, the last one for ever. An answer
# is the addresses that are given at once.
NAMES: dict[str, list[list[str]]] = {
    "fine.test": [[PUBLIC]],
    "rebinds.test": [[PUBLIC], [INSIDE]],
    "rebinds-home.test": [[PUBLIC], [HERE]],
    "alternates.test": [[PUBLIC], [INSIDE], [PUBLIC], [INSIDE], [PUBLIC], [INSIDE]],
    "inside.test": [[INSIDE]],
    "inside6.test": [[INSIDE_6]],
    "home6.test": [["::1"]],
    "mapped.test": [[f"::ffff:{INSIDE}"]],
    "both.test": [[PUBLIC, INSIDE]],
    "both6.test": [[PUBLIC, INSIDE_6]],
    "metadata.test": [["169.254.169.254"]],
}
ALIASES = {"alias.test": "inside.test"}
# Hosts that name an address inside without a name server.
SPELT = (
    *(INSIDE, "0x0a0b0c0d", "0xa.0xb.0xc.0xd", "168496141", "012.013.014.015"),
    *("10.11.3085", "10.723981", f"[::ffff:{INSIDE}]", "[::ffff:a0b:c0d]"),
    *(f"[{INSIDE_6}]", f"[::{INSIDE}]", f"[64:ff9b::{INSIDE}]", "[2002:a0b:c0d::1]"),
    *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "[::1]", "[::]"),
    *("localhost", "localhost.", "LOCALHOST", "１０.１１.１２.１３", "10。11。12。13"),
    *(f"{INSIDE}.", "169.254.169.254", "[fe80::1%25lo]", f"fine.test@{INSIDE}"),
)


def main() -> None:
    """Send everywhere, and print who was reached by which URL."""
    _own_network()
    reached: Counter[str] = Counter()
    threading.Thread(target=_serve_names, daemon=True).start()
    for address in (PUBLIC, INSIDE, INSIDE_6, HERE, "::1", "169.254.169.254"):
        for port in PORTS:
            threading.Thread(
                target=_serve, args=(address, port, reached), daemon=True
            ).start()
    with _system_asks_here():
        django.setup()
        told = {}
        for door, send in _doors().items():
            for host in (*NAMES, *ALIASES, *(f"{one}." for one in NAMES), *SPELT):
                _asked.clear()
                reached.clear()
                send(host)
                told[f"{door} {host}"] = dict(reached)
    sys.stdout.write(json.dumps(told))


def _doors() -> dict[str, Callable[[str], object]]:
    from django.conf import settings

    from verifyhub.egress.policy import EgressPolicy
    from verifyhub.engine.llm.embeddings import EmbeddingModel
    from verifyhub.engine.llm.endpoint import ChatEndpoint
    from verifyhub.engine.llm.probe import probe
    from verifyhub.engine.ports import ModelError
    from verifyhub.events.adapters import exchange
    from verifyhub.events.formats.message import Outgoing

    assert not settings.WEBHOOK_ALLOW_PRIVATE

    def endpoint(host: str) -> ChatEndpoint:
        return ChatEndpoint(
            base_url=f"http://{host}/v1", model="none", deadline_seconds=5
        )

    def embed(host: str) -> None:
        model = EmbeddingModel(
            endpoint(host), policy=EgressPolicy(), pause=lambda _: None
        )
        with suppress(ModelError):
            model.embed(["x"])

    return {
        "webhook": lambda host: exchange(
            Outgoing(url=f"https://{host}/in", headers={}, body=b"{}")
        ),
        "model": lambda host: probe(endpoint(host), policy=EgressPolicy()),
        "embedding": embed,
    }


def _own_network() -> None:
    """Bring the loopback up, with all addresses on it."""
    links = [name for _, name in socket.if_nameindex()]
    if links != ["lo"]:
        raise SystemExit(f"only in a network of its own, not beside {links}")
    for words in (
        "link set lo up",
        f"addr add {PUBLIC}/32 dev lo",
        f"addr add {INSIDE}/32 dev lo",
        "addr add 169.254.169.254/32 dev lo",
        f"addr add {INSIDE_6}/128 dev lo nodad",
    ):
        subprocess.run(["ip", *words.split()], check=True)


@contextmanager
def _system_asks_here() -> Iterator[None]:
    """Have the system's resolver ask this program, in this process's mounts alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (
            ("resolv.conf", f"nameserver {HERE}\noptions timeout:1 attempts:1\n"),
            ("nsswitch.conf", "hosts: files dns\n"),
        ):
            Path(folder, name).write_text(text)
            subprocess.run(
                ["mount", "--bind", f"{folder}/{name}", f"/etc/{name}"], check=True
            )
        yield


_asked: Counter[tuple[str, int]] = Counter()


def _serve_names() -> None:
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((HERE, 53))
    while True:
        query, client = server.recvfrom(2048)
        server.sendto(_answer(query), client)


def _answer(query: bytes) -> bytes:
    labels, place = [], 12
    while size := query[place]:
        labels.append(query[place + 1 : place + 1 + size].decode())
        place += 1 + size
    (kind,) = struct.unpack("!H", query[place + 1 : place + 3])
    question, name = query[12 : place + 5], ".".join(labels).lower()
    records = []
    owner = b"\xc0\x0c"
    if name in ALIASES:
        target = b"".join(
            bytes([len(part)]) + part.encode() for part in ALIASES[name].split(".")
        )
        records.append((owner, CNAME, target + b"\0"))
        owner, name = target + b"\0", ALIASES[name]
    answers = NAMES.get(name, [[]])
    number = _asked[name, kind]
    _asked[name, kind] += 1
    for text in answers[min(number, len(answers) - 1)]:
        address = ipaddress.ip_address(text)
        if kind == (A if address.version == 4 else AAAA):
            records.append((owner, kind, address.packed))
    flags = 0x8180 if name in NAMES else 0x8183
    head = query[:2] + struct.pack("!HHHHH", flags, 1, len(records), 0, 0)
    # Nobody may keep an answer: the time to live is 0.
    body = b"".join(
        of + struct.pack("!HHIH", what, 1, 0, len(data)) + data
        for of, what, data in records
    )
    return head + question + body


def _serve(address: str, port: int, reached: Counter[str]) -> None:
    """Count connections; over HTTP everybody is sent on to the address inside."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.create_server((address, port), family=family)
    location = f"http://{INSIDE}/"
    while True:
        connection, _ = server.accept()
        reached[address] += 1
        with connection, suppress(OSError):
            if port == 80:
                connection.recv(65536)
                connection.sendall(
                    f"HTTP/1.1 307 Elsewhere\r\nLocation: {location}\r\n"
                    "Content-Length: 0\r\nConnection: close\r\n\r\n".encode()
                )


if __name__ == "__main__":
    main()
