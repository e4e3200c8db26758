"""Stored XSS in every field of an answer, and in all people say of it: nothing runs."""

import pytest

from tests.browser.conftest import UNFOLD
from tests.browser.hostile import PAYLOADS
from tests.pages import furnish, url_of, ways
from tests.review.conftest import newest_run, send
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.ingest.models import Interaction
from verifyhub.review.decide import confirm_verdict
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decide.bulk import open_bulk
from verifyhub.review.decisions import Decision, MentionFlip, Missed
from verifyhub.review.models import ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GROUPS = [PAYLOADS[start : start + 13] for start in range(0, len(PAYLOADS), 13)]
# As one text: what is escaped hides nothing that stands behind it.
FOURS = [
    "\n\n".join(PAYLOADS[start : start + 4]) for start in range(0, len(PAYLOADS), 4)
]
VIEWS = (
    "?mention=0",
    "?claim=0&raw",
    "checks/",
    "timeline/",
    "calls/0/?field=output",
    "calls/0/?field=input",
    "ledger/",
    "similar/",
    "attempts/",
)
# Swagger UI draws with templates and styles of its own.
OWN_SCRIPTS = ("api-docs",)
PLOTS = "/p/acme/"
LISTS = ("review/", "answers/", "runs/", "memory/")
# What an attack would leave: elements that no page of ours has, and handlers.
FOREIGN = """() => [...document.querySelectorAll(
    "main script:not([type='application/json']), main iframe, main object, main embed,"
    + " main base, main style, main link, main img, main video, main audio,"
    + " main math, main marquee,"
    + " main a[href^='javascript' i], main [formaction], main template")].length
  + [...document.querySelectorAll("main *")].filter(
      (e) => e.getAttributeNames().some((name) => name.startsWith("on"))).length"""


def answer_with(project, number, payload, parent=""):
    name = payload.replace("\n", " ")[:120]
    return send(
        project,
        id=f"{number}{name}"[:150],
        parent=parent,
        task=payload,
        answer=f"{payload}\n\n`{name}` in `src/{name}.py`, [{name}]({name}).\n\n"
        f"{payload}\n\n```html {name}\n{payload}\n```\n\nAll tests pass. {name}",
        session=f"s{number}{name}"[:150],
        agent={"name": name, "tier": name[:50], "role": name[:50]},
        goal=payload,
        tool_calls=[
            {
                "tool": name,
                "input": {name: payload, "command": f"cat {name}", "file_path": name},
                "output": f"{payload}\nsrc/{name}.py: error\n{payload}",
                "status": "error",
            }
        ],
        self_assessment={
            "confidence": 0.9,
            "gaps": [payload],
            "reasoning": payload,
        },
        metadata={name: payload},
    )


def let_models_say(interaction, payload):
    """Put a text of a model wherever a report has one."""
    run = newest_run(interaction)
    run.report |= {
        "explanation": payload,
        "gaps": [payload],
        "warnings": [
            {"code": payload, "message": payload, "details": {"text": payload}}
        ],
    }
    run.report["decision"] |= {"additional_context": payload, "follow_ups": [payload]}
    for mention in run.report["mentions"]:
        mention["suggestion"] = payload
    run.report["checks"] += [
        {
            "name": "cross_tier",
            "outcome": "failed",
            "score": 0.1,
            "reason": payload,
            "details": {
                "model": payload,
                "reasoning": payload,
                "confidence": 0.1,
                "completeness": 0.1,
                "doubted": [payload],
                "overruled": [payload],
            },
        }
    ]
    run.save()


def test_nothing_an_answer_holds_runs(visit, people):
    store(people, FOURS)

    look_at(visit(), views=1)


@pytest.mark.deep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("group", GROUPS, ids=range(len(GROUPS)))
def test_nothing_an_answer_holds_runs_in_any_view(visit, people, group):
    store(people, group)

    look_at(visit(), views=len(VIEWS))


@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("start", range(2))
def test_no_page_reports_a_violation_beside_the_whole_corpus(visit, people, start):
    visitor = visit()
    # What `furnish` decides first is as any answer is.
    send(people)
    for number, group in enumerate(GROUPS):
        payload = "\n\n".join(group)
        let_models_say(answer_with(people, number, payload), payload)
    ids = furnish(people)

    for name, query in ways()[start::2]:
        page = visitor.open(url_of(name, ids) + query)
        page.evaluate(UNFOLD)
        plots = page.locator(f"main img[src^='{PLOTS}']").count()
        assert name in OWN_SCRIPTS or page.evaluate(FOREIGN) == plots, name

    assert visitor.complaints == []


def store(people, group):
    for number, payload in enumerate(group):
        first = answer_with(people, f"{number}-1", payload)
        second = answer_with(people, f"{number}-2", payload, parent=first.client_id)
        for interaction in (first, second):
            let_models_say(interaction, payload)
    # Some shapes break up the names that would be flagged; the others are judged.
    for item in ReviewItem.objects.filter(interaction__parent="", state="open"):
        reviewer = people.memberships.get().user
        confirm_verdict(item=item, reviewer=reviewer, version=item.version)


def look_at(visitor, views):
    """Open so many views of each answer, other ones of the next, and all lists."""
    turn = 0
    for answer in Interaction.objects.exclude(parent=""):
        for _ in range(views):
            view = VIEWS[(turn := turn + 1) % len(VIEWS)]
            page = visitor.open(f"/p/acme/answers/{answer.id}/{view}")
            page.evaluate(UNFOLD)
            assert page.evaluate(FOREIGN) == 0, view
    visitor.open(f"/p/acme/runs/{answer.session_id}/")
    for path in LISTS:
        page = visitor.open(f"/p/acme/{path}")
        assert page.evaluate(FOREIGN) == 0, path

    assert page.locator("main").is_visible()
    assert page.locator("header").first.is_visible()


def right_name(kind, payload):
    """A payload that may be a right name; every other one is refused by its field."""
    return payload if is_right_name(kind, payload) else ""


def say_everything(item, reviewer, step):
    """Put every payload wherever a reviewer may type, some where each is an effort."""
    name = item.verification.mentions.filter(status="unverified").first()
    for number, group in enumerate(GROUPS):
        text = "\n".join(group)
        flip = MentionFlip(
            index=name.index,
            status=("unverified", "verified")[number % 2],
            suggestion="" if number % 2 else right_name(name.kind, group[0]),
        )
        missed = tuple(
            Missed(
                text=f"word{PAYLOADS.index(payload)}x",
                kind="function",
                status="unverified",
                suggestion=right_name("function", payload),
            )
            for payload in group[::step]
        )
        item.refresh_from_db()
        apply_decision(
            item=item,
            decision=Decision(
                mentions=(flip,),
                missed=missed,
                correction=text,
                note=text,
                reason=text,
            ),
            reviewer=reviewer,
            version=item.version,
        )


# Each so manieth payload is what a name that was missed should have been.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.deep)])
def test_nothing_a_person_says_runs(visit, people, step):
    words = " ".join(f"word{number}x" for number in range(len(PAYLOADS)))
    send(people, answer=f"See `shop/discounts.py`. {words}")
    item = ReviewItem.objects.get()
    reviewer = people.memberships.get().user
    say_everything(item, reviewer, step)
    acts = [
        open_bulk(
            project=people,
            decision=Decision(verdict="accept", reason="\n".join(some)),
            items=[(item.id, item.version)],
            chosen_by={},
            reviewer=reviewer,
        )
        for some in GROUPS
    ]
    visitor = visit()

    paths = [
        f"answers/{item.interaction_id}/{view}"
        for view in ("?mention=0", "?added=0", "similar/")
    ]
    paths += [f"review/acts/{act.id}/" for act in acts]
    for path in [*paths, *LISTS, "memory/?kind=correction"]:
        page = visitor.open(f"/p/acme/{path}")
        page.evaluate(UNFOLD)
        assert page.evaluate(FOREIGN) == 0, path

    assert page.locator("main").is_visible()
