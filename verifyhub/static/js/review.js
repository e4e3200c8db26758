// Keys of the reviewer. Everything they do is a link or a form that works by itself.
// Which key does what is the server's table (`review/keys.py`), shown as the `?` sheet.
(() => {
  const FLAGGED =
    ".mark--unverified, .claim-flag.claim--contradicted, .claim-flag.claim--unattempted," +
    " .fact-flag.fact--bad, .fact-flag.fact--warn";

  const page = () => document.getElementById("answer-page");
  const sheet = () => document.getElementById("keys");
  const typing = (target) =>
    target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]") !== null;

  // One stop for each name, however often it is named.
  const stops = (all) => {
    const marks = [...document.querySelectorAll(".answer [data-mark]")];
    const first = marks.filter(
      (mark, at) => marks.findIndex((m) => m.dataset.mark === mark.dataset.mark) === at,
    );
    const flagged = first.filter((mark) => mark.matches(FLAGGED));
    return all || flagged.length === 0 ? first : flagged;
  };

  const select = (choice) => {
    for (const mark of document.querySelectorAll(".answer [data-mark]"))
      if (mark.dataset.mark === choice) mark.setAttribute("aria-current", "true");
      else mark.removeAttribute("aria-current");
  };

  // The mark whose evidence is on its way. The one that is selected is always the one
  // that the form beside the answer judges: it changes when the server has answered.
  let awaited = null;
  let afterwards = null;
  const arrived = () => {
    select(document.getElementById("evidence").dataset.choice);
    awaited = null;
    document.body.dataset.showsEvidence = "";
    unhide();
    countSeen();
    afterwards?.();
    afterwards = null;
  };
  // On a phone evidence lies over the foot of the page: the mark that it is about moves
  // out from under it, by no more than that takes.
  const unhide = () => {
    const mark = document.querySelector(".answer [data-mark][aria-current]");
    const sheet = document.getElementById("evidence");
    if (!mark || getComputedStyle(sheet).position !== "fixed") return;
    const hidden = mark.getBoundingClientRect().bottom + 16 - sheet.getBoundingClientRect().top;
    if (hidden > 0) scrollBy(0, hidden);
  };
  const failed = () => {
    awaited = null;
    afterwards = null;
  };

  // Flags whose evidence was shown, by answer: they outlast a decision's new page.
  const seen = new Map();
  const countSeen = () => {
    const place = document.getElementById("seen");
    const answer = page()?.dataset.answer;
    if (!place || !answer) return;
    const flagged = new Set(stops(false).filter((m) => m.matches(FLAGGED)).map((m) => m.dataset.mark));
    const looked = seen.get(answer) ?? new Set();
    seen.set(answer, looked);
    const current = document.querySelector(".answer [data-mark][aria-current]");
    if (current && flagged.has(current.dataset.mark)) looked.add(current.dataset.mark);
    const total = new Set([...flagged, ...looked]).size;
    place.textContent = total
      ? place.dataset.words.replace("{seen}", looked.size).replace("{total}", total)
      : "";
  };

  const step = (by, all) => {
    const list = stops(all);
    if (list.length === 0) return;
    const here = (mark) =>
      awaited ? mark.dataset.mark === awaited.dataset.mark : mark.hasAttribute("aria-current");
    const at = list.findIndex(here);
    const fresh = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length;
    list[fresh].focus({ preventScroll: true });
    list[fresh].scrollIntoView({ block: "nearest" });
    list[fresh].click();
  };

  // `supported` or `right` is to a claim what `verified` is to a name.
  const flip = (status) => {
    if (awaited) {
      afterwards = () => flip(status);
      return;
    }
    const form = document.querySelector("#evidence form.flip");
    if (!form) return;
    const choice = form.querySelector("select[name=status]");
    const right = (option) => ["verified", "supported", "right"].includes(option.value);
    const meant = [...choice.options].find((o) => right(o) === (status === "verified"));
    if (!meant) return;
    choice.value = meant.value;
    form.dataset.open = "";
    showPane();
    form.querySelector("[name=reason]").focus({ preventScroll: true });
  };

  // What is said is said beside the answer: the pane shows its form, the page stays.
  const pane = () => document.getElementById("pane");
  const showPane = () => {
    pane()?.scrollTo({ top: 0 });
    document.body.dataset.showsEvidence = "";
  };
  const open = (details) => {
    for (const other of document.querySelectorAll(".deciding > details[open]"))
      if (other !== details) other.open = false;
    details.open = true;
    showPane();
    const field = details.querySelector("select, textarea, input:not([type=hidden])");
    field.focus({ preventScroll: true });
  };
  // Leaves the form that is open; what was typed stays in it. Says whether there was one.
  const leave = () => {
    const forms = document.querySelectorAll(".deciding > details[open], form.flip[data-open]");
    for (const form of forms) {
      if (form.tagName === "DETAILS") form.open = false;
      else delete form.dataset.open;
    }
    const was = forms.length > 0 || document.body.dataset.showsEvidence !== undefined;
    delete document.body.dataset.showsEvidence;
    if (was) focusMark();
    return was;
  };
  const focusMark = () => {
    const here = document.querySelector(".answer [aria-current]");
    if (here) here.focus({ preventScroll: true });
    else document.activeElement?.blur();
  };

  const press = (action) => {
    const control = document.querySelector(`[data-action="${action}"]`);
    if (!control) return false;
    if (control.dataset.opens) {
      document.getElementById(control.dataset.opens).showModal();
    } else if (control.tagName === "DETAILS") {
      open(control);
    } else {
      control.click();
    }
    return true;
  };

  // What is marked in the answer, and where: code points of the answer's own text.
  let marked = null;
  const points = (text) => [...text].length;
  const placeOf = (node, offset) => {
    const run = node.parentElement?.closest(".answer [data-start]");
    if (!run) return null;
    const before = document.createRange();
    before.setStart(run, 0);
    before.setEnd(node, offset);
    return Number(run.dataset.start) + points(before.toString());
  };
  const mark = () => {
    const selection = getSelection();
    if (selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    const inside = range.commonAncestorContainer;
    const element = inside.nodeType === Node.TEXT_NODE ? inside.parentElement : inside;
    if (!element.closest(".answer")) return;
    const text = selection.toString().trim();
    if (text) marked = { text, start: placeOf(range.startContainer, range.startOffset) };
  };
  document.addEventListener("selectionchange", mark);
  const takeOver = () => {
    // A key can come before the event that tells of the newest selection.
    mark();
    const field = document.getElementById("missed-text");
    if (!field || !marked || field.value) return;
    field.value = marked.text;
    document.getElementById("missed-start").value = marked.start ?? "";
    marked = null;
  };
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.id === "missed" && event.target.open) takeOver();
    },
    true,
  );

  const ACTIONS = {
    "next-flagged": () => step(1, false),
    "previous-flagged": () => step(-1, false),
    "next-any": () => step(1, true),
    "previous-any": () => step(-1, true),
    verify: () => flip("verified"),
    unverify: () => flip("unverified"),
    keys: () => sheet()?.showModal(),
    missed: () => {
      takeOver();
      press("missed");
    },
  };

  // While the field for a reason in words is empty, a number chooses one of the list.
  const pickReason = (event) => {
    const field = event.target;
    if (field.name !== "reason" || field.value || !/^[1-9]$/.test(event.key)) return false;
    const boxes = field.closest("form").querySelectorAll("[name=reason_codes]");
    boxes[Number(event.key) - 1]?.click();
    return true;
  };

  // Where the layout writes no Latin letters the key's place says which one is meant.
  const keyOf = ({ key, code, shiftKey }) => {
    if (key.length !== 1 || /[\x20-\x7e]|\p{Script=Latin}/u.test(key)) return key;
    const letter = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
    if (letter) return shiftKey ? letter : letter.toLowerCase();
    return code === "Slash" && shiftKey ? "?" : key;
  };

  const table = JSON.parse(document.getElementById("key-map")?.textContent || "{}");
  // `letters`, `alt` or `off`: as the person chose for all pages.
  const mode = () => document.body.dataset.keys;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.isComposing || mode() === "off") return;
    if (document.querySelector("dialog[open]")) return;
    // What is typed for a form that is still on its way must not act as keys.
    if (afterwards) {
      event.preventDefault();
      return;
    }
    if (typing(event.target)) {
      if (event.key === "Escape") leave() || event.target.blur();
      else if (!event.altKey && pickReason(event)) event.preventDefault();
      return;
    }
    if (event.key === "Escape" && leave()) return;
    if (event.altKey !== (mode() === "alt")) return;
    const action = table[keyOf(event)];
    if (!action) return;
    if (ACTIONS[action] && (page() || action === "keys")) {
      ACTIONS[action]();
      event.preventDefault();
    } else if (press(action)) {
      event.preventDefault();
    }
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
    const pressed = event.target.closest("[data-press]");
    if (pressed && press(pressed.dataset.press)) {
      event.preventDefault();
      pressed.closest("details.menu")?.removeAttribute("open");
    }
    const flipped = event.target.closest("[data-flip]");
    if (flipped) flip(flipped.dataset.flip);
    if (event.target.closest("[data-sheet]")) leave();
  });

  const isMark = (element) => element?.matches?.(".answer [data-mark]");
  document.addEventListener("htmx:beforeSend", (event) => {
    if (isMark(event.detail.elt)) awaited = event.detail.elt;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const newest = !awaited || event.detail.requestConfig?.elt === awaited;
    if (event.detail.target.id === "evidence" && newest) arrived();
  });
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"])
    document.addEventListener(name, (event) => {
      if (event.detail.elt === awaited) failed();
    });

  // A decision may lead to the next answer, which begins at its top.
  let shown = null;
  // After a decision the keys work at once; after a refusal the field waits.
  document.addEventListener("htmx:afterSettle", (event) => {
    countSeen();
    if (event.detail.requestConfig?.verb !== "post" || !page()) return;
    if (shown && shown !== page().dataset.answer) scrollTo(0, 0);
    shown = page().dataset.answer;
    if (event.detail.target.classList.contains("preview")) return;
    const wrong = page().querySelector('[aria-invalid="true"]');
    const last = "allJudged" in page().dataset && document.querySelector("#decision-bar .primary");
    if (wrong) wrong.focus();
    else if (last) last.focus({ preventScroll: true });
    else focusMark();
  });
  document.addEventListener("DOMContentLoaded", () => {
    shown = page()?.dataset.answer;
    countSeen();
  });
})();
