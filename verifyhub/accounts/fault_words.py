"""Errors in a project's settings, in the reader's language."""

from django.utils.translation import gettext

from verifyhub.engine.faults import FAULTS, Fault


def fault_words(fault: Fault) -> str:
    """Return a fault as text in the active language; its field stays as it is."""
    params = {
        name: fault_words(value) if isinstance(value, Fault) else value
        for name, value in fault.params.items()
    }
    text = gettext(FAULTS[fault.code])
    text = text % params if params else text
    return f"{fault.field}: {text}" if fault.field else text


def row_words(row: int, fault: Fault) -> str:
    """Return a sentence about a row's fault; row 0 stands for all of them."""
    text = fault_words(fault)
    if row:
        return gettext("Row %(row)d: %(why)s.") % {"row": row, "why": text}
    return f"{text[:1].upper()}{text[1:]}."
