"""A project's choices about claims of fact and detection layers."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.layer_words import LAYERS, RISKS
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import EntropyBy


class Claims(models.TextChoices):
    """When claims of fact are compared with evidence."""

    AUTO = (
        "auto",
        _("When a run sends sources or the project has documents"),
    )
    ALWAYS = "always", _("Always, including against tool outputs alone")
    NEVER = "never", pgettext_lazy("claims checked", "Never")


class Layers(models.TextChoices):
    """When detection layers run."""

    ON_REQUEST = "on_request", _("On request")
    BY_RISK = "by_risk", _("For every answer, based on its risk")


ENTROPY_CHOICES = [
    (str(EntropyBy.ENTAILMENT), _("By entailment, as published")),
    (str(EntropyBy.COSINE), _("By embedding similarity: cheaper and coarser")),
]
LAYER_CHOICES = [(str(name), LAYERS[name]) for name in LayerName]
RISK_CHOICES = [(str(level), RISKS[level]) for level in RiskLevel]
