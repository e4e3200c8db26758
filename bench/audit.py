"""Verify an audit log of 10,000 and of 1,000,000 events.

    python -m bench.audit [sizes …] [--seal 5000]

Starts a separate PostgreSQL and fills one audit log step by step. At each size it seals
the new events as the task does, that many at once (a slowly growing log has seals of
few events). It verifies the log in a separate process with the function of `verifyhub
audit verify`, and prints events per second of both, and the memory of that process.
Finally it changes one byte of one event, bypassing the trigger, and verifies the log
again: that event must be the only problem.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence

from bench.exports import peak, start
from bench.years import server

SIZES = (10_000, 100_000, 1_000_000)
FILL = """
INSERT INTO audit_auditevent
    (created_at, actor_name, action, object_type, object_id, before, after)
SELECT now(), 'reviewer ' || n %% 40, 'review.mention_overridden',
    'review.override', gen_random_uuid()::text, '{"status": "unverified"}',
    jsonb_build_object('status', 'verified', 'name', 'package-' || n)
FROM generate_series(1, %s) AS n
"""
CHANGE = """
UPDATE audit_auditevent SET actor_name = actor_name || '.'
WHERE id = (SELECT max(id) / 2 FROM audit_auditevent)
"""


def main(sizes: Sequence[int], batch: int) -> None:
    """Fill, seal and verify at each size; then find one changed event."""
    with server(None) as address:
        os.environ |= {
            "DATABASE_URL": address,
            "VERIFYHUB_SECRET_KEY": "bench",
        }
        start()
        from django.core.management import call_command
        from django.db import connection

        from verifyhub.audit import sealing

        sealing.BATCH = batch
        call_command("migrate", verbosity=0)
        stored = 0
        for size in sizes:
            with connection.cursor() as cursor:
                cursor.execute(FILL, [size - stored])
            began = time.perf_counter()
            while sealing.seal_events():
                pass
            sealed = (size - stored) / (time.perf_counter() - began)
            stored = size
            print(
                f"{size:>9,} events  sealed {sealed:7,.0f}/s  {verified()}", flush=True
            )
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            cursor.execute(CHANGE)
        print(f"one changed: {verified()}")


def verified() -> str:
    """Verify the log in a separate process; return its output."""
    command = [sys.executable, "-m", "bench.audit", "verify"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def verify() -> None:
    """Verify the log; print time, memory and problems."""
    start()
    from verifyhub.audit.verifying import verify_chain

    began = time.perf_counter()
    check = verify_chain()
    took = time.perf_counter() - began
    print(
        f"verified {check.events:,} in {took:6.2f} s, {peak():.0f} MiB,"
        f" {check.waiting} unsealed, problems: {check.problems}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["verify"]:
        verify()
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
        parser.add_argument("--seal", type=int, default=5000)
        asked = parser.parse_args()
        main(asked.sizes, asked.seal)
