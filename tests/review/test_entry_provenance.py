"""Where an entry comes from stands on its page: run, check, evidence or person."""

import re
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services import prefer
from verifyhub.review.decide import override_mention
from verifyhub.verification.models import MentionStatus


def shown(client, entry):
    url = reverse("review:memory-entry", args=[entry.project.slug, entry.id])
    page = client.get(url).content.decode()
    why = page.partition('id="why"')[2].partition("</section>")[0]
    return re.sub(r"\s+", " ", why)


def test_a_finding_leads_to_its_answer_verification_check_and_evidence(
    project, viewer, browse, answered
):
    answer = answered()
    run = answer.verifications.get()
    finding = MemoryEntry.objects.get(text="shop/pricing.py")

    why = shown(browse(viewer), finding)

    assert (finding.verification_id, finding.check_name) == (run.id, "grounding")
    assert finding.evidence["tool_call"] == 0
    assert reverse("review:answer-detail", args=["acme", answer.id]) in why
    assert "number 1" in why
    assert ">grounding<" in why
    call = reverse("review:answer-call", args=["acme", answer.id, 0])
    assert f'href="{call}?' in why
    assert "Tool call 0" in why
    assert "output, grade C" in why


def test_a_correction_names_the_person_the_decision_and_the_reason(
    project, reviewer, browse, item
):
    override_mention(
        item=item,
        mention=item.verification.mentions.get(text="shop/discounts.py"),
        status=MentionStatus.VERIFIED,
        reason="It is on the other branch.",
        reviewer=reviewer,
        version=item.version,
    )
    correction = MemoryEntry.objects.get(kind="correction")

    why = shown(browse(reviewer), correction)

    assert correction.author == str(reviewer)
    assert "unverified → verified" in why
    assert str(reviewer) in why
    assert "It is on the other branch." in why
    assert reverse("review:answer-detail", args=["acme", item.interaction_id]) in why


def test_a_preference_names_the_lead_and_why(project, lead, browse):
    entry = prefer(
        project=project,
        text="Write British English.",
        reason="The manual does.",
        expires_at=timezone.now() + timedelta(days=1),
        actor=lead,
    )

    why = shown(browse(lead), entry)

    assert f"Lead, {lead}" in why
    assert "The manual does." in why
    assert "No answer belongs to it." in why
