"""The figures of the Prometheus scrape, pushed over OTLP as OpenTelemetry metrics.

They are read from the database, so one push for all processes is enough: a periodic
task makes it. What Prometheus calls a counter goes out as a sum that may fall: rows are
deleted by retention, and no process is where the counting began.
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
    """Read every figure once and send it.

    Args:
        endpoint: The collector's whole address, `/v1/metrics` included.
        headers: Sent along, such as its credentials.
        instance: Which hub this is, among several.

    Returns:
        Whether the collector took them; the next push brings newer ones.
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
    """Make what OpenTelemetry calls the figures of one family."""
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
