// The list's keys and news, and the heartbeat of an item's lease.
(() => {
  const LIVE_SECONDS = 15;
  const PULSE_SECONDS = 1;
  const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
  const rows = () => [...document.querySelectorAll(".q-row")];
  const current = () => document.querySelector(".q-row[aria-current]");

  const choose = (row) => {
    current()?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block: "nearest" });
  };
  const move = (by) => {
    const list = rows();
    if (list.length === 0) return;
    const at = list.indexOf(current());
    const next = list[Math.min(list.length - 1, Math.max(0, at + by))];
    choose(next);
    if (isPeeking()) show(next);
    else next.querySelector(".queue-task").focus({ preventScroll: true });
  };

  // The panel beside the list: the answer of the current row, with what decides it.
  const peek = () => document.getElementById("peek");
  const isPeeking = () => peek() && !peek().hidden;
  const room = matchMedia("(min-width: 60.01rem)");
  const show = (row) => {
    const link = row.querySelector(".queue-task");
    if (!room.matches) {
      link.click();
      return;
    }
    choose(row);
    peek().hidden = false;
    peek().focus({ preventScroll: true });
    // While one is on its way the newest that is asked for waits; the others are not.
    window.htmx.ajax("GET", link.getAttribute("href"), { source: "#peek", target: "#peek", swap: "innerHTML" });
  };
  const hide = () => {
    peek().hidden = true;
    peek().replaceChildren();
    current()?.querySelector(".queue-task").focus({ preventScroll: true });
  };
  // The answer's own links are told from its page, which this is not.
  const own = () => peek()?.querySelector("#answer-page")?.dataset.url;
  document.addEventListener("htmx:configRequest", (event) => {
    const { detail } = event;
    if (detail.path.startsWith("?") && peek()?.contains(detail.elt)) detail.path = own() + detail.path;
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const link of peek()?.querySelectorAll('a[href^="?"]') ?? [])
      link.setAttribute("href", own() + link.getAttribute("href"));
  });
  document.addEventListener("decided", () => {
    current()?.classList.add("q-row--done");
    const list = rows();
    const next = list.slice(list.indexOf(current())).find((row) => !row.classList.contains("q-row--done"));
    if (next) show(next);
    else hide();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-peek]");
    if (opener) show(opener.closest(".q-row"));
    if (event.target.closest("[data-peek-close]")) hide();
  });
  // Before the answer's own keys: they take Esc for the mark that is selected.
  document.addEventListener(
    "keydown",
    (event) => {
      if (!isPeeking() || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const form = "#peek .deciding > details[open], #peek form.flip[data-open]";
      if (by) move(by);
      else if (event.key === "Escape" && !document.querySelector(form)) hide();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  const ACTIONS = {
    "next-flagged": () => isPeeking() || move(1),
    "previous-flagged": () => isPeeking() || move(-1),
    tick: () => current()?.querySelector("input[type=checkbox]")?.click(),
    peek: () => {
      if (isPeeking()) hide();
      else if (rows().length) show(current() ?? rows()[0]);
    },
  };
  const countTicks = () => {
    const place = document.getElementById("ticked");
    if (place) place.textContent = document.querySelectorAll(".q-tick [name=item]:checked").length;
  };
  document.addEventListener("change", (event) => {
    if (event.target.id === "tick-all")
      for (const tick of document.querySelectorAll(".q-tick [name=item]")) tick.checked = event.target.checked;
    if (event.target.closest(".q-tick")) countTicks();
  });

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
    for (const tick of document.querySelectorAll(".q-tick [name=item]:checked")) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "item", value: tick.value });
      event.target.append(field);
    }
  });

  // News are asked for while somebody looks; what they read stays where it is. Whether
  // there are any is asked often, and costs little; what others have claimed is not.
  const looks = () => {
    const table = document.getElementById("queue-table");
    return table && !document.hidden && navigator.onLine && window.htmx ? table : null;
  };
  const hear = () => {
    const table = looks();
    if (!table) return;
    const shown = rows().map((row) => `&shown=${row.dataset.item}`).join("");
    window.htmx.ajax("GET", table.dataset.live + shown, { target: "#queue-news", swap: "innerHTML" });
  };
  setInterval(hear, LIVE_SECONDS * 1000);
  let quietUntil = 0;
  setInterval(async () => {
    const table = looks();
    if (!table || Date.now() < quietUntil) return;
    try {
      const reply = await fetch(table.dataset.pulse);
      const latest = reply.ok && !reply.redirected ? await reply.text() : "";
      if (!latest) quietUntil = reply.ok ? 0 : Date.now() + LIVE_SECONDS * 1000;
      else if (latest > table.dataset.heard) {
        table.dataset.heard = latest;
        hear();
      }
    } catch {
      // The server is being restarted, or the network is away: the next one asks again.
    }
  }, PULSE_SECONDS * 1000);

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
