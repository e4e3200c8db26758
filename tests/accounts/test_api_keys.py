import pytest

from verifyhub.accounts.services import (
    KeyAlreadyRevokedError,
    WeakSecretError,
    issue_api_key,
    revoke_api_key,
)
from verifyhub.audit.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_a_key_is_stored_without_its_secret(project):
    key, secret = issue_api_key(project=project, name="ci")

    stored = {str(value) for value in vars(key).values()}
    assert secret.startswith("vh_")
    assert len(secret) >= 46
    assert secret not in stored


def test_issuing_a_key_is_audited_without_its_secret(project, admin):
    key, secret = issue_api_key(project=project, name="ci", created_by=admin)

    event = AuditEvent.objects.get(action="accounts.api_key_issued")
    assert (event.object_id, event.actor) == (str(key.id), admin)
    assert secret not in str(event.after)


@pytest.mark.parametrize("secret", ["vh_short", "sk_" + "x" * 40])
def test_a_weak_secret_is_refused(project, secret):
    with pytest.raises(WeakSecretError):
        issue_api_key(project=project, name="ci", secret=secret)


def test_a_key_is_revoked_once(project, admin):
    key, _ = issue_api_key(project=project, name="ci")
    revoke_api_key(key=key, actor=admin)

    with pytest.raises(KeyAlreadyRevokedError):
        revoke_api_key(key=key, actor=admin)

    assert AuditEvent.objects.filter(action="accounts.api_key_revoked").count() == 1
