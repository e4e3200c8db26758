"""The name that `verifyhub.embedded` had; it works for one more version."""

from verifyhub.embedded import *  # noqa: F403
from verifyhub.embedded import __all__
