// The coach's page: the slider and its links show another moment; while the coach works, news come by themselves.

import { toast } from "./announce.js";
import { able, think } from "./thinking.js";

const PATIENCE = 1500;
const PART = 40; // games' sums that are posted at once, in jobs
const NOWHERE = { round: 0, stage: 0 };
const leaving = new AbortController();
let asked = 0; // the newest question

const slider = () => document.getElementById("coach-step");

/** Puts an answer into the page; `sameMoment`: it only brings news, if it has any. */
function take(text, sameMoment) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const here = document.querySelector(".coach");
  const rounds = [here, page].map((tree) => tree.querySelector("[data-round]")?.dataset.round);
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
  const mine = sameMoment ? asked : ++asked; // news don't get in the way of who looks elsewhere
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

/** Posts what was played here for the coach; gives what is to be played next, or nothing. */
async function send(at, answers) {
  const { work, seat, game } = document.body.dataset;
  const played = { seat: Number(seat), game: Number(game), ...at, answers };
  const answer = await fetch(work, { method: "POST", body: JSON.stringify(played), headers: { "X-Pelagos": "1" } });
  if (!answer.ok) throw new Error(decodeURIComponent(answer.headers.get("X-Pelagos-Why") ?? ""));
  return answer.json();
}

/** Shows how far the present round has come. */
function progress(part) {
  for (const shown of document.querySelectorAll(".coach [data-think]")) shown.hidden = false;
  for (const text of document.querySelectorAll("[data-think-part]"))
    text.textContent = text.dataset.thinkPart.replace("{percent}", Math.floor(100 * part));
  for (const bar of document.querySelectorAll("progress[data-think], [data-think] progress")) bar.value = part;
}

/** Plays a stage's games here, and posts them in parts; gives what comes next. */
async function playStage({ module, pack, states, calls, left, part: [from, to], round, stage }) {
  const weigh = (places) => places.reduce((total, place) => total + calls[place].weight, 0);
  const whole = weigh(left);
  let done = 0;
  for (let first = 0; first < left.length; first += PART) {
    const places = left.slice(first, first + PART);
    const weight = weigh(places);
    const task = { kind: "calls", pack, states, calls: places.map((place) => calls[place]) };
    const report = (part) => progress(from + ((to - from) * (done + weight * part)) / whole);
    const sums = await think({ module, task }, report, leaving.signal);
    done += weight;
    const answers = places.map((place, index) => [place, sums[index]]);
    const next = await send({ round, stage }, answers);
    if (next?.round !== round || next.stage !== stage) return next; // done, or others were faster
  }
  return send(NOWHERE, []);
}

/** Plays the coach's games here, round after round; false: the server must. */
async function workHere() {
  let todo = await send(NOWHERE, []);
  if (!todo) return false;
  document.querySelector(".coach-ask")?.classList.add("is-thinking");
  progress(0);
  while (todo) {
    const next = await playStage(todo);
    if (next?.round !== todo.round) await show(location.href, true);
    todo = next;
  }
  return true;
}

/** Lets the coach look, by this browser's own thinking where that goes. */
async function ask(form) {
  let here = false;
  try {
    here = await workHere();
  } catch (error) {
    if (error.message) toast(error.message);
  }
  if (!here) form.submit();
}

export function start() {
  const thinks = able && document.body.dataset.work;
  const form = document.querySelector(".coach-ask form");
  if (thinks && form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form);
    });
  } else if (thinks && document.querySelector(".coach-foot [data-think]")) {
    workHere().catch(() => {}); // what there is stays
  }
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
