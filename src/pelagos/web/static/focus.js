// Keyboard for everything; focus survives what happens around it.
//
// Arrows go from stop to stop, by where they are: choices, and all that can be pressed inside `[data-rove]`. Such a
// group is one stop for the tab key. In a grid each cell is a stop: its button, or the cell itself.
import { open } from "./pages.js";
import { settings } from "./settings.js";

const GROUPS = "[data-rove], [data-arrows]";
const PRESSED = "button:not([hidden]), a[href], [data-stop]";
let last = null;

const view = () => document.getElementById("view");

/** Remember what has the focus, and its neighbours. */
export function remember() {
  const focused = document.activeElement;
  last = null;
  if (!focused || !view().contains(focused)) return;
  const group = focused.closest(GROUPS);
  const all = group ? [...group.querySelectorAll("button, a[href], [tabindex]")] : [];
  const at = all.indexOf(focused);
  const near = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()];
  last = { id: focused.id, near: near.map((other) => other.id) };
}

const opened = new Set(); // panels that the reader has opened, also while they are away

/** Open again what was open. */
export function reopen() {
  for (const id of opened) {
    const panel = document.getElementById(id);
    if (panel && !panel.open) panel.open = true;
  }
}

/** Put the focus back: there, on a neighbour, or on the prompt. */
export function restore() {
  if (!last) return;
  if (view().contains(document.activeElement) && document.activeElement !== view()) return;
  for (const id of [last.id, ...last.near, "prompt"]) {
    const element = id && document.getElementById(id);
    if (!element || !view().contains(element)) continue;
    if (!element.matches("button, a[href], input, select, [tabindex], summary")) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

// --- arrows -----------------------------------------------------------------------------------------

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The stops of a group. */
function stopsOf(group) {
  const cells = group.matches("[role=grid]") ? [...group.querySelectorAll("[role=gridcell]")] : [];
  if (cells.length) return cells.map((cell) => cell.querySelector("button:not([hidden])") ?? cell);
  return [...group.querySelectorAll(PRESSED)];
}

function stops() {
  const groups = [...view().querySelectorAll("[data-rove]")].flatMap(stopsOf);
  const choices = [...document.querySelectorAll("#act button.choice")];
  return [...new Set([...groups, ...choices])].filter((stop) => stop.offsetParent);
}

const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];

function step(from, [x, y]) {
  const here = middle(from.getBoundingClientRect());
  const own = from.closest("[data-rove]");
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const stop of stops()) {
    if (stop === from) continue;
    const [dx, dy] = middle(stop.getBoundingClientRect()).map((value, axis) => value - here[axis]);
    const along = dx * x + dy * y;
    if (along < 4) continue;
    const across = Math.abs(dx * y + dy * x);
    const far = along + 2.5 * across + (own?.contains(stop) ? 0 : 200); // within the group first
    if (far < least) [best, least] = [stop, far];
  }
  return best;
}

/** One stop a group for the tab key: what has the focus, else what is chosen, else the first to press. */
export function rove() {
  for (const group of view()?.querySelectorAll("[data-rove]") ?? []) {
    const all = stopsOf(group);
    const first =
      all.find((stop) => stop === document.activeElement) ??
      all.find((stop) => stop.matches(".is-chosen")) ??
      all.find((stop) => stop.matches("button")) ??
      all[0];
    for (const stop of all) stop.tabIndex = stop === first ? 0 : -1;
  }
}

// --- keys -------------------------------------------------------------------------------------------

const KEYS = { p: "prompt", g: "go", c: "choices", s: "sheets", o: "others", l: "log", u: "undo" };

function go(id) {
  const part = document.getElementById(id);
  if (!part) return;
  const own = part.matches("button, a, [tabindex], summary");
  const target = own ? part : (part.querySelector("summary, button, [tabindex], a") ?? part);
  if (target.matches("summary")) target.parentElement.open = true;
  part.scrollIntoView({ block: "nearest" });
  target.focus();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const where = event.target;
  if (where.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (event.key in STEPS) {
    const next = where.closest("#act, [data-rove]") ? step(where, STEPS[event.key]) : null;
    if (!next) return;
    event.preventDefault();
    next.focus();
  } else if (settings.shortcuts && event.key === "?") open("help");
  else if (settings.shortcuts && event.key in KEYS) {
    event.preventDefault();
    go(KEYS[event.key]);
  }
}

export function start() {
  const toggled = (event) => {
    const panel = event.target;
    if (!(panel instanceof HTMLDetailsElement) || !panel.id || !panel.isConnected) return;
    if (panel.open) opened.add(panel.id);
    else opened.delete(panel.id);
  };
  document.addEventListener("toggle", toggled, true);
  document.addEventListener("keydown", press);
  document.addEventListener("focusin", rove);
  document.addEventListener("pelagos:shown", rove);
  document.addEventListener("pelagos:choose", rove);
  rove();
}
