// Things fly from where they were to where they are. Only translate, transform and opacity move.
//
// What a table's drawing tells of it:
//   [data-fly][id]    a thing that may fly: it keeps its id for as long as the viewer can follow it
//   data-from="id"    where a new thing comes from: a thing, a place (`.place`, [data-spot]) or a
//                     seat (`seat-1`) of the view before; several of one source come one by one
//   data-face="shell" what it shows: if that changes, it turns over; all that do turn together
//   [data-pop][id]    a number that leaps when it changes
import { moves, settings } from "./settings.js";
import { play } from "./sound.js";

const TIME = 420;
const BEAT = 300; // in which hidden choices are turned up, before anything else moves
const STEP = 45;
const MOST_STEPS = 12;
const EASE = "cubic-bezier(.3, .7, .2, 1)";
const FLIES = "#view [data-fly][id]";
const STANDS = "#view .place[id], #view [data-spot][id], #seats > [id]";
const LAID_BY_OTHERS = "#view [data-fly][data-last]";
let flights = [];
let revealed = recapped(); // the newest reveal that was shown
let beat = 0; // how long flights wait

/** The newest reveal that the recap tells. */
function recapped() {
  return Number(document.getElementById("recap")?.dataset.reveal ?? -1);
}

/** Is it worth to know what has moved? To ask where things are has the browser lay out the page at once. */
const isNoticed = () => moves() || settings.sound;

/** Where everything that may fly is now, running flights included, and what it shows. */
export function measure() {
  const before = new Map();
  if (!isNoticed()) return before;
  for (const element of document.querySelectorAll(`${FLIES}, ${STANDS}`)) {
    const box = element.getBoundingClientRect();
    if (box.width) before.set(element.id, { box, face: element.dataset.face ?? null });
  }
  for (const number of document.querySelectorAll("#view [data-pop][id]"))
    before.set(number.id, { text: number.textContent });
  return before;
}

export function finish() {
  for (const flight of flights) flight.finish();
  flights = [];
}

function near(box) {
  return box.bottom > -200 && box.top < innerHeight + 200;
}

const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];

function animate(element, frames, more = {}) {
  if (!moves()) return;
  const { delay = 0, ...rest } = more;
  const options = { duration: TIME, easing: EASE, fill: "backwards", delay: beat + delay, ...rest };
  flights.push(element.animate(frames, options));
}

/** Hidden choices are turned up: what others have laid, and its symbols in the recap, turn over together. */
function reveal(before) {
  beat = 0;
  const fresh = recapped() > revealed;
  revealed = recapped();
  if (!fresh) return new Set();
  const laid = [...document.querySelectorAll(LAID_BY_OTHERS)].filter((element) => !before.has(element.id));
  for (const element of [...laid, ...document.querySelectorAll("#recap .is-drawn")])
    animate(element, [{ offset: 0, transform: "scaleX(0)" }], { duration: BEAT });
  beat = BEAT;
  return new Set(laid);
}

/** Slide from so far away, on top of where a thing rests and of a flight that still runs. */
function slide(element, x, y, more = {}) {
  const unit = element.parentNode.getScreenCTM?.()?.a ?? 1; // inside a drawing, lengths are the drawing's
  animate(element, { translate: [`${x / unit}px ${y / unit}px`, "0 0"] }, { composite: "add", ...more });
}

/** A thing that was there before: it slides, and turns over if it shows something else. */
function go(element, old, now) {
  const [x, y] = [old.box.left - now.left, old.box.top - now.top];
  if (Math.abs(x) + Math.abs(y) >= 2) slide(element, x, y);
  const turned = old.face !== (element.dataset.face ?? null);
  if (turned) animate(element, [{ offset: 0, transform: "scaleX(0)" }], { duration: TIME / 2 });
  return turned ? "reveal" : Math.abs(x) + Math.abs(y) >= 40 ? "lay" : "";
}

/** A new thing: it comes from its source, after those that came before it, or it fades in. */
function come(element, source, now, step) {
  if (!source) {
    animate(element, [{ opacity: 0 }, { opacity: 1 }], { duration: TIME / 2, easing: "ease-out" });
    return "";
  }
  const [x, y] = middle(source.box).map((value, axis) => value - middle(now)[axis]);
  const delay = Math.min(step, MOST_STEPS) * STEP;
  slide(element, x, y, { delay });
  animate(element, { opacity: [0.2, 1, 1], offset: [0, 0.3, 1] }, { delay });
  return step ? "deal" : "lay";
}

/** Let everything fly from where it was. */
export function fly(before) {
  if (!isNoticed()) {
    revealed = recapped();
    return;
  }
  flights = flights.filter((flight) => flight.playState === "running");
  const steps = new Map(); // how many came from one source
  const heard = new Set();
  const turned = reveal(before);
  if (beat) heard.add("reveal");
  const things = [...document.querySelectorAll(FLIES)].map((element) => [element, element.getBoundingClientRect()]);
  for (const [element, now] of things) {
    if (!now.width || !near(now) || turned.has(element)) continue;
    const old = before.get(element.id);
    if (old) {
      heard.add(go(element, old, now));
      continue;
    }
    const from = element.dataset.from;
    const step = steps.get(from) ?? 0;
    steps.set(from, step + 1);
    heard.add(come(element, before.get(from), now, step));
  }
  for (const number of document.querySelectorAll("#view [data-pop][id]")) {
    const old = before.get(number.id);
    if (old && old.text !== number.textContent) animate(number, [{ offset: 0, transform: "scale(1.35)" }]);
  }
  beat = 0;
  const sound = ["reveal", "deal", "lay"].find((kind) => heard.has(kind));
  if (sound) play(sound);
}
