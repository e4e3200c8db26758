"""Plots in a page, with its colours and links.

The renderer does not support links. So each mark has its number as its label, and this
module parses the drawing as XML and wraps numbered marks in links: agents' text reaches
the page as text and attribute values that the XML library escapes.
"""

from xml.etree import ElementTree

from django.utils.safestring import SafeString, mark_safe

from verifyhub.common.drawing import PlotTheme, svg
from verifyhub.metrics.plots.plot import MARK, Mark, Plot

SVG = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", SVG)


def inline(plot: Plot) -> SafeString:
    """Return a plot as an SVG element with links on its marks."""
    text = svg(
        plot.draw(PlotTheme.PAGE), PlotTheme.PAGE, height=plot.height, width=plot.width
    )
    root = ElementTree.fromstring(text)  # noqa: S314 - the renderer's own output
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {"class": "plot-svg", "role": "group", "aria-label": plot.heading}
    _link(root, plot, set())
    # Every text and value in it is quoted by the serialiser.
    return mark_safe(ElementTree.tostring(root, encoding="unicode"))  # noqa: S308


def as_file(plot: Plot, theme: PlotTheme) -> str:
    """Return a plot as an SVG file in the colours of a theme."""
    return svg(plot.draw(theme), theme, height=plot.height, width=plot.width)


def _link(parent: ElementTree.Element, plot: Plot, reached: set[str]) -> None:
    for place, child in enumerate(list(parent)):
        number = child.get("aria-label", "")
        # The renderer's roles make every line a graphic; the table is more accessible.
        for name in ("role", "aria-roledescription", "aria-label"):
            child.attrib.pop(name, None)
        if not number.startswith(MARK):
            _link(child, plot, reached)
            continue
        mark = plot.marks[int(number.removeprefix(MARK))]
        is_first = mark.href not in reached
        reached.add(mark.href)
        parent[place] = _anchor(child, mark, can_focus=plot.reach and is_first)


def _anchor(
    child: ElementTree.Element, mark: Mark, *, can_focus: bool
) -> ElementTree.Element:
    if not mark.href:
        anchor = ElementTree.Element(f"{{{SVG}}}g")
    else:
        anchor = ElementTree.Element(f"{{{SVG}}}a", {"href": mark.href})
        if can_focus:
            anchor.set("aria-label", mark.says)
        else:
            # The table has the same link.
            anchor.attrib |= {"tabindex": "-1", "aria-hidden": "true"}
    title = ElementTree.SubElement(anchor, f"{{{SVG}}}title")
    title.text = "".join(char if char.isprintable() else "�" for char in mark.says)
    anchor.append(child)
    return anchor
