// The next answer is fetched while this one is looked at, so that a decision shows it at
// once: as a picture that takes neither keys nor clicks, until the server has said that
// the decision holds and this is what comes next. Where it says otherwise the picture
// goes, and what the server answers is shown: the answer that was judged, with the
// error, or another next one.
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

  let shownAhead = null;
  document.addEventListener("htmx:beforeSend", (event) => {
    const { requestConfig, target, xhr } = event.detail;
    if (target.id !== "answer-page" || !fetched?.stamp) return;
    if (requestConfig.headers[HEADER] !== fetched.stamp) return;
    const picture = document.importNode(fetched.next.getElementById("answer-page"), true);
    picture.inert = true;
    picture.ariaBusy = "true";
    shownAhead = { xhr, picture, page: target, top: scrollY, keys: [] };
    target.before(picture);
    target.hidden = true;
    scrollTo(0, 0);
  });
  // Takes the picture away, before the server's answer is shown or instead of it.
  const takeAway = (xhr) => {
    if (shownAhead?.xhr !== xhr) return;
    const { picture, page, top } = shownAhead;
    shownAhead = null;
    picture.remove();
    page.hidden = false;
    if (page.isConnected) scrollTo(0, top);
  };
  document.addEventListener("htmx:afterRequest", (event) => takeAway(event.detail.xhr));

  // Keys for what the picture shows wait until it is the page, and are dropped if
  // another one comes: they must not judge what nobody has seen.
  document.addEventListener(
    "keydown",
    (event) => {
      if (!shownAhead || event.ctrlKey || event.metaKey) return;
      shownAhead.keys.push(event);
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  const press = ({ key, code, shiftKey, altKey }) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, code, shiftKey, altKey, bubbles: true, cancelable: true }),
    );

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    const keys = shownAhead?.xhr === xhr ? shownAhead.keys : [];
    const read = shownAhead?.xhr === xhr ? scrollY : 0;
    takeAway(xhr);
    const stamp = xhr.getResponseHeader(HEADER);
    if (!stamp || fetched?.stamp !== stamp) return;
    const { next } = fetched;
    event.detail.serverResponse = next.head.innerHTML + next.body.innerHTML;
    const goOn = () => {
      scrollTo(0, read);
      // Once all who wait for the new page have seen it.
      setTimeout(() => keys.forEach(press));
    };
    document.addEventListener("htmx:afterSettle", goOn, { once: true });
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
