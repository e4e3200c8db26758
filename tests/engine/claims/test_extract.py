"""An answer to its claims: sentences with their places and kinds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.claim_results import SentenceKind
from verifyhub.engine.claims.extract import extract_claims


def texts(answer: str) -> list[str]:
    return [claim.text for claim in extract_claims(answer)]


def kinds(answer: str) -> list[SentenceKind]:
    return [claim.kind for claim in extract_claims(answer)]


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        (
            "Dr. Smith moved to the U.S. in 1990. He paid 3.5 million dollars, i.e. a"
            " fortune. See Fig. 3 for more on J. R. R. Tolkien.",
            [
                "Dr. Smith moved to the U.S. in 1990.",
                "He paid 3.5 million dollars, i.e. a fortune.",
                "See Fig. 3 for more on J. R. R. Tolkien.",
            ],
        ),
        (
            "А. С. Пушкин родился в 1799 г. в Москве. Он жил на ул. Арбат и т. д."
            " Потом он уехал в деревню.",
            [
                "А. С. Пушкин родился в 1799 г. в Москве.",
                "Он жил на ул. Арбат и т. д.",
                "Потом он уехал в деревню.",
            ],
        ),
        (
            "M. Dupont est né en 1990. « Il est parti à Lyon. » Ensuite, il revint"
            " avec 2,5 kg de pain.",
            [
                "M. Dupont est né en 1990.",
                "« Il est parti à Lyon. »",
                "Ensuite, il revint avec 2,5 kg de pain.",
            ],
        ),
        (
            "Am 3. Oktober 1990 wurde Deutschland vereint. Im 19. Jahrhundert war das"
            " z. B. anders. Die Stadt hat ca. 3,6 Mio. Einwohner.",
            [
                "Am 3. Oktober 1990 wurde Deutschland vereint.",
                "Im 19. Jahrhundert war das z. B. anders.",
                "Die Stadt hat ca. 3,6 Mio. Einwohner.",
            ],
        ),
        (
            "El Sr. Pérez vive en EE.UU. desde 1990. Su casa costó 1.234,50 euros."
            " Nació en la pág. 3 de la historia.",
            [
                "El Sr. Pérez vive en EE.UU. desde 1990.",
                "Su casa costó 1.234,50 euros.",
                "Nació en la pág. 3 de la historia.",
            ],
        ),
    ],
    ids=["en", "ru", "fr", "de", "es"],
)
def test_sentences_of_five_languages_are_cut_at_their_ends(answer, sentences):
    assert texts(answer) == sentences


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Is Berlin the capital of Germany?", SentenceKind.QUESTION),
        ("I think Berlin is a nice city.", SentenceKind.OPINION),
        ("Berlin may have four million people.", SentenceKind.UNCERTAIN),
        ("The war ended in May 1945.", SentenceKind.FACTUAL),
        ("Therefore the treaty was void.", SentenceKind.INFERENCE),
        ("I will look up the population next.", SentenceKind.PLAN),
        ("Berlin has 3.6 million people.", SentenceKind.FACTUAL),
        ("Является ли Берлин столицей Германии?", SentenceKind.QUESTION),
        ("Я думаю, Берлин хороший город.", SentenceKind.OPINION),
        ("Возможно, в Берлине живут четыре миллиона.", SentenceKind.UNCERTAIN),
        ("Следовательно, договор не имел силы.", SentenceKind.INFERENCE),
        ("Давайте посмотрим на население города.", SentenceKind.PLAN),
        ("Берлин является столицей Германии.", SentenceKind.FACTUAL),
        ("Berlin est-elle la capitale de l'Allemagne ?", SentenceKind.QUESTION),
        ("À mon avis, Berlin est une belle ville.", SentenceKind.OPINION),
        ("Berlin compte probablement quatre millions d'habitants.",
         SentenceKind.UNCERTAIN),
        ("Par conséquent, le traité était nul dans les faits.", SentenceKind.INFERENCE),
        ("Je vais chercher la population de la ville.", SentenceKind.PLAN),
        ("Berlin est la capitale de l'Allemagne.", SentenceKind.FACTUAL),
        ("Ist Berlin die Hauptstadt von Deutschland?", SentenceKind.QUESTION),
        ("Ich finde, dass Berlin eine schöne Stadt ist.", SentenceKind.OPINION),
        ("Vermutlich hat die Stadt vier Millionen Einwohner.", SentenceKind.UNCERTAIN),
        ("Daraus folgt, dass der Vertrag nichtig war.", SentenceKind.INFERENCE),
        ("Ich werde die Zahl der Einwohner suchen.", SentenceKind.PLAN),
        ("Berlin ist die Hauptstadt von Deutschland.", SentenceKind.FACTUAL),
        ("¿Es Berlín la capital de Alemania?", SentenceKind.QUESTION),
        ("Creo que Berlín es una ciudad bonita.", SentenceKind.OPINION),
        ("Quizás la ciudad tenga cuatro millones de habitantes.",
         SentenceKind.UNCERTAIN),
        ("Por lo tanto, el tratado no era válido.", SentenceKind.INFERENCE),
        ("Voy a buscar la población de la ciudad.", SentenceKind.PLAN),
        ("Berlín es la capital de Alemania.", SentenceKind.FACTUAL),
    ],
)  # fmt: skip
def test_what_is_no_fact_is_set_apart(answer, expected):
    assert kinds(answer) == [expected]


def test_each_claim_knows_its_language():
    answer = (
        "Berlin is the capital of Germany and it has a river.\n\n"
        "Берлин является столицей Германии.\n\n"
        "Die Stadt ist auch ein Land und sie hat einen Fluss.\n"
    )

    assert [claim.language for claim in extract_claims(answer)] == ["en", "ru", "de"]


def test_markdown_is_taken_apart_and_code_left_out():
    answer = """# Population of Berlin

Berlin has **3.6 million**
inhabitants, says [the office](https://example.org/a).

```python
print("Berlin has nine million inhabitants.")
```

- It lies on the *Spree*. It is green.
1. The wall fell in 1989.
- [ ] Look up the area.
- `src/app.py`

| City | Country |
|---|---|
| Paris | capital of France |

> The city was divided
> until 1990.

<!-- Berlin has no rivers at all. -->
    indented_code = "is no claim"

Here are the sources:
"""
    assert texts(answer) == [
        "Berlin has 3.6 million inhabitants, says the office.",
        "It lies on the Spree.",
        "It is green.",
        "The wall fell in 1989.",
        "Look up the area.",
        "Paris | capital of France",
        "The city was divided until 1990.",
    ]
    assert kinds(answer)[4] is SentenceKind.PLAN


def test_items_under_next_steps_are_plans():
    answer = "The file is large.\n\n## Next steps\n\n- Split the file in two parts\n"

    assert kinds(answer) == [SentenceKind.FACTUAL, SentenceKind.PLAN]


def test_greetings_and_leads_claim_nothing():
    assert texts("Hi there! Sure. Here is what I found: \n\nRome lies in Italy.") == [
        "Rome lies in Italy."
    ]


def test_a_short_lead_without_a_number_claims_nothing():
    assert texts("What it does:\n\nIt found 3 bridges in Rome:\n") == [
        "It found 3 bridges in Rome:"
    ]


def test_escaped_signs_are_read_as_themselves():
    assert texts(r"The file id\_test.go holds \*all\* of _the tests_.") == [
        "The file id_test.go holds *all* of the tests."
    ]


HOSTILE = [
    "a", "a.", "[a", "](", "`", "```\n", "> ", "| a ", "<!--", "1. ", "1,", "**a",
    '"a ', "« ", "... ", "A. ", "Dr. ", "5 000 ", "x\n---\n", "\n\n",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_runs_of_one_piece_are_read_to_their_end(piece):
    answer = f"{piece * (80_000 // len(piece))}\n\n"

    claims = extract_claims(answer).claims

    assert all(claim.span[1] <= len(answer) for claim in claims)


def test_ellipses_and_closing_quotes_end_sentences_where_a_capital_follows():
    assert texts('He waited... and left Rome. "It rained." They went home… Then') == [
        "He waited... and left Rome.",
        '"It rained."',
        "They went home…",
    ]


PIECES = st.sampled_from(
    [
        "Berlin has rivers. ", "He said 3.5. ", "```", "```py", "\n", "\n\n", "- ",
        "> ", "| a | b |", "|---|", "# T", "`x`", "**", "~~~", "   ", "1. ", "é ", "?",
        "<!--", "-->", "😀 word ", "z. B. ", "...",
    ]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=12), max_size=40).map("".join))
def test_spans_are_sorted_apart_and_inside_the_answer(answer):
    claims = extract_claims(answer).claims

    last = 0
    for claim in claims:
        start, end = claim.span
        assert last <= start < end <= len(answer)
        assert claim.text
        last = end


@given(st.text(alphabet="ab .\n", max_size=60), st.text(alphabet="cd .\n", max_size=60))
def test_no_claim_spans_a_fence(before, after):
    answer = f"{before}\n```\nfenced words. here stand.\n```\n{after}"
    fence = answer.index("\n```\n"), answer.index("\n```\n", len(before) + 4) + 4

    for claim in extract_claims(answer):
        assert claim.span[1] <= fence[0] + 1 or claim.span[0] >= fence[1]
        assert "fenced" not in claim.text


def test_claims_are_capped_and_it_is_said():
    extraction = extract_claims("Rome lies in Italy. " * 600)

    assert len(extraction) == 500
    assert extraction.cut
