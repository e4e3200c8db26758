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

  const say = (text) => {
    const place = document.getElementById("flash");
    if (!place) return;
    const note = document.createElement("p");
    note.className = "note note--bad";
    note.textContent = text;
    place.replaceChildren(note);
  };
  document.addEventListener("htmx:sendError", () =>
    say("The server cannot be reached. Nothing was changed; try again."),
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
    say(`The server refused this (${event.detail.xhr.status}). Reload the page and try again.`),
  );
})();
