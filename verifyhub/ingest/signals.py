"""What this package tells those above it.

`interactions_recorded` is sent inside the transaction that writes the rows, with all
that one statement wrote (`interactions`, a list): what listeners write commits with
them or not at all (ADR 0005, 0053).

`room_asked` is sent before anything is taken in (`project_id`, `count`): a listener
that knows of too much work waiting raises `TooManyWaitingError`.
"""

from django.dispatch import Signal

interactions_recorded = Signal()
room_asked = Signal()
