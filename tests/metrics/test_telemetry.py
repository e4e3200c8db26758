"""OpenTelemetry metrics: off unless asked for, and what a real receiver then gets."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)

from tests.factories import VerificationFactory
from verifyhub.exports import tasks
from verifyhub.metrics.scrape.prometheus import DatabaseCollector

pytestmark = pytest.mark.django_db


class Receiver(BaseHTTPRequestHandler):
    """Takes OTLP over HTTP as a collector does."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.got.append((self.path, headers, body))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args):
        pass


@pytest.fixture
def receiver():
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    server.got, server.status = [], 200
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def switched_on(receiver, settings):
    port = receiver.server_address[1]
    settings.OTLP_METRICS_ENDPOINT = f"http://127.0.0.1:{port}/v1/metrics"
    settings.OTLP_METRICS_HEADERS = ["authorization=Bearer s3cret"]


def points(body):
    request = ExportMetricsServiceRequest.FromString(body)
    (resource,) = request.resource_metrics
    about = {one.key: one.value.string_value for one in resource.resource.attributes}
    found = {}
    for metric in resource.scope_metrics[0].metrics:
        for point in (*metric.gauge.data_points, *metric.sum.data_points):
            labels = tuple(one.value.string_value for one in point.attributes)
            value = point.as_int if point.HasField("as_int") else point.as_double
            found[(metric.name, *labels)] = value
    return about, found


def test_a_receiver_gets_every_figure_of_the_scrape(receiver, switched_on):
    VerificationFactory(verdict="reject")
    VerificationFactory(waiting=True)

    tasks.push_metrics()

    ((path, headers, body),) = receiver.got
    about, found = points(body)
    assert path == "/v1/metrics"
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["content-type"] == "application/x-protobuf"
    assert about["service.name"] == "verifyhub"
    assert found[("verifyhub_verdicts", "reject")] == 1
    assert found[("verifyhub_queue_depth",)] == 1
    scraped = {
        (sample.name, *sample.labels.values())
        for family in DatabaseCollector().collect()
        for sample in family.samples
    }
    assert set(found) == scraped


def test_nothing_is_sent_unless_the_operator_asks_for_it(receiver, settings):
    assert settings.OTLP_METRICS_ENDPOINT == ""

    tasks.push_metrics()

    assert receiver.got == []


def test_a_receiver_that_refuses_disturbs_nobody(receiver, switched_on, caplog):
    receiver.status = 400

    tasks.push_metrics()

    assert len(receiver.got) == 1
