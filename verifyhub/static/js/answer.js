// The answer page beyond its keys: places in the trace, and links to marks to copy.
// Everything here also works as a link.
(() => {
  const openAt = (element) => {
    for (let at = element; at; at = at.parentElement)
      if (at.tagName === "DETAILS") at.open = true;
    const inside = element.querySelector(":scope > details");
    if (inside) inside.open = true;
    element.scrollIntoView({ block: "center" });
  };

  // A link to a call, or to a place in its text, unfolds what it leads to.
  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const element = id && document.getElementById(id);
    if (element && element.closest("main")) openAt(element);
  };
  addEventListener("hashchange", follow);
  document.addEventListener("DOMContentLoaded", follow);
  // The calls and checks come after the page.
  document.addEventListener("htmx:afterSettle", (event) => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (event.detail.target.id !== "checks" || !id) return;
    const element = document.getElementById(id);
    if (element?.closest("#checks")) openAt(element);
  });

  document.addEventListener("click", async (event) => {
    const place = event.target.closest("a[data-in-timeline]");
    const step = place && document.getElementById(`call-${place.dataset.inTimeline}`);
    const output = step && document.getElementById(`output-${place.dataset.inTimeline}`);
    if (output && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      await htmx.ajax("GET", place.getAttribute("href").split("#")[0], {
        target: output,
        swap: "innerHTML",
      });
      openAt(output.querySelector("mark") || output);
      step.querySelector("summary").focus({ preventScroll: true });
      return;
    }
    const unfold = event.target.closest("[data-unfold]");
    if (unfold) {
      const isOpen = unfold.getAttribute("aria-expanded") === "true";
      const other = unfold.dataset.unfoldWords;
      for (const call of document.querySelectorAll("#timeline .timeline details")) call.open = !isOpen;
      unfold.setAttribute("aria-expanded", String(!isOpen));
      unfold.dataset.unfoldWords = unfold.textContent;
      unfold.textContent = other;
      return;
    }
    const copy = event.target.closest("[data-copies]");
    if (!copy) return;
    const link = new URL(copy.dataset.copies, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      copy.textContent = copy.dataset.copied;
    } catch {
      // Without leave to the clipboard the link stands in the address bar.
      history.replaceState(null, "", link);
    }
  });
})();
