// The next answer is fetched while this one is looked at, so that a decision shows it at
// once. The server says whether it still is the next one, as it was fetched; if not, it
// answers with the page that is.
(() => {
  const HEADER = "X-Ahead";
  const PAUSE = 150;
  const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

  let fetched = null;
  const fetchAhead = async () => {
    const page = document.getElementById("answer-page");
    const address = page?.dataset.ahead;
    const of = page?.dataset.answer;
    if (!address || fetched?.of === of) return;
    const mine = { of };
    fetched = mine;
    try {
      const reply = await fetch(address, { headers: { "HX-Request": "true" } });
      if (reply.status !== 200 || reply.redirected) return;
      const next = parsed(await reply.text());
      const stamp = next.getElementById("answer-page")?.dataset.stamp;
      if (!stamp) return;
      Object.assign(mine, { next, stamp });
      if (page.isConnected) page.dataset.fetched = "";
    } catch {
      // Offline: the decision is answered with the whole page, or told to have failed.
    }
  };
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(fetchAhead, PAUSE);
  };
  document.addEventListener("DOMContentLoaded", soon);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id === "answer-page") soon();
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, verb } = event.detail;
    const leads = verb === "post" && elt.querySelector?.("[name=move_on]");
    const shown = document.getElementById("answer-page")?.dataset.answer;
    if (leads && fetched?.stamp && fetched.of === shown) headers[HEADER] = fetched.stamp;
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const stamp = event.detail.xhr.getResponseHeader(HEADER);
    if (!stamp || fetched?.stamp !== stamp) return;
    const { next } = fetched;
    event.detail.serverResponse = next.head.innerHTML + next.body.innerHTML;
  });

  // Who has the answer now, its place in the queue, and what can be undone, was not
  // known when it was fetched.
  document.addEventListener("htmx:afterSettle", async (event) => {
    const page = document.getElementById("answer-page");
    const address = page?.dataset.goingOn;
    if (!address || event.detail.target.id !== "answer-page") return;
    delete page.dataset.goingOn;
    const reply = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!reply?.ok || reply.redirected || page.dataset.answer !== document.getElementById("answer-page")?.dataset.answer) return;
    const known = parsed(await reply.text());
    const time = known.querySelector("[name=shown]").value;
    for (const field of page.querySelectorAll("[name=shown]")) field.value = time;
    for (const part of known.querySelectorAll("body > [id]")) {
      const place = document.getElementById(part.id);
      if (!place) continue;
      place.replaceWith(part);
      window.htmx.process(part);
    }
  });
})();
