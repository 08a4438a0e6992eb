// Down: the newest whole view, morphed in. Up: what was chosen, repeated until it is answered.

import { shown as announce, isToasting, net, say, tell, toast } from "./announce.js";
import { refresh as showChoice } from "./choose.js";
import { remember, reopen, restore } from "./focus.js";
import { prepare } from "./morph.js";
import { finish, fly, measure } from "./motion.js";
import { clientId } from "./pages.js";
import { PAUSES, settings } from "./settings.js";
import { hear } from "./talk.js";

const SILENCE = 25000;
const RETRY = 1500;
const MOST_WAITING = 12;
const LIFT = 60;

let source = null;
let heard = 0;
let waiting = []; // views that are still to be shown: {number, html}
let number = -1; // what is shown
let pressed = false;
const whenLifted = []; // what waits until nothing is pressed
let busy = false;
let due = 0; // not before this time
let sending = false;
let lost = false;

const main = () => document.getElementById("main");

// --- down -----------------------------------------------------------------------------------------

function take(fresh) {
  if (fresh.number <= number || waiting.some((view) => view.number >= fresh.number)) return;
  waiting.push(fresh);
  if (waiting.length > MOST_WAITING) waiting = waiting.slice(-MOST_WAITING);
  schedule();
}

/** Show at once, whatever is still waiting: what the server answered us. */
function jump(fresh) {
  if (fresh.number < number) return;
  waiting = waiting.filter((view) => view.number > fresh.number);
  waiting.unshift(fresh);
  due = 0;
  schedule(true);
}

function schedule(again = false) {
  if (busy || pressed || !waiting.length) return;
  busy = true;
  setTimeout(() => swap(again), Math.max(0, due - performance.now()));
}

/** Until no finger or button is down: nothing may change under it. */
async function lifted() {
  while (pressed) await new Promise((done) => whenLifted.push(done));
}

async function swap(again) {
  await lifted();
  const fresh = waiting.shift();
  if (fresh && (fresh.number > number || again)) {
    const morph = await prepare(fresh.html);
    await lifted();
    const before = measure();
    remember();
    number = fresh.number;
    const finishMorph = morph();
    reopen();
    restore();
    showChoice();
    announce(false);
    tabs();
    fly(before);
    document.dispatchEvent(new CustomEvent("pelagos:shown", { detail: { number } }));
    due = performance.now() + (PAUSES[settings.speed] || 0);
    await finishMorph();
    tell(false);
  }
  busy = false;
  schedule();
}

function connect() {
  source?.close();
  heard = performance.now();
  source = new EventSource(document.body.dataset.stream);
  source.addEventListener("view", (event) => {
    alive();
    take(JSON.parse(event.data));
  });
  source.addEventListener("talk", (event) => hear(JSON.parse(event.data)));
  source.addEventListener("beat", alive);
  source.addEventListener("open", alive);
  source.addEventListener("gone", () => {
    source.close();
    source = null;
    net(document.body.dataset.gone);
    setTimeout(() => location.reload(), 1500);
  });
  source.addEventListener("error", () => {
    source?.close();
    source = null;
    lost = true;
    net(sending ? document.body.dataset.unsent : document.body.dataset.offline);
    setTimeout(connect, RETRY);
  });
}

function alive() {
  heard = performance.now();
  if (lost) {
    lost = false;
    net(sending ? document.body.dataset.sending : "");
    say(document.body.dataset.back);
  }
}

// --- up -------------------------------------------------------------------------------------------

const pause = (time) => new Promise((done) => setTimeout(done, time));

let before = Promise.resolve();

/** Post, after what is being posted already; was it accepted? The stream may show the next question first. */
export function send(address, fields) {
  before = before.then(() => post(address, fields)).catch(() => false);
  return before;
}

/** Post, and post again with the same client id until there is an answer. */
async function post(address, fields) {
  sending = true;
  finish();
  const body = new URLSearchParams([...fields, ["client", clientId()]]);
  document.body.classList.add("sending");
  const late = setTimeout(() => net(lost ? document.body.dataset.unsent : document.body.dataset.sending), 400);
  try {
    for (;;) {
      let answer = null;
      try {
        answer = await fetch(address, {
          method: "POST",
          body,
          headers: { "X-Pelagos": "1" },
          signal: AbortSignal.timeout(15000),
        });
      } catch {
        clearTimeout(late);
        net(document.body.dataset.unsent);
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        await answered(answer);
        return answer.ok;
      }
      await pause(1000);
    }
  } finally {
    clearTimeout(late);
    sending = false;
    document.body.classList.remove("sending");
    if (!lost && !isToasting()) net("");
  }
}

async function answered(answer) {
  const why = decodeURIComponent(answer.headers.get("X-Pelagos-Why") || "");
  const newest = Number(answer.headers.get("X-Pelagos-Number") || -1);
  const html = await answer.text();
  if (newest >= 0) jump({ number: newest, html });
  if (why) {
    say(why);
    toast(why);
  }
}

// --- the rest -------------------------------------------------------------------------------------

function tabs() {
  for (const tab of document.querySelectorAll(".tabs [data-if]")) tab.hidden = !document.getElementById(tab.dataset.if);
}

function press(down) {
  pressed = down;
  if (down) return;
  for (const done of whenLifted.splice(0)) done();
  schedule();
}

export function start() {
  number = Number(main()?.dataset.number ?? -1);
  announce(true);
  tell(true);
  tabs();
  connect();
  document.addEventListener("pointerdown", () => press(true), true);
  document.addEventListener("click", finish, true); // not sooner: nothing may jump under a finger
  // A finger's click comes a little after it has left the glass: nothing may move in between.
  for (const kind of ["pointerup", "pointercancel", "blur"])
    addEventListener(kind, () => setTimeout(() => press(false), LIFT), true);
  document.addEventListener("click", () => setTimeout(() => press(false), 0));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    press(false);
    if (!source || performance.now() - heard > SILENCE) connect();
  });
  addEventListener("online", connect);
  setInterval(() => {
    if (source && performance.now() - heard > SILENCE) connect();
  }, 2000);
}
