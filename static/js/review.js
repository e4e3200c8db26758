// Keys of the reviewer. Everything they do is a link or a form that works by itself.
(() => {
  const FLAGGED =
    ".mark--unverified, .claim-flag.claim--contradicted, .claim-flag.claim--unattempted";

  const page = () => document.getElementById("answer-page");
  const typing = (target) =>
    target.closest("input, select, textarea, [contenteditable]") !== null;

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

  const step = (by, all) => {
    const list = stops(all);
    if (list.length === 0) return;
    const at = list.findIndex((mark) => mark.hasAttribute("aria-current"));
    const fresh = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length;
    list[fresh].focus();
    list[fresh].click();
  };

  const flip = (status) => {
    const form = document.querySelector(`#evidence form[data-flips-to="${status}"]`);
    if (form) form.querySelector("[name=reason]").focus();
  };

  const press = (key) => {
    const control = document.querySelector(`[data-key="${key}"]`);
    if (!control) return false;
    if (control.dataset.opens) {
      document.getElementById(control.dataset.opens).showModal();
    } else if (control.tagName === "DETAILS") {
      control.open = true;
      control.querySelector("select, input:not([type=hidden])").focus();
    } else {
      control.click();
    }
    return true;
  };

  const KEYS = {
    j: () => step(1, false),
    k: () => step(-1, false),
    J: () => step(1, true),
    K: () => step(-1, true),
    v: () => flip("verified"),
    u: () => flip("unverified"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (KEYS[event.key] && page()) {
      KEYS[event.key]();
      event.preventDefault();
    } else if ("aoznN?".includes(event.key) && press(event.key)) {
      event.preventDefault();
    }
  });

  document.addEventListener("click", (event) => {
    const mark = event.target.closest(".answer [data-mark]");
    if (mark) select(mark);
    const opener = event.target.closest("[data-opens]");
    if (opener) document.getElementById(opener.dataset.opens).showModal();
  });

  // After a decision the keys work at once; after a refusal the field waits.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.verb !== "post" || !page()) return;
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
