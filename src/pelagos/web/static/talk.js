// Talk: said here, heard by the stream; a bubble at the speaker's chip, and one sentence for those who listen.
//
// Whom this browser doesn't want to hear is kept here, by table, and told nobody.
import { say } from "./announce.js";
import { clientId } from "./pages.js";

const SHOWN = 6000; // milliseconds of a bubble
const MOST_BUBBLES = 4;

const box = () => document.getElementById("talk");
const lines = () => [...document.querySelectorAll("#talk-lines > li")];
const key = () => `pelagos-muted-${document.body.dataset.table}`;
let known = new Set();
let muted = new Set();

// --- whom not to hear -------------------------------------------------------------------------------

function load() {
  try {
    muted = new Set(JSON.parse(localStorage.getItem(key()) || "[]"));
  } catch {
    // a browser that keeps nothing hears everyone again when the page is loaded anew
  }
}

function mute(seat) {
  if (!muted.delete(seat)) muted.add(seat);
  try {
    localStorage.setItem(key(), JSON.stringify([...muted]));
  } catch {
    // see above
  }
  show();
}

function show() {
  for (const button of box().querySelectorAll("[data-mute]"))
    button.setAttribute("aria-pressed", String(muted.has(button.dataset.mute)));
  for (const line of lines()) line.hidden = muted.has(line.dataset.seat);
  const list = document.getElementById("talk-lines");
  list.scrollTop = list.scrollHeight;
}

// --- hearing ----------------------------------------------------------------------------------------

/** What the stream brings: all lines anew. */
export function hear(html) {
  if (!box()) return;
  document.getElementById("talk-lines").innerHTML = html;
  show();
  const fresh = lines().filter((line) => !known.has(line.dataset.id) && !line.hidden);
  known = new Set(lines().map((line) => line.dataset.id));
  for (const line of fresh.slice(-MOST_BUBBLES)) if (!said(line)) bubble(line);
  const others = fresh.filter((line) => line.dataset.seat !== document.body.dataset.seat);
  if (others.length) say(others.map(sentence).join(" "));
  if (others.length && !box().matches(":popover-open")) mark(true);
}

const said = (line) => line.dataset.seat === document.body.dataset.seat && box().matches(":popover-open");
const sentence = (line) =>
  `${line.querySelector(".talk-name").textContent}: ${line.querySelector(".talk-said").textContent.trim()}`;

function mark(fresh) {
  const button = document.querySelector(".talk-open");
  button.classList.toggle("is-fresh", fresh);
  button.dataset.calm ??= button.getAttribute("aria-label");
  button.setAttribute("aria-label", fresh ? button.dataset.fresh : button.dataset.calm);
}

function bubble(line) {
  const bubbles = document.getElementById("bubbles");
  const bubble = document.createElement("div");
  bubble.className = "bubble";
  bubble.dataset.seat = line.dataset.seat;
  bubble.append(line.querySelector(".talk-said").cloneNode(true));
  for (const older of bubbles.querySelectorAll(`[data-seat="${line.dataset.seat}"]`)) older.remove();
  bubbles.append(bubble);
  place();
  setTimeout(() => bubble.remove(), SHOWN);
}

/** Bubbles stand below their speaker's chip, or at the button where there is none. */
function place() {
  for (const bubble of document.querySelectorAll("#bubbles > .bubble")) {
    const chip = document.getElementById(`seat-${bubble.dataset.seat}`);
    const at = chip?.offsetParent ? chip : document.querySelector(".talk-open");
    const near = at.getBoundingClientRect();
    const wide = bubble.offsetWidth;
    const left = Math.min(Math.max(8, near.left + 10), innerWidth - wide - 8);
    const below = Math.min(near.bottom - 16, innerHeight - bubble.offsetHeight - 8);
    bubble.style.insetInlineStart = `${left}px`;
    bubble.style.insetBlockStart = `${Math.max(8, below)}px`;
  }
}

// --- saying -----------------------------------------------------------------------------------------

function refuse(why) {
  const line = document.getElementById("talk-why");
  line.textContent = why;
  line.hidden = !why;
}

/** Send one thing; what was typed stays until it is accepted. */
async function send(form, submitter) {
  const fields = new FormData(form, submitter);
  fields.set("client", clientId());
  submitter?.setAttribute("aria-disabled", "true");
  try {
    const body = new URLSearchParams([...fields]);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Pelagos": "1" } });
    refuse(answer.ok ? "" : decodeURIComponent(answer.headers.get("X-Pelagos-Why") || ""));
    if (answer.ok) form.reset();
    if (answer.ok && submitter?.name) box().hidePopover();
  } catch {
    refuse(box().dataset.offline);
  }
  submitter?.removeAttribute("aria-disabled");
}

export function start() {
  if (!box()) return;
  load();
  known = new Set(lines().map((line) => line.dataset.id));
  show();
  box().addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.getAttribute("aria-disabled") !== "true") send(event.target, event.submitter);
  });
  box().addEventListener("click", (event) => {
    const button = event.target.closest("[data-mute]");
    if (button) mute(button.dataset.mute);
  });
  box().addEventListener("toggle", () => {
    refuse("");
    if (!box().matches(":popover-open")) return;
    mark(false);
    show();
  });
  document.addEventListener("pelagos:shown", place);
  for (const kind of ["resize", "scroll"]) addEventListener(kind, place, { passive: true });
}
