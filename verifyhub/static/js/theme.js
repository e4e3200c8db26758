// Runs before the first paint, so that a chosen theme never flashes in another one.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    // A choice made by the button holds until the person's own setting changes.
    const own = localStorage.getItem("theme-over") ?? "";
    if ((theme === "light" || theme === "dark") && own === (root.dataset.ownTheme ?? ""))
      root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's theme is right then.
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`tz=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `tz=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  }
})();
