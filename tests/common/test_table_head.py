"""Heads of tables."""

from django.template import Context, Template


def test_a_head_has_a_cell_for_each_heading_and_escapes_it():
    source = '{% load ui %}{% table_head name "num" "Calls" "sr" "Delete" %}'

    html = Template(source).render(Context({"name": "<b>Name</b>"}))

    assert html == (
        '<thead><tr><th scope="col">&lt;b&gt;Name&lt;/b&gt;</th>'
        '<th scope="col" class="num">Calls</th>'
        '<th scope="col"><span class="sr">Delete</span></th></tr></thead>'
    )
