"""A mail server that keeps what it takes: SMTP as RFC 5321 has it, no more."""

import socketserver
import threading
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Self


class MailServer:
    """Listens on a free port; `refuses` makes it answer 451 to every letter."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.refuses = False
        mailbox = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self._say("220 tests")
                while line := self.rfile.readline():
                    verb = line[:4].upper().strip()
                    if verb == b"QUIT":
                        self._say("221 bye")
                        return
                    if verb == b"MAIL" and mailbox.refuses:
                        self._say("451 not now")
                    elif verb == b"DATA":
                        self._take()
                    else:
                        self._say("250 ok")

            def _take(self) -> None:
                self._say("354 go on")
                lines = []
                while (line := self.rfile.readline()) != b".\r\n":
                    lines.append(line.removeprefix(b"."))
                made = message_from_bytes(b"".join(lines), policy=policy.default)
                assert isinstance(made, EmailMessage)
                mailbox.letters.append(made)
                self._say("250 taken")

            def _say(self, text: str) -> None:
                self.wfile.write(f"{text}\r\n".encode())

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def address(self) -> tuple[str, int]:
        host, port = self._server.server_address[:2]
        return str(host), int(port)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
