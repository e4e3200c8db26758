"""Renders Django's templates in less time, to the same HTML.

A page reads a thousand variables. Django tries several ways to look each one up, by
exceptions, and translates each text and builds each address anew. Here the type of a
value decides how it is looked up, and what is constant is kept; what is unusual is left
to Django.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from html import escape
from typing import Any
from unicodedata import normalize
from uuid import UUID, uuid4

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.base import (
    DebugLexer,
    FilterExpression,
    Lexer,
    Node,
    NodeList,
    Parser,
    Template,
    Token,
    Variable,
    VariableDoesNotExist,
    VariableNode,
    render_value_in_context,
)
from django.template.context import Context
from django.template.defaultfilters import truncatechars
from django.template.defaulttags import URLNode
from django.template.loader_tags import IncludeNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeData, SafeString, mark_safe
from django.utils.translation import get_language

_MISSING = object()
# Types whose values have no attributes of their own. A form without errors is a text.
_WITHOUT_OWN = (dict, str)


def _find(variable: Variable, context: Context) -> Any:
    """Return the value of a variable, `_MISSING` if there is none of its name."""
    if variable.lookups is None or variable.translate:
        return variable.resolve(context)
    try:
        return _look_up(variable.lookups, context)
    except Exception:  # noqa: BLE001
        return variable.resolve(context)


def _look_up(names: tuple[str, ...], context: Context) -> Any:
    """Look a variable up by the types of the values.

    Raises:
        Exception: If Django must decide: it tries other ways, or raises it again.
    """
    first, *others = names
    for values in reversed(context.dicts):
        if first in values:
            found = values[first]
            break
    else:
        if hasattr(context, first):
            raise LookupError(first)
        return _MISSING
    for name in others:
        kind = type(found)
        if kind is dict and name in found:
            found = found[name]
        elif found is None or (
            kind in _WITHOUT_OWN and not (name.isdecimal() or hasattr(found, name))
        ):
            return _MISSING
        elif callable(found) or hasattr(kind, "__getitem__"):
            raise LookupError(name)
        else:
            found = getattr(found, name)
    if callable(found):
        raise LookupError(first)
    return found


class _Expression(FilterExpression):
    __slots__ = ("_has_moments", "_steps")

    def __init__(self, token: str, parser: Parser) -> None:
        super().__init__(token, parser)
        functions = [function for function, _arguments in self.filters]
        # Django converts what such a filter gets to the viewer's zone.
        self._has_moments = any(
            getattr(function, "expects_localtime", False) for function in functions
        )
        self._steps = [
            (
                _truncatechars if function is truncatechars else function,
                [_constant(*argument) for argument in arguments],
                getattr(function, "needs_autoescape", False),
                getattr(function, "is_safe", False),
            )
            for function, arguments in self.filters
        ]

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:
        if self._has_moments:
            return super().resolve(context, ignore_failures)
        found = self.var
        if self.is_var:
            try:
                found = _find(found, context)
            except VariableDoesNotExist:
                found = _MISSING
            if found is _MISSING:
                found = None if ignore_failures else ""
        for function, arguments, needs_escape, is_safe in self._steps:
            values = [
                value.resolve(context) if type(value) is Variable else value
                for value in arguments
            ]
            options = {"autoescape": context.autoescape} if needs_escape else {}
            made = function(found, *values, **options)
            if is_safe and isinstance(found, SafeData):
                made = mark_safe(made)  # noqa: S308
            found = made
        return found


def _truncatechars(value: Any, length: Any) -> Any:
    """Cut a text as Django does, which counts each character even of short ones."""
    if type(value) in _TEXTS and type(length) is int and len(value) <= length:
        return normalize("NFC", value)
    return truncatechars(value, length)


_TEXTS = (str, SafeString)


def _constant(is_variable: bool, value: Any) -> Any:
    """Return the value of a filter's argument, its variable if it is not constant."""
    if not is_variable:
        return mark_safe(value)  # noqa: S308
    return value if value.lookups or value.translate else value.literal


class _VariableNode(VariableNode):
    def render(self, context: Context) -> Any:
        value = self.filter_expression.resolve(context)
        kind = type(value)
        if kind is SafeString:
            return value
        if kind is str:
            return escape(value) if context.autoescape else value
        if kind is int and not settings.USE_THOUSAND_SEPARATOR:
            return str(value)
        return render_value_in_context(value, context)


class _TranslateNode(TranslateNode):
    def render(self, context: Context) -> Any:
        expression = self.filter_expression
        if expression.var.lookups or expression.filters:
            return super().render(context)
        key = (get_language(), context.autoescape)
        kept = self.__dict__.setdefault("kept", {})
        if key not in kept:
            shown = TranslateNode(expression, self.noop, None, self.message_context)
            kept[key] = shown.render(context)
        if self.asvar is None:
            return kept[key]
        context[self.asvar] = kept[key]
        return ""


class _BlockTranslateNode(BlockTranslateNode):
    def render_token_list(self, tokens: list[Token]) -> tuple[str, list[str]]:
        kept = self.__dict__.setdefault("kept", {})
        which = tokens is self.plural
        if which not in kept:
            kept[which] = super().render_token_list(tokens)
        message, names = kept[which]
        # The caller extends them.
        return message, list(names)


class _URLNode(URLNode):
    def render(self, context: Context) -> str:
        if self.kwargs:
            return super().render(context)
        arguments = [argument.resolve(context) for argument in self.args]
        try:
            url = _address(self.view_name.resolve(context), arguments)
        except NoReverseMatch:
            if self.asvar is None:
                raise
            url = ""
        if self.asvar is None:
            return escape(url) if context.autoescape else url
        context[self.asvar] = url
        return ""


class _StaticNode(StaticNode):
    def url(self, context: Context) -> str:
        if self.path.is_var:
            return super().url(context)
        if "kept" not in self.__dict__:
            self.kept = super().url(context)
        return self.kept


class _IncludeNode(IncludeNode):
    def render(self, context: Any) -> Any:
        name = self.template
        if name.is_var or name.var.startswith(".") or self.isolated_context:
            return super().render(context)
        if "kept" not in self.__dict__:
            self.kept = context.template.engine.get_template(name.var)
        values = {
            key: value.resolve(context) for key, value in self.extra_context.items()
        }
        with context.push(**values):
            return self.kept.render(context)


# More than any address contains.
_ANY_IDS = [uuid4() for _ in range(5)]


def _address(view: str, arguments: Sequence[Any]) -> str:
    """Return the address of a view, which is built once for all ids of rows."""
    ids = [value for value in arguments if type(value) is UUID]
    free = iter(_ANY_IDS)
    url = _built_address(
        view, *(next(free) if type(value) is UUID else value for value in arguments)
    )
    for any_id, own in zip(_ANY_IDS, ids, strict=False):
        url = url.replace(str(any_id), str(own))
    return url


@lru_cache(maxsize=4000)
def _built_address(view: str, *arguments: Any) -> str:
    return reverse(view, args=arguments)


_QUICK = {
    VariableNode: _VariableNode,
    TranslateNode: _TranslateNode,
    BlockTranslateNode: _BlockTranslateNode,
    URLNode: _URLNode,
    StaticNode: _StaticNode,
    IncludeNode: _IncludeNode,
}


class _Parser(Parser):
    def compile_filter(self, token: str) -> FilterExpression:
        return _Expression(token, self)

    def extend_nodelist(self, nodelist: NodeList, node: Node, token: Token) -> None:
        kind = type(node)
        node.__class__ = _QUICK.get(kind, kind)
        super().extend_nodelist(nodelist, node, token)


class _Template(Template):
    def compile_nodelist(self) -> NodeList:
        engine = self.engine
        lexer = DebugLexer if engine.debug else Lexer
        parser = _Parser(
            lexer(self.source).tokenize(),
            engine.template_libraries,
            engine.template_builtins,
            self.origin,
        )
        nodes = parser.parse()
        self.extra_data = parser.extra_data
        return nodes


class _Reader(base.Loader):
    def get_template(self, template_name: str, skip: Any = None) -> Template:
        for origin in self.get_template_sources(template_name):
            if skip is None or origin not in skip:
                with suppress(TemplateDoesNotExist):
                    text: Any = self.get_contents(origin)  # type: ignore[attr-defined]
                    return _Template(
                        text, origin, str(origin.template_name), self.engine
                    )
        raise TemplateDoesNotExist(template_name)


class Loader(cached.Loader, _Reader):
    """Django's loader of templates, which are read once; these render faster."""
