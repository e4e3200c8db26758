from verifyhub.engine.memory.relevance import names_in


def test_what_looks_like_a_name_is_looked_up_before_a_word():
    task = "look at parse_config in the Loader with more care, repeatedly"

    assert names_in(task, limit=3) == ("parse_config", "Loader", "repeatedly")
