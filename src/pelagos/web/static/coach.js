// The coach's page: the slider and its links show another moment; while the coach works, news come by themselves.

const PATIENCE = 1500;
let asked = 0; // the newest question

const slider = () => document.getElementById("coach-step");

/** Puts an answer into the page; `sameMoment`: it only brings news, if it has any. */
function take(text, sameMoment) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const here = document.querySelector(".coach");
  const rounds = [here, page].map((one) => one.querySelector("[data-round]")?.dataset.round);
  if (sameMoment && rounds[0] && rounds[0] === rounds[1]) return;
  if (!here.querySelector("#coach-step") !== !page.querySelector("#coach-step")) {
    location.reload(); // the first answers are there
    return;
  }
  const focused = document.activeElement?.id;
  const opened = here.querySelector("details")?.open;
  for (const part of page.querySelectorAll("[data-part]")) {
    here.querySelector(`[data-part="${part.dataset.part}"]`)?.replaceWith(part);
  }
  const details = here.querySelector("details");
  if (details && opened) details.open = true;
  const fresh = page.getElementById("coach-step");
  if (fresh && document.activeElement !== slider()) slider().value = fresh.getAttribute("value");
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}

async function show(address, sameMoment = false) {
  const mine = ++asked;
  try {
    const answer = await fetch(address, { headers: { "X-Pelagos": "1" } });
    if (!answer.ok || mine !== asked) return;
    const text = await answer.text();
    if (mine !== asked) return;
    take(text, sameMoment);
    history.replaceState(null, "", address);
  } catch {
    // the next step asks again
  }
}

function follow() {
  setTimeout(async () => {
    if (document.querySelector(".coach [data-running]")) {
      if (!document.hidden) await show(location.href, true);
      follow();
    }
  }, PATIENCE);
}

export function start() {
  document.querySelector(".coach").addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download")) return;
    const address = link.getAttribute("href");
    if (!address.startsWith(document.body.dataset.coach)) return;
    event.preventDefault();
    show(address);
  });
  slider()?.addEventListener("input", () => {
    const seat = slider().form.elements.seat.value;
    show(`${document.body.dataset.coach}&seat=${seat}&step=${slider().value}`);
  });
  follow();
}
