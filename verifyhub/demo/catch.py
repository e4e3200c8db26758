"""Compare the planted faults with the stored verdicts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifyhub.accounts.models import Project
from verifyhub.demo.plants import Plant
from verifyhub.engine.types import Span
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.models import Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtPlace:
    """A range of an answer that a verification checked."""

    span: Span
    text: str
    flagged: bool


@dataclass(slots=True)
class Catch:
    """Counts of planted and of flagged places, by kind of plant.

    Attributes:
        planted, flagged: By kind; a flagged fault was found, a flagged honest case is
            a false alarm.
        answers, with_fault: Verified answers, and those with a fault.
        missed, alarms: Each fault not flagged, and each true place that was.
        other: True places that are no named case; other_flagged of them were flagged.
    """

    planted: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    with_fault: int = 0
    missed: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    other: int = 0
    other_flagged: int = 0


def count_catch(project: Project) -> Catch:
    """Compare the plants of a project's runs with the stored verdicts."""
    catch = Catch()
    finished = Verification.objects.filter(
        project=project,
        number=1,
        state=Verification.State.FINISHED,
        interaction__metadata__has_key="planted",
    ).select_related("interaction")
    for verification in finished.order_by("interaction__client_id"):
        metadata = verification.interaction.metadata or {}
        plants = [Plant.from_dict(data) for data in metadata["planted"]]
        run_id = verification.interaction.client_id or ""
        _count(catch, run_id, plants, list(places(verification.verdict_object)))
    return catch


def places(report: VerificationReport) -> Iterator[CaughtPlace]:
    """Yield each place of a report: names that count, and claims of work."""
    for mention in report.mentions:
        for span in mention.spans:
            yield CaughtPlace(span=span, text=mention.text, flagged=mention.is_flagged)
    for claim in report.completion_claims:
        yield CaughtPlace(span=claim.span, text=claim.text, flagged=claim.is_flagged)


def _count(
    catch: Catch, run_id: str, plants: list[Plant], places: list[CaughtPlace]
) -> None:
    catch.answers += 1
    catch.with_fault += any(plant.is_fault for plant in plants)
    for plant in plants:
        hit = any(
            place.flagged and _overlap(place.span, plant.span) for place in places
        )
        catch.planted[plant.kind] += 1
        catch.flagged[plant.kind] += hit
        if plant.is_fault and not hit:
            catch.missed.append(f"{run_id} {plant.kind}: {plant.text}")
        if hit and not plant.is_fault:
            catch.alarms.append(f"{run_id} {plant.kind}: {plant.text}")
    for place in places:
        if not any(_overlap(place.span, plant.span) for plant in plants):
            catch.other += 1
            catch.other_flagged += place.flagged
            if place.flagged:
                catch.alarms.append(f"{run_id}: {place.text}")


def _overlap(first: Span, second: Span) -> bool:
    return first[0] < second[1] and second[0] < first[1]
