// Keyboard for everything; focus survives what happens around it.
import { settings } from "./settings.js";
import { open } from "./pages.js";

let last = null;

/** Remember what has the focus, and its neighbours. */
export function remember() {
  const view = document.getElementById("view");
  const one = document.activeElement;
  last = null;
  if (!one || !view.contains(one)) return;
  const group = one.closest("[data-arrows]");
  const all = group ? [...group.querySelectorAll("button, a[href], [tabindex]")] : [];
  const at = all.indexOf(one);
  last = { id: one.id, near: [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()].map((other) => other.id) };
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
  const view = document.getElementById("view");
  if (view.contains(document.activeElement) && document.activeElement !== view) return;
  for (const id of [last.id, ...last.near, "prompt"]) {
    const one = id && document.getElementById(id);
    if (one && view.contains(one) && one.matches("button, a[href], input, select, [tabindex], summary")) {
      one.focus({ preventScroll: true });
      if (document.activeElement === one) return;
    }
  }
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function step(from, [x, y]) {
  const act = document.getElementById("act");
  if (!act?.contains(from)) return null;
  const here = from.getBoundingClientRect();
  const mid = [here.left + here.width / 2, here.top + here.height / 2];
  let best = null;
  let least = Infinity;
  for (const one of act.querySelectorAll("button.choice")) {
    if (one === from || !one.offsetParent) continue;
    const box = one.getBoundingClientRect();
    const dx = box.left + box.width / 2 - mid[0];
    const dy = box.top + box.height / 2 - mid[1];
    const along = dx * x + dy * y;
    if (along < 4) continue;
    const far = along + 2.5 * Math.abs(dx * y + dy * x);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

function go(id) {
  const one = document.getElementById(id);
  if (!one) return;
  const target = one.matches("button, a, [tabindex], summary") ? one : one.querySelector("summary, button, [tabindex], a") || one;
  if (target.matches("summary")) target.parentElement.open = true;
  one.scrollIntoView({ block: "nearest" });
  target.focus();
}

const KEYS = { p: "prompt", g: "go", c: "choices", s: "sheets", o: "others", l: "log", u: "undo" };

export function start() {
  document.addEventListener("toggle", (event) => {
    const panel = event.target;
    if (!(panel instanceof HTMLDetailsElement) || !panel.id || !panel.isConnected) return;
    if (panel.open) opened.add(panel.id);
    else opened.delete(panel.id);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const where = event.target;
    if (where.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
    if (event.key in STEPS) {
      const next = step(where, STEPS[event.key]);
      if (next) {
        event.preventDefault();
        next.focus();
      }
      return;
    }
    if (!settings.shortcuts) return;
    if (event.key === "?") open("help");
    else if (event.key in KEYS) {
      event.preventDefault();
      go(KEYS[event.key]);
    }
  });
}
