"""The queue's API: list, lease, release, assign, by keys with the scope `review`."""

import pytest

from tests.factories import ReviewItemFactory
from verifyhub.review.models import ReviewItem

ITEMS = "/api/v1/review/items/"
JSON = "application/json"


def test_items_are_listed_by_rank_in_pages(api, project):
    low, high = (ReviewItemFactory(project=project, rank=rank) for rank in (1, 2))
    ReviewItemFactory(rank=3)

    body = api.get(ITEMS).json()

    assert [item["id"] for item in body["results"]] == [str(high.id), str(low.id)]
    assert body["next_cursor"] is None


def test_a_page_is_as_long_as_asked_for(api, project):
    ids = [str(ReviewItemFactory(project=project, rank=-n).id) for n in range(3)]

    first = api.get(f"{ITEMS}?limit=2").json()
    rest = api.get(f"{ITEMS}?limit=2&cursor={first['next_cursor']}").json()

    assert [item["id"] for item in first["results"]] == ids[:2]
    assert [item["id"] for item in rest["results"]] == ids[2:]
    assert rest["next_cursor"] is None


LISTS = (
    ITEMS,
    "/api/v1/interactions/",
    "/api/v1/constraints/",
    "/api/v1/learning/examples/",
    "/api/v1/learning/pairs/",
)


@pytest.mark.parametrize("url", LISTS)
@pytest.mark.parametrize("limit", ["0", "-1", "many", "", "٣"])
def test_a_limit_that_is_no_number_is_refused_by_every_list(api, url, limit):
    reply = api.get(url, {"limit": limit})

    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == ["limit"]


@pytest.mark.parametrize("url", LISTS)
def test_a_limit_beyond_the_longest_page_gives_the_longest(api, url):
    assert api.get(url, {"limit": "9" * 30}).status_code == 200


def test_the_openapi_document_knows_the_limit(client):
    path = client.get("/api/openapi.json").json()["paths"]["/api/v1/review/items/"]

    assert {"cursor", "limit", "text", "risk"} <= {
        parameter["name"] for parameter in path["get"]["parameters"]
    }


def test_a_cursor_that_no_page_gave_is_refused_by_name(api, project):
    ReviewItemFactory(project=project)

    reply = api.get("/api/v1/review/items/?cursor=old")

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == "cursor"


def test_unknown_filters_are_refused(api, project):
    assert api.get(f"{ITEMS}?colour=red").status_code == 400


def test_a_key_takes_and_gives_back(api, project):
    item = ReviewItemFactory(project=project)

    lease = api.post(f"{ITEMS}lease/", {}, content_type=JSON).json()
    nothing = api.post(f"{ITEMS}lease/", {}, content_type=JSON)
    released = api.post(f"{ITEMS}{item.id}/release/")
    again = api.post(f"{ITEMS}{item.id}/release/")

    assert lease["item"] == str(item.id)
    assert nothing.status_code == 204
    assert (released.status_code, again.status_code) == (204, 409)


def test_a_key_assigns(api, project, reviewer, viewer):
    item = ReviewItemFactory(project=project)
    url = f"{ITEMS}{item.id}/assign/"

    given = api.post(url, {"assignee": "reviewer"}, content_type=JSON)
    refused = api.post(url, {"assignee": "viewer"}, content_type=JSON)

    assert given.json()["assignee"] == "reviewer"
    assert refused.status_code == 400
    assert ReviewItem.objects.get().assignee == reviewer


@pytest.mark.parametrize("act", ["lease", "release", "assign"])
def test_foreign_items_are_not_found(api, act):
    url = f"{ITEMS}{ReviewItemFactory().id}/{act}/"

    assert api.post(url, {"assignee": None}, content_type=JSON).status_code == 404


def test_a_key_needs_the_scope(api, api_key):
    api_key.scopes = ["read"]
    api_key.save()

    assert api.get(ITEMS).status_code == 403
