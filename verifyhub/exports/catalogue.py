"""All datasets that can be exported, by name."""

from verifyhub.exports.dataset import Dataset
from verifyhub.exports.figures import METRICS
from verifyhub.exports.tables import TABLES
from verifyhub.exports.training import TRAINING

DATASETS: dict[str, Dataset] = {
    dataset.name: dataset for dataset in (*TABLES, METRICS, *TRAINING)
}
