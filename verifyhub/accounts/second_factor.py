"""Second factors: authenticator apps and backup codes."""

import base64
import os
import secrets
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction

from verifyhub.accounts.factor_devices import seal_secret, stored_form
from verifyhub.accounts.models import Authenticator, BackupCodes, Project, Role, User
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.sealing import UnsealError

logger = get_logger(__name__)

SECRET_BYTES = 20
BACKUP_CODES = 10
CODE_BYTES = 15
ROLES = list(Role)

Device = TypeVar("Device", Authenticator, BackupCodes)


class CodeRefusedError(Exception):
    """A code is not right, was used before, or came too soon after wrong ones."""


class FactorStateError(Exception):
    """The person has no second factor, or one already."""


@dataclass(frozen=True, slots=True)
class FactorState:
    """The state of a person's second factor.

    Attributes:
        is_on: Whether sign-ins ask for it.
        codes_left: Backup codes that were not used.
        secret: Secret of an unconfirmed setup: base32, in groups of four.
        qr_code: The same as SVG, for an app to scan.
    """

    is_on: bool
    codes_left: int = 0
    secret: str = ""
    qr_code: str = ""


def state_of(user: User) -> FactorState:
    """Return the state of a person's second factor; its secret only until confirmed."""
    device = Authenticator.objects.filter(user=user).first()
    if device is None:
        return FactorState(is_on=False)
    if device.confirmed:
        codes = BackupCodes.objects.filter(user=user).first()
        return FactorState(True, codes.token_set.count() if codes else 0)
    try:
        secret = base64.b32encode(device.bin_key).decode()
    except UnsealError:
        return FactorState(is_on=False)
    import segno

    drawn = segno.make(device.config_url, error="m", micro=False)
    svg = str(drawn.svg_inline(dark="#000", light="#fff", omitsize=True))
    return FactorState(False, 0, " ".join(_cut(secret, 4)), svg)


def is_on(user: User) -> bool:
    """Whether signing in as this person takes a code."""
    return bool(Authenticator.objects.filter(user=user, confirmed=True).exists())


def is_asked_of(role: str, project: Project) -> bool:
    """Whether members with this role sign in with a second factor."""
    least = project.second_factor_from
    return bool(least) and ROLES.index(Role(role)) >= ROLES.index(Role(least))


@transaction.atomic
def begin(user: User) -> None:
    """Create a secret; it is active once a code confirms it.

    Raises:
        FactorStateError: If the person has a second factor already.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if is_on(user):
        raise FactorStateError
    Authenticator.objects.filter(user=user).delete()
    sealed = seal_secret(os.urandom(SECRET_BYTES), user_id=user.pk)
    Authenticator.objects.create(user=user, confirmed=False, key=sealed)


def confirm(*, user: User, code: str) -> tuple[Authenticator, list[str]]:
    """Activate the second factor; return the device and the backup codes.

    Raises:
        CodeRefusedError: If the code is not one of the secret.
        FactorStateError: If no secret waits for it.
    """
    codes: list[str] = []
    # That a code was wrong is stored, so nothing is raised inside the transaction.
    with transaction.atomic():
        device = _locked(Authenticator, user, confirmed=False)
        if device is not None and _is_right(device, code):
            device.confirmed = True
            device.save(update_fields=["confirmed"])
            _record(user, user, "accounts.second_factor_on")
            codes = _new_codes(user)
    if device is None:
        raise FactorStateError
    if not codes:
        raise CodeRefusedError
    return device, codes


@transaction.atomic
def renew_codes(user: User) -> list[str]:
    """Replace the backup codes, and return the new ones.

    Raises:
        FactorStateError: If the person has no second factor.
    """
    if _locked(Authenticator, user, confirmed=True) is None:
        raise FactorStateError
    _record(user, user, "accounts.backup_codes_made")
    return _new_codes(user)


def check_code(*, user: User, code: str) -> Authenticator:
    """Check a code of the app, or use a backup code; return the person's authenticator.

    Raises:
        CodeRefusedError: If it is not right, or wrong ones came just before it.
    """
    with transaction.atomic():
        device = _locked(Authenticator, user, confirmed=True)
        is_right = device is not None and (
            _is_right(device, code) if _digits(code) else _is_backup(user, code)
        )
    if device is None or not is_right:
        logger.warning("sign_in.code_refused", user=user.pk)
        raise CodeRefusedError
    return device


@transaction.atomic
def turn_off(*, user: User, actor: User | None, project: Project | None = None) -> None:
    """Deactivate the second factor, also in sessions that gave a code.

    Args:
        user: The person.
        actor: Who does it: the person, an admin, or None for the operator.
        project: Where an admin did, for the record.

    Raises:
        FactorStateError: If the person has none.
    """
    if _locked(Authenticator, user, confirmed=True) is None:
        raise FactorStateError
    Authenticator.objects.filter(user=user).delete()
    BackupCodes.objects.filter(user=user).delete()
    own = actor is not None and actor.pk == user.pk
    action = "accounts.second_factor_off" if own else "accounts.second_factor_reset"
    _record(user, actor, action, project=project)


@transaction.atomic
def ask_from(*, project: Project, role: str, actor: User) -> None:
    """Set the role from which on members need a second factor; empty for none."""
    before = project.second_factor_from
    if role == before:
        return
    project.second_factor_from = role
    project.save(update_fields=["second_factor_from"])
    record_event(
        "accounts.second_factor_rule_set",
        project,
        actor,
        before={"from": before},
        after={"from": role},
    )


def reseal_authenticators() -> tuple[int, list[str]]:
    """Seal every secret under the present VERIFYHUB_SECRET_KEY.

    Returns:
        How many were sealed, and the people whose secret no known key opens.
    """
    done, unreadable = 0, []
    rows = Authenticator.objects.select_related("user").order_by("id")
    for row in rows.select_for_update(of=("self",)):
        try:
            row.key = seal_secret(row.bin_key, user_id=row.user_id)
        except UnsealError:
            unreadable.append(row.user.get_username())
        else:
            row.save(update_fields=["key"])
            done += 1
    return done, unreadable


def _locked(kind: type[Device], user: User, *, confirmed: bool) -> Device | None:
    """A person's device, so that nobody uses a code of it at the same time."""
    rows = kind.objects.filter(user=user, confirmed=confirmed)
    device: Device | None = rows.select_for_update(of=("self",)).first()
    return device


def _is_right(device: Authenticator, code: str) -> bool:
    try:
        return bool(device.verify_token(_digits(code)))
    except UnsealError:
        # Backup codes go on working, and an admin can reset the rest.
        logger.exception("second_factor.sealed_under_another_key")
        return False


def _is_backup(user: User, code: str) -> bool:
    codes = _locked(BackupCodes, user, confirmed=True)
    if codes is None or not codes.verify_token(code):
        return False
    left = codes.token_set.count()
    _record(user, user, "accounts.backup_code_used", after={"left": left})
    return True


def _new_codes(user: User) -> list[str]:
    BackupCodes.objects.filter(user=user).delete()
    device = BackupCodes.objects.create(user=user)
    codes = [
        base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
        for _ in range(BACKUP_CODES)
    ]
    for code in codes:
        device.token_set.create(token=stored_form(code))
    return ["-".join(_cut(code, 6)) for code in codes]


def _cut(text: str, length: int) -> list[str]:
    return [text[at : at + length] for at in range(0, len(text), length)]


def _digits(code: str) -> str:
    """A code as an app shows it, without blanks; empty for anything else."""
    bare = "".join(code.split())
    return bare if len(bare) == 6 and bare.isascii() and bare.isdigit() else ""


def _record(
    user: User,
    actor: User | None,
    action: str,
    *,
    project: Project | None = None,
    after: dict[str, int] | None = None,
) -> None:
    record_event(
        action,
        user,
        actor,
        after=after or {"user": user.get_username()},
        project_id=project.id if project else None,
    )
