"""Everything that can be exported, by name."""

from verifyhub.exports.dataset import Dataset, by_name
from verifyhub.exports.tables import TABLES

DATASETS: dict[str, Dataset] = by_name(TABLES)
