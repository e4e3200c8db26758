"""The people of the demo."""

from verifyhub.accounts.models import Role

LEAD = "demo-lead"
ANA = "demo-ana"
BEN = "demo-ben"
PEOPLE = {LEAD: Role.LEAD, ANA: Role.REVIEWER, BEN: Role.REVIEWER}
