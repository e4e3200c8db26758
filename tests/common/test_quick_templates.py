"""Templates that render faster have the HTML of Django's."""

from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import pytest
from django.template import Context, Engine, TemplateDoesNotExist
from django.urls import NoReverseMatch
from django.utils import translation
from django.utils.safestring import mark_safe

from verifyhub.common.quick_templates import Loader
from verifyhub.ingest.models import Interaction

HOSTILE = '<b title="it\'s">&'
ID = UUID("01a22459-eb22-76ae-a50c-d63012a79c9e")


class Row:
    """Properties and methods, of which some fail."""

    state = "open"
    texts = ("first", "second")
    found = {"name": HOSTILE, "items": "own", 3: "three"}

    def upper(self):
        return "UPPER"

    def delete(self):
        raise AssertionError("a template must not call this")

    delete.alters_data = True

    def needs(self, argument):
        return argument

    @property
    def gone(self):
        raise Interaction.DoesNotExist

    @property
    def wrong(self):
        raise AttributeError("not a missing name")


VALUES = {
    "row": Row(),
    "text": HOSTILE,
    "safe": mark_safe("<i>x</i>"),
    "number": 1234567.5,
    "nothing": None,
    "rows": [{"name": "a"}, {"name": "b"}],
    "call": lambda: "called",
    "id": ID,
    "slug": "demo",
    "long": "e\u0301 " * 20,
    "name": "part",
    "moment": datetime(2026, 5, 1, 23, 30, tzinfo=UTC),
    "dots": SimpleNamespace(a=SimpleNamespace(b="deep")),
}
TEXTS = {
    "text": "{{ text }} {{ safe }} {{ number }} {{ nothing }} {{ missing }}",
    "escape off": "{% autoescape off %}{{ text }}{{ number }}{% endautoescape %}",
    "deep": "{{ dots.a.b }}{{ dots.a.none }}{{ row.state }}{{ row.missing.more }}"
    "{{ nothing.more.than }}{{ text.none }}{{ text.0 }}{{ text.title }}"
    "{{ dots.no.way }}",
    "mapping": "{{ row.found.name }}{{ row.found.items }}{{ row.found.3 }}"
    "{{ row.found.none }}{{ row.found.keys }}",
    "sequence": "{{ row.texts.1 }}{{ row.texts.7 }}{{ rows.0.name }}",
    "method": "{{ row.upper }}{{ row.delete }}{{ row.needs }}{{ call }}{{ row.gone }}",
    "method of a method": "{{ row.upper.lower }}{{ text.upper }}",
    "literals": "{{ 'a<b' }}{{ 3 }}{{ 1.5 }}{{ _('Queue') }}",
    "filters": "{{ missing|default:'none' }}{{ text|upper }}{{ safe|truncatechars:2 }}"
    "{{ number|floatformat:2 }}{{ text|default:nothing|add:text }}",
    "cut": "{% for n in '1234'|make_list %}{{ long|truncatechars:41 }}{% endfor %}"
    "{{ long|truncatechars:9 }}{{ text|truncatechars:99 }}{{ 7|truncatechars:1 }}",
    "moment": "{{ moment|date:'Y-m-d H:i' }}{{ moment|time:'H:i'|add:text }}",
    "if": "{% if row.found.none or missing.more or not row.state %}a{% elif rows %}b"
    "{% endif %}{% if row.state == 'open' and number > 3 %}c{% endif %}",
    "for": "{% for one in rows %}{{ forloop.counter }}{{ one.name }}{% endfor %}",
    "translate": "{% translate 'Queue' %}{% translate text %}{% translate '5 % <' %}"
    "{% translate 'Review' as word %}{{ word }}{% translate 'open' context 'x' %}",
    "translate many": "{% blocktranslate trimmed count n=rows|length with t=text %}"
    "{{ n }} call {{ t }}{% plural %}{{ n }} calls {{ t }}{% endblocktranslate %}",
    "url": "{% url 'review:answer-detail' slug id %}{% url 'review:queue' slug %}"
    "{% url 'review:answer-call' slug id 7 %}{% url 'review:queue' slug=slug as u %}"
    "{{ u }}{% url 'no:view' as none %}{{ none }}",
    "static": "{% static 'css/app.css' %}{% static text as u %}{{ u }}",
    "include": "{% include 'part' with text='own' %}{% include 'part' only %}"
    "{% include name %}",
    "extend": "{% extends 'base' %}{% block main %}{{ block.super }}{{ text }}"
    "{% endblock %}",
    "part": "[{{ text }}{{ row.state }}]",
    "base": "({% block main %}{{ number }}{% endblock %})",
}
LIBRARIES = ["django.templatetags.i18n", "django.templatetags.static"]


IN_MEMORY = "django.template.loaders.locmem.Loader"
USUAL = "django.template.loaders.cached.Loader"
QUICK = f"{Loader.__module__}.Loader"


def read(text, loader=QUICK):
    places = [(IN_MEMORY, TEXTS | {"asked": text})]
    engine = Engine(loaders=[(loader, places)], builtins=LIBRARIES)
    return engine.get_template("asked")


def rendered(text, loader):
    """Render a template twice: the second time, constants are known."""
    template = read(text, loader)
    return [template.render(Context(VALUES)) for _ in range(2)]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_template_renders_as_in_django(name, language):
    with translation.override(language):
        assert rendered(TEXTS[name], QUICK) == rendered(TEXTS[name], USUAL)


def test_text_is_translated_for_each_reader():
    template = read("{% translate 'Queue' %}")

    shown = []
    for language in ("en", "fr", "en"):
        with translation.override(language):
            shown.append(template.render(Context()))

    assert shown[0] == shown[2] != shown[1]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{{ row.wrong }}", AttributeError),
        ("{% url 'no:view' %}", NoReverseMatch),
        ("{% include 'none' %}", TemplateDoesNotExist),
    ],
)
def test_an_error_is_raised_as_in_django(text, error):
    for loader in (USUAL, QUICK):
        with pytest.raises(error):
            rendered(text, loader)


def test_an_address_has_the_ids_of_its_rows_in_order():
    template = read("{% url 'review:answer-undo' slug one two %}")
    first, second = UUID(int=5), UUID(int=6)

    shown = [
        template.render(Context({"slug": "demo", "one": one, "two": two}))
        for one, two in ((first, second), (second, first))
    ]

    assert shown[0].index(str(first)) < shown[0].index(str(second))
    assert shown[1].index(str(second)) < shown[1].index(str(first))
