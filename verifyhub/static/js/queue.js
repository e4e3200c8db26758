// The list's keys and news, and the heartbeat of an item's lease.
(() => {
  const LIVE_SECONDS = 15;
  const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
  const rows = () => [...document.querySelectorAll(".q-row")];
  const current = () => document.querySelector(".q-row[aria-current]");

  const move = (by) => {
    const list = rows();
    if (list.length === 0) return;
    const at = list.indexOf(current());
    const next = list[Math.min(list.length - 1, Math.max(0, at + by))];
    current()?.removeAttribute("aria-current");
    next.setAttribute("aria-current", "true");
    next.querySelector(".queue-task").focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  const ACTIONS = {
    "next-flagged": () => move(1),
    "previous-flagged": () => move(-1),
    tick: () => current()?.querySelector("input[type=checkbox]")?.click(),
  };
  // The same table and the same choice of letters, Alt or nothing as on an answer.
  const table = JSON.parse(document.getElementById("key-map")?.textContent || "{}");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    if (!document.getElementById("queue-table") || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const mode = document.body.dataset.keys;
    const meant = mode !== "off" && event.altKey === (mode === "alt");
    const act = meant && ACTIONS[table[event.key]];
    if (act) {
      act();
      event.preventDefault();
    } else if (event.key === "Enter" && !event.altKey && current() && event.target === document.body) {
      current().querySelector(".queue-task").click();
    }
  });

  // The ticks belong to the form of the bulk bar; assigning takes them along.
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "assign-many") return;
    for (const old of event.target.querySelectorAll("[name=item]")) old.remove();
    for (const tick of document.querySelectorAll(".q-tick input:checked")) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "item", value: tick.value });
      event.target.append(field);
    }
  });

  // News are asked for while somebody looks; what they read stays where it is.
  setInterval(() => {
    const table = document.getElementById("queue-table");
    if (!table || document.hidden || !navigator.onLine || !window.htmx) return;
    const shown = rows().map((row) => `&shown=${row.dataset.item}`).join("");
    window.htmx.ajax("GET", table.dataset.live + shown, { target: "#queue-news", swap: "innerHTML" });
  }, LIVE_SECONDS * 1000);

  const bar = () => document.querySelector("#item-bar[data-token]");
  const post = (url, token) => {
    const body = new FormData();
    body.append("token", token);
    const headers = JSON.parse(document.body.getAttribute("hx-headers") || "{}");
    return fetch(url, { method: "POST", body, headers, keepalive: true });
  };

  const beat = async () => {
    const held = bar();
    if (!held) return;
    try {
      const reply = await post(held.dataset.renew, held.dataset.token);
      if (reply.status !== 409) return;
    } catch {
      return; // Offline: the lease may outlast it, and the next beat tries again.
    }
    const note = document.createElement("p");
    note.className = "note note--bad";
    note.setAttribute("role", "alert");
    note.textContent = held.dataset.lost;
    held.removeAttribute("data-token");
    held.prepend(note);
  };

  let beats = 0;
  setInterval(() => {
    const held = bar();
    beats += 1;
    if (held && !document.hidden && beats % Number(held.dataset.beat) === 0) beat();
  }, 1000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) beat();
  });
  addEventListener("pageshow", (event) => event.persisted && beat());
  // The page may only be loaded anew: the lease ends soon, not at once.
  addEventListener("pagehide", () => {
    const held = bar();
    if (held) post(held.dataset.leave, held.dataset.token);
  });
  // A page that comes back from being left holds on at once.
  beat();
})();
