"""Widgets without templates have the HTML of Django's templates."""

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.translation import gettext_lazy

from verifyhub.common.form_renderer import WidgetRenderer

HOSTILE = '<b>"it\'s" & more</b>'
GROUPED = [
    ("", gettext_lazy("Any")),
    (HOSTILE, HOSTILE),
    (HOSTILE, [("1", "one"), ("2", "two")]),
]


class OwnOptions(forms.Select):
    """A select whose options have a template of their own."""

    option_template_name = "django/forms/widgets/radio_option.html"


WIDGETS = {
    "text": forms.TextInput,
    "hidden": forms.HiddenInput,
    "number": forms.NumberInput,
    "email": forms.EmailInput,
    "password": lambda: forms.PasswordInput(render_value=True),
    "url": forms.URLInput,
    "select": lambda: forms.Select(choices=GROUPED),
    "several": lambda: forms.SelectMultiple(choices=GROUPED),
    "own options": lambda: OwnOptions(choices=GROUPED),
    "checkbox": forms.CheckboxInput,
    "radio": lambda: forms.RadioSelect(choices=GROUPED),
    "textarea": forms.Textarea,
}


def shown(name, renderer, value):
    widget = WIDGETS[name]()
    widget.attrs = {"data-x": HOSTILE, "hidden": True, "lang": False, "size": 1000}
    return widget.render("one", value, {"id": "id_one"}, renderer)


@pytest.mark.parametrize("value", [None, "", "1", HOSTILE])
@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_has_the_html_of_its_template(name, value):
    usual, written = (
        shown(name, renderer, value)
        for renderer in (DjangoTemplates(), WidgetRenderer())
    )

    assert written.split() == usual.split()
    assert "<b>" not in written
