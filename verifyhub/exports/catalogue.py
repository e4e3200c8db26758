"""All datasets that can be exported, by name."""

from verifyhub.exports.dataset import Dataset, by_name
from verifyhub.exports.figures import METRICS
from verifyhub.exports.tables import TABLES
from verifyhub.exports.training import TRAINING

DATASETS: dict[str, Dataset] = by_name((*TABLES, METRICS, *TRAINING))
