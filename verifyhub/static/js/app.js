// The theme button and what every page shares. Pages work without this file.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const current = () => root.dataset.theme || (dark.matches ? "dark" : "light");

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-toggle]");
    if (button) {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
        localStorage.setItem("theme-over", root.dataset.ownTheme ?? "");
      } catch {
        // The choice then holds for this page only.
      }
      return;
    }
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // A phone shows a part of a row of links: the one you are on belongs to it.
  for (const row of document.querySelectorAll(".tabs")) {
    const here = row.querySelector("[aria-current]");
    if (!here || row.scrollWidth <= row.clientWidth) continue;
    const by = here.getBoundingClientRect();
    const of = row.getBoundingClientRect();
    row.scrollLeft += by.left + by.width / 2 - of.left - of.width / 2;
  }

  const words = () => document.getElementById("words").dataset;

  const offline = document.getElementById("offline");
  const look = () => {
    if (offline) offline.hidden = navigator.onLine;
    document.body.classList.toggle("is-offline", !navigator.onLine);
  };
  addEventListener("offline", look);
  addEventListener("online", () => {
    look();
    toast({ text: words().back });
  });
  look();

  // `undo` is an address of this server that takes back what the toast tells of, with
  // the `version` of the item that it is to find; `failed`
  // is the element whose request failed: what a person asked for can be tried again.
  const toast = ({ text, undo, version, failed }) => {
    const place = document.getElementById("toasts");
    if (!place || !text) return;
    const retried = failed?.matches("a, button, form, [data-mark]");
    // What loads by itself does not push aside what a person can try again.
    if (failed && !retried && place.querySelector("[role=alert]")) return;
    const note = document.createElement("div");
    note.className = failed ? "toast toast--bad" : "toast";
    if (failed) note.setAttribute("role", "alert");
    const said = document.createElement("p");
    said.dir = "auto";
    said.textContent = text;
    note.append(said);
    if (undo && undo.startsWith("/") && !undo.startsWith("//")) note.append(undoForm(undo, version, place));
    if (retried) note.append(retryButton(failed, note, place));
    const close = document.createElement("button");
    close.type = "button";
    close.className = "toast-x";
    close.textContent = "×";
    close.setAttribute("aria-label", place.dataset.close);
    close.addEventListener("click", () => note.remove());
    note.append(close);
    place.replaceChildren(note);
    // What can be taken back stays until the next deed or until it is closed.
    if (!undo && !failed) setTimeout(() => note.remove(), 8000);
  };
  const retryButton = (element, note, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = place.dataset.retry;
    button.addEventListener("click", () => {
      note.remove();
      if (element.tagName === "FORM") element.requestSubmit();
      else element.click();
    });
    return button;
  };
  const undoForm = (address, version, place) => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = address;
    const token = document.createElement("input");
    token.type = "hidden";
    token.name = "csrfmiddlewaretoken";
    token.value = JSON.parse(document.body.getAttribute("hx-headers"))["x-csrftoken"];
    const button = document.createElement("button");
    button.textContent = place.dataset.undo;
    const seen = document.createElement("input");
    Object.assign(seen, { type: "hidden", name: "version", value: version ?? 0 });
    form.append(token, seen, button);
    return form;
  };
  document.addEventListener("toast", (event) => toast(event.detail));

  document.addEventListener("htmx:sendError", (event) =>
    toast({ text: words().unreachable, failed: event.detail.elt }),
  );
  // A fragment must not be replaced by the sign-in page: go there, and come back.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (!xhr.responseURL || !new URL(xhr.responseURL).pathname.startsWith("/accounts/login/"))
      return;
    event.detail.shouldSwap = false;
    location.reload();
  });
  document.addEventListener("htmx:responseError", (event) =>
    toast({
      text: words().refused.replace("{status}", event.detail.xhr.status),
      failed: event.detail.elt,
    }),
  );
})();
