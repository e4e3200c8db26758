"""Why a setting of models was not taken."""

from verifyhub.common.contract import FieldError


class ModelSettingError(FieldError):
    """A setting of models cannot be used."""
