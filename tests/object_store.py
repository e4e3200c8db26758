"""A real server of the S3 protocol, and the system's store in a bucket of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verifyhub.common.object_store import StoreAddress

KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}


@contextmanager
def s3_server() -> Iterator[str]:
    """Serve on a free port of loopback; yield the address."""
    # A web framework and all of AWS, which each process that tests would load.
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


def a_bucket(server: str, name: str) -> tuple[Any, StoreAddress]:
    """Make a bucket; return a client, and its beginning `hub` as the system's store."""
    import boto3

    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **KEYS)
    client.create_bucket(Bucket=name)
    return client, StoreAddress(
        url=f"s3://{name}/hub", endpoint=server, key_id="key", secret="secret"
    )
