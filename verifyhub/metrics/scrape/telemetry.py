"""The metrics of the Prometheus scrape, pushed over OTLP as OpenTelemetry metrics.

They are read from the database, so a periodic task pushes them once for all processes.
Prometheus' counters are sent as non-monotonic sums, since retention deletes rows, and
since no process marks their start.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.metrics import CallbackOptions, Meter, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, MetricExportResult
from opentelemetry.sdk.resources import Resource
from prometheus_client import Metric

from verifyhub import __version__
from verifyhub.metrics.scrape.prometheus import DatabaseCollector

TIMEOUT_SECONDS = 10
SERVICE = "verifyhub"


def push(endpoint: str, headers: Mapping[str, str], *, instance: str) -> bool:
    """Read all metrics once and send them.

    Args:
        endpoint: The collector's URL, including `/v1/metrics`.
        headers: HTTP headers, such as credentials.
        instance: The name of this server among several.

    Returns:
        Whether the collector accepted them.
    """
    reader = InMemoryMetricReader()
    resource = Resource.create(
        {
            "service.name": SERVICE,
            "service.version": __version__,
            "service.instance.id": instance,
        }
    )
    provider = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
    meter = provider.get_meter(SERVICE, __version__)
    for family in DatabaseCollector().collect():
        _instrument(meter, family)
    data = reader.get_metrics_data()
    exporter = OTLPMetricExporter(
        endpoint=endpoint, headers=dict(headers), timeout=TIMEOUT_SECONDS
    )
    try:
        return data is not None and exporter.export(data) is (
            MetricExportResult.SUCCESS
        )
    finally:
        exporter.shutdown()
        provider.shutdown()


def _instrument(meter: Meter, family: Metric) -> None:
    """Convert one family of metrics to OpenTelemetry's data model."""
    for name in dict.fromkeys(sample.name for sample in family.samples):
        observe = _observing(family, name)
        if family.type == "gauge":
            meter.create_observable_gauge(
                name, [observe], description=family.documentation
            )
        else:
            meter.create_observable_up_down_counter(
                name, [observe], description=family.documentation
            )


def _observing(
    family: Metric, name: str
) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observe(_options: CallbackOptions) -> Iterator[Observation]:
        for sample in family.samples:
            if sample.name == name:
                yield Observation(sample.value, dict(sample.labels))

    return observe
