"""What is wrong with a project's settings, in the reader's language."""

from django.utils.translation import gettext

from verifyhub.engine.faults import FAULTS, Fault


def fault_words(fault: Fault) -> str:
    """Word a fault that the engine found; its field stays as programs write it."""
    params = {
        name: fault_words(value) if isinstance(value, Fault) else value
        for name, value in fault.params.items()
    }
    said = gettext(FAULTS[fault.code])
    said = said % params if params else said
    return f"{fault.field}: {said}" if fault.field else said
