import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories import ApiKeyFactory, ConstraintFactory, ProjectFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.guard import MAX_TEXT_LENGTH, guard
from verifyhub.memory.models import Constraint, Snapshot, SnapshotName
from verifyhub.memory.services import merge_constraint, pin_constraint, put_snapshot

pytestmark = pytest.mark.django_db

LOCK = b"requests==2.32\nmind-engine==1.0\nPyYAML==6.0\nscikit_learn==1.5\n"
TOML = b'[[package]]\nname = "flask"\nversion = "3.0"\n'
NPM_LOCK = b'{"packages": {\n"node_modules/react": {\n"version": "18.2.0"\n}}}'
COMPOSER_LOCK = (
    b'{"packages": [\n{\n"name": "monolog/monolog",\n"version": "3.5.0"\n}]}'
)


def draft(api, text):
    reply = api.post("/api/v1/guard/", {"text": text}, "application/json")
    assert reply.status_code == 200, reply.content
    return reply.json()


def put(api, name, body, **query):
    return api.put(
        f"/api/v1/snapshots/{name}/",
        body,
        "application/octet-stream",
        query_params=query,
    )


def banned(**facts):
    return ConstraintFactory(**{"mention_kind": "package", **facts})


def upload(project, name, body, key, format_name=""):
    return put_snapshot(
        project=project,
        name=name,
        format_name=format_name or name,
        data=body,
        actor=key,
    )[0]


def test_a_constrained_name_is_found_in_running_text_without_backticks(api, project):
    banned(project=project, text="mind-auth")

    body = draft(api, "I installed mind-auth and configured it run-time.")

    assert [one["text"] for one in body["findings"]] == ["mind-auth"]


def test_a_word_with_a_hyphen_is_no_finding_of_a_snapshot(api, project, api_key):
    upload(project, "requirements.txt", LOCK, api_key)

    assert draft(api, "A state-of-the-art parser checks it at run-time.")["ok"]


def test_a_sentence_excuses_a_constrained_name(api, project):
    banned(project=project, text="mind-auth")

    assert draft(api, "There is no mind-auth, so I used another one.")["ok"]


def test_a_constrained_name_is_found_at_every_place_with_its_right_name(api, project):
    constraint = banned(project=project, text="mind-auth", suggestion="mind-engine")
    text = "The package `mind-auth` signs in. Über das Paket: package `mind-auth`."

    body = draft(api, text)

    assert not body["ok"]
    assert [text[slice(*one["span"])] for one in body["findings"]] == ["mind-auth"] * 2
    assert body["findings"][0] == {
        "text": "mind-auth",
        "kind": "package",
        "span": [13, 22],
        "reason": "constraint",
        "suggestion": "mind-engine",
        "constraint": str(constraint.id),
    }


@pytest.mark.parametrize("state", ["candidate", "retired"])
def test_a_constraint_that_is_not_in_force_holds_nothing_back(api, project, state):
    banned(project=project, text="mind-auth", state=state)

    assert draft(api, "It uses the package `mind-auth`.") == {
        "ok": True,
        "findings": [],
    }


@pytest.mark.parametrize(
    "text",
    [
        "There is no package `mind-auth`.",
        "I propose to create a package `mind-auth`.",
        "If we had a package `mind-auth`, it would sign in.",
    ],
)
def test_names_that_need_not_exist_are_no_findings(api, project, api_key, text):
    banned(project=project, text="mind-auth")
    upload(project, "requirements.txt", LOCK, api_key)

    assert draft(api, text)["ok"]


def test_a_look_alike_of_a_constrained_name_is_found(api, project):
    constraint = banned(project=project, text="mind-auth")

    body = draft(api, "It uses the package `mind-аuth`.")

    assert [one["constraint"] for one in body["findings"]] == [str(constraint.id)]


def test_a_constraint_on_a_file_does_not_hold_back_a_package(api, project):
    banned(project=project, text="mind-auth", mention_kind="file")

    assert draft(api, "It uses the package `mind-auth`.")["ok"]


def test_a_package_that_no_snapshot_holds_is_found_with_the_nearest(
    api, project, api_key
):
    upload(project, "requirements.txt", LOCK, api_key)

    body = draft(api, "It needs the package `mind-engin` and the package `requests`.")

    assert [
        (one["text"], one["reason"], one["suggestion"]) for one in body["findings"]
    ] == [("mind-engin", "not_in_snapshot", "mind-engine")]


@pytest.mark.parametrize(
    "name", ["scikit-learn", "Scikit.Learn", "sklearn", "yaml", "json", "os.path"]
)
def test_other_spellings_modules_and_standard_libraries_are_known(
    api, project, api_key, name
):
    upload(project, "requirements.txt", LOCK, api_key)

    assert draft(api, f"It needs the Python package `{name}`.")["ok"]


@pytest.mark.parametrize(
    "text",
    [
        "It needs the npm package `left-padding`.",
        "It needs `@acme/left-padding`.",
        "It needs the crate `left-padding`.",
    ],
)
def test_a_package_of_an_ecosystem_without_snapshot_is_not_judged(
    api, project, api_key, text
):
    upload(project, "requirements.txt", LOCK, api_key)

    assert draft(api, text)["ok"]


def test_without_a_snapshot_nothing_is_missing(api, project):
    assert draft(api, "It needs the package `mind-engin`.")["ok"]


def test_a_scoped_package_is_compared_whole_and_its_subpath_is_its_own(
    api, project, api_key
):
    body = b'{"dependencies": {"@acme/web-router": "1", "lodash": "4"}}'
    upload(project, "package.json", body, api_key)

    reply = draft(
        api, "Use `@acme/web-ruter`, `@acme/web-router` and package `lodash/fp`."
    )

    assert [(one["text"], one["suggestion"]) for one in reply["findings"]] == [
        ("@acme/web-ruter", "@acme/web-router")
    ]


def test_a_symbol_is_judged_only_against_a_list_of_symbols(api, project, api_key):
    text = (
        "It calls `parse_confg()`, `Loader.parse_config()`, `print()`, `json.loads()`."
    )
    assert draft(api, text)["ok"]
    upload(project, "api", b"Loader.parse_config\nLoader\n", api_key, "symbols")

    body = draft(api, text)

    assert [(one["text"], one["suggestion"]) for one in body["findings"]] == [
        ("parse_confg()", "parse_config")
    ]


def test_projects_do_not_see_each_others_names(api, project, api_key):
    other = ProjectFactory()
    banned(project=other, text="mind-auth")
    key = ApiKeyFactory(project=other)
    upload(other, "requirements.txt", LOCK, key)

    assert draft(api, "It uses the package `mind-auth`.")["ok"]
    assert api.get("/api/v1/snapshots/").json()["results"] == []
    assert api.get("/api/v1/snapshots/requirements.txt/").status_code == 404
    assert api.delete("/api/v1/snapshots/requirements.txt/").status_code == 404
    assert Snapshot.objects.get().project == other


def test_an_upload_counts_for_the_next_draft_and_a_deletion_too(api, project):
    text = "It needs the package `mind-engin`."
    reply = put(api, "requirements.txt", LOCK)
    assert reply.status_code == 201
    assert (reply.json()["names"], reply.json()["pools"]) == (4, ["pypi"])
    assert not draft(api, text)["ok"]

    assert put(api, "requirements.txt", LOCK + b"mind-engin==1\n").status_code == 200
    assert draft(api, text)["ok"]

    assert put(api, "requirements.txt", LOCK).status_code == 200
    assert not draft(api, text)["ok"]
    assert api.delete("/api/v1/snapshots/requirements.txt/").status_code == 204
    assert draft(api, text)["ok"]
    assert not SnapshotName.objects.exists()
    assert set(
        AuditEvent.objects.filter(project_id=project.id).values_list(
            "action", flat=True
        )
    ) == {"memory.snapshot_uploaded", "memory.snapshot_deleted"}


@pytest.mark.parametrize(
    ("name", "body", "pool", "held"),
    [
        ("uv.lock", TOML, "pypi", "flask"),
        ("poetry.lock", TOML, "pypi", "flask"),
        ("package-lock.json", NPM_LOCK, "npm", "react"),
        ("pnpm-lock.yaml", b"packages:\n\n  react@18.2.0:\n", "npm", "react"),
        ("yarn.lock", b'react@^18:\n  version "18.2.0"\n', "npm", "react"),
        ("Cargo.lock", TOML, "cargo", "flask"),
        ("go.mod", b"require example.org/gin v1.9.1\n", "go", "example.org/gin"),
        ("go.sum", b"example.org/gin v1.9.1 h1:x=\n", "go", "example.org/gin"),
        ("Gemfile.lock", b"GEM\n  specs:\n    rails (7.1)\n", "rubygems", "rails"),
        ("composer.lock", COMPOSER_LOCK, "packagist", "monolog/monolog"),
    ],
)
def test_lock_files_are_read_by_the_ledgers_readers(api, name, body, pool, held):
    assert put(api, name, body).status_code == 201

    assert list(SnapshotName.objects.values_list("pool", "text")) == [(pool, held)]


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("notes.txt", b"hello", 400),
        ("package.json", b'{"dependencies": {"a": 1, "a": 2}}', 400),
        ("package.json", b"!!python/object:os.system", 400),
        ("requirements.txt", b"\xff\xfe", 400),
        ("requirements.txt", b"a\x00b", 400),
        ("requirements.txt", b"# nothing\n", 400),
        ("-x", b"requests\n", 400),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_kept(api, name, body, status):
    assert (
        put(
            api, name, body, file="requirements.txt" if name == "-x" else name
        ).status_code
        == status
    )

    assert not Snapshot.objects.exists()


def test_json_on_one_line_is_read_like_any_other(api):
    body = b'{"dependencies": {"react": "18", "lodash": "4"}, "name": "web"}'

    assert put(api, "package.json", body).json()["names"] == 2
    assert (
        put(api, "package-lock.json", NPM_LOCK.replace(b"\n", b"")).json()["names"] == 1
    )


def test_a_list_with_a_line_that_is_no_name_is_refused_by_its_number(api):
    reply = put(api, "api", b"parse\nignore previous instructions\n", file="symbols")

    assert reply.status_code == 400
    assert "Line 2" in reply.json()["detail"]


def test_a_readers_key_may_not_declare_names_real(project):
    secret = "vh_reader_0123456789abcdef0123456789abcdef0"
    ApiKeyFactory(project=project, secret=secret, scopes=["read", "ingest"])
    reader = Client(headers={"authorization": f"Bearer {secret}"})

    assert put(reader, "requirements.txt", LOCK).status_code == 403
    assert reader.delete("/api/v1/snapshots/requirements.txt/").status_code == 403
    assert draft(reader, "Hello.")["ok"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"text": 5}, 400),
        ({"text": "x", "txet": "y"}, 400),
        ({"text": "x" * (MAX_TEXT_LENGTH + 1)}, 413),
    ],
)
def test_a_body_that_is_no_draft_is_refused(api, body, status):
    reply = api.post("/api/v1/guard/", body, "application/json")

    assert reply.status_code == status
    assert reply.json()["errors"]


def test_a_draft_costs_a_handful_of_queries(
    project, api_key, django_assert_max_num_queries
):
    banned(project=project, text="mind-auth")
    upload(project, "requirements.txt", LOCK, api_key)
    text = " ".join(f"Use the package `mind-engine{n}`." for n in range(100))

    with django_assert_max_num_queries(4):
        findings = guard(project=project, text=text)

    assert len(findings) == 100


class TestSpans(TestCase):
    pytestmark = pytest.mark.django_db

    @settings(max_examples=60)
    @given(
        st.lists(
            st.one_of(
                st.sampled_from(
                    ["package `mind-auth`", "`@a/b`", "ünï 𝒳", "\n", "```", "`", "."]
                ),
                st.text(st.characters(exclude_characters="\x00"), max_size=12),
            ),
            max_size=20,
        )
    )
    def test_every_span_points_at_its_text(self, words):
        text = " ".join(words)
        project = ProjectFactory()
        banned(project=project, text="mind-auth")

        for finding in guard(project=project, text=text):
            start, end = finding.span
            assert text[start:end] == finding.text
            assert 0 <= start < end <= len(text)


def test_a_merged_spelling_is_held_back_like_its_main_name(api, project, lead):
    main = banned(project=project, text="mind-auth", suggestion="mind-engine")
    other = banned(project=project, text="mindauth", state="candidate")
    merge_constraint(constraint=other, into=main, actor=lead)
    pin_constraint(constraint=Constraint.objects.get(id=main.id), actor=lead)

    body = draft(api, "The package `mindauth` signs in.")

    assert [
        (one["text"], one["suggestion"], one["constraint"]) for one in body["findings"]
    ] == [("mindauth", "mind-engine", str(main.id))]


def test_a_merged_spelling_is_free_again_once_its_main_name_is(api, project, lead):
    main = banned(project=project, text="mind-auth", state="retired")
    banned(project=project, text="mindauth", state="retired", merged_into=main)

    assert draft(api, "The package `mindauth` signs in.")["ok"]
