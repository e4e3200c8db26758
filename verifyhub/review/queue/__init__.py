"""Queue: the answers that need review, their order, leases and assignment."""

from verifyhub.review.queue.assignment import assign_items, reviewer_named
from verifyhub.review.queue.filters import DECIDED, all_with_text, filtered
from verifyhub.review.queue.forms import QueueFilterForm
from verifyhub.review.queue.item_views import bar_context, place_context
from verifyhub.review.queue.items import hold_item, item_for, open_items, refresh_items
from verifyhub.review.queue.leases import (
    Holder,
    LeasedItem,
    end_lease,
    holder_name,
    is_held,
    keep_lease,
    lease_item,
    lease_next,
    release_item,
)
from verifyhub.review.queue.old_items import place_old_items
from verifyhub.review.queue.order import UnreadableCursorError
from verifyhub.review.queue.places import rerank, spread_reach
from verifyhub.review.queue.reach import runs_without_evidence
from verifyhub.review.queue.reason_words import KIND_NAMES, english_words, words_of
from verifyhub.review.queue.rotation import (
    deal_items,
    projects_that_deal,
    take_back_items,
)
from verifyhub.review.queue.seats import clear_seats
from verifyhub.review.queue.selectors import (
    PAGE_SIZE,
    item_judging,
    item_of,
    open_count,
    projects_to_rerank,
    queue_page,
    queued_items,
)
from verifyhub.review.queue.views import next_without_taking, take_next
