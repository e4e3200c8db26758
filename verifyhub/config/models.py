"""Read the caps on each project's model usage from the environment."""

from collections.abc import Mapping

from verifyhub.common.env import microdollars


def ceilings(
    dollars: Mapping[str, tuple[str, str]], numbers: Mapping[str, int]
) -> Mapping[str, int]:
    """Return the caps for every project, by name.

    Args:
        dollars: Cap names with the setting's name and text; empty text for no cap.
        numbers: Cap names with values; 0 for no cap.
    """
    money = {
        cap: microdollars(name, text) for cap, (name, text) in dollars.items() if text
    }
    return money | {cap: value for cap, value in numbers.items() if value}
