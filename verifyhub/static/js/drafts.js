// What is typed about an answer is kept on the server, for a reload or another machine.
(() => {
  const PAUSE = 800;
  let timer = 0;
  let blocked = false;

  const desk = () => document.querySelector("[data-draft]");
  const say = (text) => {
    const place = document.getElementById("draft-state");
    if (place) place.textContent = text;
  };

  const content = () => {
    const all = {};
    for (const form of document.querySelectorAll("form[data-form]")) {
      const fields = {};
      for (const [name, value] of new FormData(form)) {
        if (["csrfmiddlewaretoken", "version"].includes(name)) continue;
        if (name === "reason_codes") (fields[name] ||= []).push(value);
        else fields[name] = value;
      }
      if (form.dataset.touched) all[form.dataset.form] = fields;
    }
    return all;
  };

  const save = async () => {
    const place = desk();
    if (!place || blocked) return;
    const { "x-csrftoken": token } = JSON.parse(document.body.getAttribute("hx-headers"));
    try {
      const reply = await fetch(place.dataset.draft, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrftoken": token },
        body: JSON.stringify({ version: Number(place.dataset.draftVersion), content: content() }),
      });
      if (reply.status === 409) {
        blocked = true;
        say(place.dataset.draftNewer);
      } else if (reply.ok) {
        place.dataset.draftVersion = (await reply.json()).version;
        say(place.dataset.draftSaved);
      }
    } catch {
      // Offline: what is typed stays in the page, and the next change tries again.
    }
  };

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-form]");
    if (!form) return;
    form.dataset.touched = "1";
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  });
  // A decision clears the draft: nothing typed before it is saved after it.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form[data-form]")) clearTimeout(timer);
  });
  // A page that was replaced has read the newest draft.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id === "answer-page") blocked = false;
  });
})();
