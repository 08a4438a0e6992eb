// A score pad: each tap asks the server for the page that it makes, one after the other.
const MOST_STEPS = 300;
let done = Promise.resolve();
const inTurn = (work) => {
  done = done.then(work).catch(() => {});
};

const main = () => document.getElementById("main");
const game = () => main().dataset.game;
const steps = () => JSON.parse(sessionStorage.getItem(`pelagos-pad-${game()}`) || "[]");
const keep = (list) => sessionStorage.setItem(`pelagos-pad-${game()}`, JSON.stringify(list.slice(-MOST_STEPS)));

function here() {
  return location.pathname + location.search;
}

/** What the address now says, in every place of the page that knows it. */
function settle() {
  if (location.search) localStorage.setItem(`pelagos-pad-last-${game()}`, here());
  const last = localStorage.getItem(`pelagos-pad-last-${game()}`);
  const link = document.getElementById("pad-last");
  link.hidden = Boolean(location.search) || !last;
  if (last) link.href = last;
  document.getElementById("pad-undo").hidden = !steps().length;
  document.getElementById("pad-copy").dataset.copy = location.href;
  for (const field of document.querySelectorAll("input[name='back']")) field.value = here();
}

async function ask(address) {
  const answer = await fetch(address, { headers: { "X-Pelagos": "1" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("main");
  const address_now = answer.headers.get("X-Pelagos-Here");
  if (!fresh || !address_now) throw new Error(String(answer.status));
  const focused = document.activeElement?.id;
  const open = [...document.querySelectorAll("#main details[open]")].map((panel) => panel.id);
  main().replaceWith(fresh);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  history.replaceState(null, "", address_now);
  settle();
  const why = document.querySelector("#main .refused:not([hidden])");
  document.getElementById("live").textContent = why ? "" : document.getElementById("pad-prompt").textContent;
}

async function send(tap) {
  const form = document.getElementById("pad");
  const before = here();
  const query = new URLSearchParams(new FormData(form));
  if (tap) query.append("tap", tap);
  const address = `${form.getAttribute("action")}?${query}`;
  try {
    await ask(address);
  } catch {
    location.href = address; // a plain page tells what is wrong
    return;
  }
  if (here() !== before) keep([...steps(), before]);
  settle();
}

async function undo() {
  const list = steps();
  const before = list.pop();
  if (!before) return;
  await ask(before);
  keep(list);
  settle();
}

/** Shows on the board what makes a line's points. */
function light(button) {
  const lit = button.getAttribute("aria-pressed") === "true";
  for (const line of document.querySelectorAll("[data-lights]")) line.setAttribute("aria-pressed", "false");
  for (const spot of document.querySelectorAll(".is-lit")) spot.classList.remove("is-lit");
  if (lit) return;
  button.setAttribute("aria-pressed", "true");
  const spots = button.dataset.lights.split(" ").map((id) => document.getElementById(id));
  for (const spot of spots) spot?.classList.add("is-lit");
  spots.find(Boolean)?.scrollIntoView({ block: "nearest" });
}

export function start() {
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "pad") return;
    event.preventDefault();
    const tap = event.submitter?.value || "";
    inTurn(() => send(tap));
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#pad-undo")) inTurn(undo);
    const lights = event.target.closest("[data-lights]");
    if (lights) light(lights);
  });
  if (!location.search) keep([]);
  settle();
}
