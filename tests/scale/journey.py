"""What a whole system does, seen from outside: the same however it is put together."""

import json

from tests.ingest.runs import a_run
from tests.scale.conftest import KEY
from tests.scale.machines import Machine, eventually

RUNS = "/api/v1/interactions/"
JOBS = "/api/v1/exports/jobs/"
DOCUMENTS = "/api/v1/documents/"
PRICES = "The gateway retries three times. Prices are computed in `pricing.py`."


def is_ready(machine: Machine) -> bool:
    return machine.ask("GET", "/readyz")[0] == 200


def sent(machine: Machine, key: str = KEY, **fields: object) -> str:
    status, body = machine.ask("POST", RUNS, a_run(**fields), key=key)
    assert status in {201, 202}, body
    return str(json.loads(body)["id"])


def verified(machine: Machine, run: str, key: str = KEY) -> bool:
    # 202 as long as it waits.
    return machine.ask("GET", f"{RUNS}{run}/verdict/", key=key)[0] == 200


def exported(machine: Machine, said: str) -> bytes:
    """Ask for an export and return its rows once a worker has written them."""
    wanted = {"datasets": ["interactions"], "format": "jsonl"}
    status, body = machine.ask("POST", JOBS, wanted, key=KEY)
    assert status == 202, body
    path = f"{JOBS}{json.loads(body)['id']}/files/interactions.jsonl"
    eventually(lambda: machine.ask("GET", path, key=KEY)[0] == 200, said)
    return machine.ask("GET", path, key=KEY)[1]


def works(web: Machine, worker: Machine) -> None:
    """Send runs and have them verified, embed, count, tell and export."""
    eventually(lambda: is_ready(web), web.said())
    runs = [sent(web, id=f"run-{number}") for number in range(12)]
    for run in runs:
        eventually(lambda run=run: verified(web, run), worker.said())

    document = {"title": "Prices", "text": PRICES}
    status, body = web.ask("POST", DOCUMENTS, document, key=KEY)
    assert status in {201, 202}, body
    eventually(lambda: _is_embedded(web), worker.said())

    rows = exported(web, worker.said())
    assert [run for run in runs if run.encode() not in rows] == []
    for path in ("/api/v1/events/", "/api/v1/metrics/", "/metrics"):
        status, body = web.ask("GET", path, key=KEY)
        assert status == 200, (path, body)


def _is_embedded(machine: Machine) -> bool:
    status, body = machine.ask("GET", "/api/v1/knowledge/", key=KEY)
    return status == 200 and json.loads(body)["state"] == "finished"
