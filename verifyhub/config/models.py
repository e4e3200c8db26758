"""Read from the environment what each project may spend on models."""

from collections.abc import Mapping

from verifyhub.common.env import microdollars


def ceilings(
    dollars: Mapping[str, tuple[str, str]], numbers: Mapping[str, int]
) -> Mapping[str, int]:
    """Return the caps that hold for every project, by their name.

    Args:
        dollars: Name of the cap to the setting's name and text; empty for no cap.
        numbers: Name of the cap to its value; 0 for no cap.
    """
    money = {
        cap: microdollars(name, text) for cap, (name, text) in dollars.items() if text
    }
    return money | {cap: value for cap, value in numbers.items() if value}
