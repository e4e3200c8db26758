// Ctrl-K or ⌘K: go to any page of the navigation, or to an answer, session or constraint.
(() => {
  const MOST_PAGES = 8;
  const box = () => document.getElementById("palette");
  const field = () => document.getElementById("palette-text");
  const links = () => [...box().querySelectorAll(".palette-found a")];

  // The navigation holds the pages that the role may open, each in its group.
  const pages = () =>
    [...document.querySelectorAll("#rail a")].map((link) => {
      const group = link.closest("details")?.querySelector("summary")?.textContent.trim() ?? "";
      const name = link.firstChild.textContent.trim();
      return { group, name, href: link.getAttribute("href") };
    });

  const show = () => {
    const words = field().value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const meant = pages().filter(({ group, name }) => {
      const said = `${group} ${name}`.toLocaleLowerCase();
      return words.every((word) => said.includes(word));
    });
    const rows = meant.slice(0, MOST_PAGES).map(({ group, name, href }) => {
      const row = document.createElement("li");
      const link = document.createElement("a");
      const kind = document.createElement("span");
      link.href = href;
      kind.className = "small soft";
      kind.textContent = group;
      link.append(kind, ` ${name}`);
      row.append(link);
      return row;
    });
    document.getElementById("palette-pages").replaceChildren(...rows);
  };

  const move = (by) => {
    const all = links();
    if (all.length === 0) return;
    const at = all.indexOf(document.activeElement);
    if (at + by < 0) field().focus();
    else all[Math.min(all.length - 1, at + by)].focus();
  };

  document.addEventListener("keydown", (event) => {
    if (!box()) return;
    const isK = event.code === "KeyK" || event.key.toLowerCase() === "k";
    if (isK && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      if (box().open) return box().close();
      if (document.querySelector("dialog[open]")) return;
      box().showModal();
      field().select();
      show();
      return;
    }
    if (!box().open) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === field()) {
      event.preventDefault();
      links()[0]?.click();
    }
  });
  document.addEventListener("input", (event) => {
    if (event.target.id === "palette-text") show();
  });
  document.addEventListener("click", (event) => {
    if (event.target === box()) box().close();
  });
})();
