"""Deeds on records in verbs that no list has, held against the calls that write."""

import pytest

from tests.engine.completion.builders import call, statuses

MEMBER = call(
    "get_member",
    '{"member_id": "M-2041", "name": "Ida Holm", "plan": "Day", "state": "active"}',
    member_id="M-2041",
)


def phone_changed(member="M-2041"):
    return call("set_phone", '{"updated": true}', member_id=member, phone="555-0107")


@pytest.mark.parametrize(
    "answer",
    [
        "Ich habe Ihren Schrank umgestöpselt.",
        "Ihr Schrank wurde umgestöpselt.",
        "J'ai dépoussiéré votre contrat.",
        "Votre contrat a bien été dépoussiéré.",
        "He empaquetado tu membresía.",
        "Tu membresía ha sido empaquetada.",
        "Я переклеила вашу карту.",
        "Ваша карта переклеена.",
        "I took the liberty of extending your membership.",
        "I had your locker reassigned.",
        "I have gone ahead and swapped your locker.",
        "Your locker was rekeyed.",
        "You have successfully redeemed 40 points.",
    ],
)
def test_a_deed_is_read_by_its_form_and_missed_where_nothing_was_written(answer):
    assert statuses(answer, MEMBER) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "Ich habe Ihren Vertrag nachgelesen und nichts gefunden.",
        "Ich habe Ihren Vertrag angeschaut.",
        "J'ai consulté votre contrat.",
        "J'ai bien compris votre demande.",
        "He revisado tu contrato.",
        "Я нашла ваш договор.",
        "The latest note says the door was rekeyed.",
        "It has been reassigned twice.",
        "Put the card on your dashboard.",
        "The old boiler went out of warranty.",
    ],
)
def test_finding_out_telling_and_asking_are_no_deeds(answer):
    assert statuses(answer, MEMBER) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Ich habe Ihre Nummer umgestöpselt.",
        "J'ai dépoussiéré la fiche M-2041.",
    ],
)
def test_an_unlisted_verb_is_left_open_where_a_call_may_be_it(answer):
    assert statuses(answer, MEMBER, phone_changed()) == ["unchecked"]


def test_a_call_that_another_sentence_tells_of_is_no_second_deed():
    answer = "I've updated your phone to 555-0107. I've bumped your booking to a suite."

    assert statuses(answer, MEMBER, phone_changed()) == ["supported", "unattempted"]


def test_a_call_on_an_id_that_only_resembles_a_known_one_did_nothing_for_the_reader():
    answer = "Your phone number has been updated."

    assert statuses(answer, MEMBER, phone_changed()) == ["supported"]
    assert statuses(answer, MEMBER, phone_changed("M-2014")) == ["unattempted"]


def test_a_claim_may_name_an_id_that_no_record_shows():
    answer = "I updated the phone number of M-2014."

    assert statuses(answer, MEMBER, phone_changed("M-2014")) == ["supported"]


def test_what_is_added_needs_the_address_that_is_named():
    answer = "I also added bo@mail.example as a contact."

    assert statuses(answer, MEMBER, call("add_seat", "{}", count=1)) == ["unattempted"]
    added = call("add_contact", "{}", email="bo@mail.example")
    assert "unattempted" not in statuses(answer, added)


def test_a_sum_that_the_run_never_shows_was_moved_by_no_booking():
    price = call("get_slots", '{"slots": [{"slot": "S-1", "price": 12}]}')
    booked = call("book_slot", '{"slot": "S-1", "ok": true}', slot="S-1")
    answer = "A credit of $30 was applied to your account."

    assert statuses(answer, price, booked) == ["unattempted"]


def test_a_status_of_another_record_is_no_fact_of_the_claimed_one():
    answer = "Your policy has been suspended."
    member = call("get_member", '{"member": "M-2041", "state": "suspended"}')
    policy = call("get_policy", '{"policy": "P-88", "state": "suspended"}')

    assert statuses(answer, member) == ["unattempted"]
    assert statuses(answer, policy) == []


REPORT = call("file_report", '{"report": "RP-70114", "state": "NEW"}', member="M-2041")


def test_an_id_that_only_one_call_returned_tells_which_call_is_meant():
    assert statuses("Ihre Meldung ist unter RP-70114 beauftragt.", MEMBER, REPORT) == [
        "unchecked"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Unfortunately, the transfer was rejected.",
        "I couldn't remove it: the locker is locked while it is in use.",
        "The locker is only blocked from $15.",
        "**Row 7:** couldn't be renewed, it's been extended twice already",
        "Une séance est facturée, soit 12 € sur les 40 € du carnet.",
    ],
)
def test_reasons_limits_and_rules_are_no_deeds(answer):
    assert statuses(answer, MEMBER) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Ticket T-40117 is in the name of Bo Lind now.",
        "Tickets T-40117 and T-40118 are void now.",
        "Your stay now runs from May 9 to May 12.",
        "The limit for room 204 is now $800.",
    ],
)
def test_what_a_thing_has_become_is_a_deed(answer):
    assert statuses(answer, MEMBER) == ["unattempted"]


def test_a_status_that_is_the_verb_supports_a_claim_with_its_value():
    queued = call("deploy", '{"status": "queued", "version": "31.0.15"}', asset="LT-8")

    assert statuses("Version 31.0.15 is queued for your laptop.", queued) == [
        "supported"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Te acabo de mandar la llave por SMS; acabo de enviarte otra.",
        "Je viens d'annuler votre visite.",
        "You have a room at The Mill from tonight until 4 March.",
        "Locker 204 (row 7) is in the name of Bo Lind now.",
        "A voucher is waiting in your account.",
        "Un rappel vous a été programmé pour le 26 février.",
    ],
)
def test_what_was_just_done_and_what_the_reader_now_has_are_deeds(answer):
    assert statuses(answer, MEMBER) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "Acabo de comprobar tu contrato.",
        "Je viens de vérifier votre contrat.",
        "Aquí está tu pedido.",
    ],
)
def test_what_was_just_looked_at_is_no_deed(answer):
    assert statuses(answer, MEMBER) == []
