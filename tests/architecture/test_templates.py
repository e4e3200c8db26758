from tests.architecture.tree import CHECKOUT


def test_no_line_of_a_template_is_longer_than_160_characters():
    assert [
        f"{file.relative_to(CHECKOUT)}:{number}"
        for file in (CHECKOUT / "verifyhub").rglob("*.html")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if len(line) > 160
    ] == []
