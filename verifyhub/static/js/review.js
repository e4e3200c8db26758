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

  const select = (mark) => {
    for (const other of document.querySelectorAll(".answer [aria-current]"))
      other.removeAttribute("aria-current");
    for (const same of document.querySelectorAll(`.answer [data-mark="${mark.dataset.mark}"]`))
      same.setAttribute("aria-current", "true");
  };

  // The mark whose evidence is on its way. The one that is selected is always the one
  // that the form beside the answer judges: it changes when the server has answered.
  let awaited = null;
  let afterwards = null;
  const arrived = () => {
    if (awaited) select(awaited);
    awaited = null;
    afterwards?.();
    afterwards = null;
  };
  const failed = () => {
    awaited = null;
    afterwards = null;
  };

  const step = (by, all) => {
    const list = stops(all);
    if (list.length === 0) return;
    const here = (mark) =>
      awaited ? mark.dataset.mark === awaited.dataset.mark : mark.hasAttribute("aria-current");
    const at = list.findIndex(here);
    const fresh = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length;
    list[fresh].focus();
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
    form.querySelector("[name=reason]").focus();
  };

  const press = (action) => {
    const control = document.querySelector(`[data-action="${action}"]`);
    if (!control) return false;
    if (control.dataset.opens) {
      document.getElementById(control.dataset.opens).showModal();
    } else if (control.tagName === "DETAILS") {
      control.open = true;
      const field = control.querySelector("select, textarea, input:not([type=hidden])");
      field.focus();
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
      if (event.key === "Escape") event.target.blur();
      else if (!event.altKey && pickReason(event)) event.preventDefault();
      return;
    }
    if (event.altKey !== (mode() === "alt")) return;
    const action = table[event.key];
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
  });

  const isMark = (element) => element?.matches?.(".answer [data-mark]");
  document.addEventListener("htmx:beforeSend", (event) => {
    if (isMark(event.detail.elt)) awaited = event.detail.elt;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "evidence" && event.detail.requestConfig?.elt === awaited) arrived();
  });
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"])
    document.addEventListener(name, (event) => {
      if (event.detail.elt === awaited) failed();
    });

  // After a decision the keys work at once; after a refusal the field waits.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.verb !== "post" || !page()) return;
    if (event.detail.target.classList.contains("preview")) return;
    const wrong = page().querySelector('[aria-invalid="true"]');
    const here = wrong || page().querySelector(".answer [aria-current]");
    if (here) here.focus({ preventScroll: !wrong });
    else document.activeElement?.blur();
  });

  // On a phone the evidence stands below the answer: bring it into view.
  document.addEventListener("htmx:afterSwap", (event) => {
    const panel = document.getElementById("evidence");
    if (event.detail.target.id !== "evidence" || !panel) return;
    if (panel.getBoundingClientRect().top > innerHeight - 80)
      panel.scrollIntoView({ block: "start" });
  });
})();
