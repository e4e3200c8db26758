"""Whose certificate counts, on a real handshake."""

import socket
import ssl
import threading
from contextlib import contextmanager
from ipaddress import ip_address

import httpcore2
import pytest

from tests.egress.certificates import a_certificate
from verifyhub.egress.client import GuardedBackend, http_client
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy

LOOPBACK = ip_address("127.0.0.1")
OK_REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def tls_server(folder):
    """A TLS server of `models.example`; gives its port and the names asked for."""
    path = a_certificate(folder, "models.example")
    names = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    context.sni_callback = lambda _sock, name, _context: names.append(name)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(plain, server_side=True) as connection:
                    connection.recv(65536)
                    connection.sendall(OK_REPLY)
            except OSError:
                plain.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield path, listener.getsockname()[1], names
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def over_tls(path, host, port):
    policy = EgressPolicy(allowed=frozenset({(host, port)}))
    backend = GuardedBackend(policy, Deadline(5), lambda *_: [LOOPBACK])
    url = f"https://{host}:{port}/"
    connection = httpcore2.HTTPConnection(
        origin=httpcore2.URL(url).origin,
        ssl_context=ssl.create_default_context(cafile=path),
        network_backend=backend,
    )
    with connection:
        reply = connection.handle_request(
            httpcore2.Request("GET", url, headers={"Host": host})
        )
        return reply.read()


def test_the_certificate_has_to_be_of_the_name_not_of_the_address(tmp_path):
    with tls_server(tmp_path) as (path, port, names):
        assert over_tls(path, "models.example", port) == b"ok"

    assert names == ["models.example"]


def test_a_certificate_of_another_name_ends_the_connection(tmp_path):
    with (
        tls_server(tmp_path) as (path, port, _),
        pytest.raises(EgressError) as caught,
    ):
        over_tls(path, "other.example", port)

    assert caught.value.reason == "unreachable"


def test_a_certificate_nobody_trusts_ends_the_connection(tmp_path):
    with tls_server(tmp_path) as (_, port, _names):
        policy = EgressPolicy(allowed=frozenset({("models.example", port)}))
        with (
            http_client(policy, Deadline(5), resolve=lambda *_: [LOOPBACK]) as client,
            pytest.raises(EgressError) as caught,
        ):
            client.get(f"https://models.example:{port}/")

    assert caught.value.reason == "unreachable"
