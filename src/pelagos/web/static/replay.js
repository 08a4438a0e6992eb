// A finished game again: the slider, step by step, or running by itself.

import { shown as announce, tell } from "./announce.js";
import { remember, reopen, restore } from "./focus.js";
import { prepare } from "./morph.js";
import { finish, fly, measure } from "./motion.js";
import { PAUSES, settings } from "./settings.js";

const LEAST = 700;
let asked = 0; // the newest question
let running = 0;

const at = () => document.getElementById("replay-at");
const eyes = () => document.getElementById("replay-eyes");

function address() {
  return `${document.body.dataset.replay}&at=${at().value}&eyes=${eyes().value}`;
}

/** The coach's page opens at the same moment. */
function showToCoach() {
  const link = document.getElementById("replay-coach");
  const there = new URL(link.href);
  there.searchParams.set("at", at().value);
  link.href = there.href;
}

async function show() {
  const mine = ++asked;
  document.getElementById("replay-number").firstElementChild.textContent = at().value;
  let text = "";
  try {
    const answer = await fetch(address(), { headers: { "X-Pelagos": "1" } });
    if (!answer.ok) return;
    text = await answer.text();
  } catch {
    return; // the next step asks again
  }
  if (mine !== asked) return;
  const morph = await prepare(text);
  finish();
  const before = measure();
  remember();
  const finishMorph = morph();
  reopen();
  restore();
  fly(before);
  announce(false);
  history.replaceState(null, "", address());
  showToCoach();
  document.dispatchEvent(new CustomEvent("pelagos:shown", { detail: { number: Number(at().value) } }));
  await finishMorph();
  tell(false);
}

function step(by) {
  const field = at();
  const next = Math.min(Math.max(Number(field.value) + by, 0), Number(field.max));
  if (next === Number(field.value)) return false;
  field.value = String(next);
  show();
  return true;
}

function run(on) {
  clearInterval(running);
  running = on ? setInterval(() => step(1) || run(false), Math.max(LEAST, PAUSES[settings.speed] || 0)) : 0;
  document.getElementById("replay-run").setAttribute("aria-pressed", String(Boolean(on)));
}

export function start() {
  at().addEventListener("input", show);
  eyes().addEventListener("change", () => location.assign(address())); // another table may draw it
  document.getElementById("replay-run").addEventListener("click", () => run(!running));
  for (const [id, by] of [
    ["replay-back", -1],
    ["replay-on", 1],
  ]) {
    document.getElementById(id).addEventListener("click", (event) => {
      event.preventDefault();
      run(false);
      step(by);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, [role=grid], [data-arrows]")) return;
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
  });
}
