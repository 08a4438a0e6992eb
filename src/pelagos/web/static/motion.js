// Things fly from where they were to where they are. Only `translate` and `opacity` are animated.
import { moves } from "./settings.js";

const TIME = 420;
const EASE = "cubic-bezier(.3, .7, .2, 1)";
let flights = [];

/** Where everything that may fly is now, running flights included. */
export function measure() {
  const places = new Map();
  for (const one of document.querySelectorAll("#view [data-fly][id]")) {
    const box = one.getBoundingClientRect();
    if (box.width) places.set(one.id, box);
  }
  for (const one of document.querySelectorAll("#view .place[id]")) places.set(one.id, one.getBoundingClientRect());
  return places;
}

export function finish() {
  for (const flight of flights) flight.finish();
  flights = [];
}

function near(box) {
  return box.bottom > -200 && box.top < innerHeight + 200;
}

/** Let everything fly from where it was. */
export function fly(before) {
  flights = flights.filter((one) => one.playState === "running");
  if (!moves()) return;
  for (const one of document.querySelectorAll("#view [data-fly][id]")) {
    const now = one.getBoundingClientRect();
    if (!now.width || !near(now)) continue;
    const known = before.get(one.id);
    const old = known || before.get(one.dataset.from);
    if (!old) {
      flights.push(one.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME / 2, easing: "ease-out" }));
      continue;
    }
    const x = known ? old.left - now.left : old.left + old.width / 2 - now.left - now.width / 2;
    const y = known ? old.top - now.top : old.top + old.height / 2 - now.top - now.height / 2;
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    flights.push(one.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: TIME, easing: EASE }));
  }
}
