// Océanide's table: what a choice would bring, taking two of a showcase, why not, the King's clock.
// It knows no rule: all words and numbers come with the page.
import { say } from "../app/announce.js";
import { choose, clear, selected } from "../app/choose.js";
import { moves, settings } from "../app/settings.js";

const root = () => document.querySelector(".oce");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];
const SVG = "http://www.w3.org/2000/svg";
const ASKS_ABOVE = ["take", "king"]; // stages whose calls stand above the large button, which has the line for itself
const WAYS = { trade: "i-swap", steal: "i-mask" };

let picked = []; // the objects that are picked in a showcase, oldest first
let action = null; // what the commit bar has, as text

// --- what a choice would bring --------------------------------------------------------------------

function symbol(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.body.dataset.sprite}#${name}`);
  svg.append(use);
  return svg;
}

function effects() {
  const of = (key) => all(`.effects [data-effect="${key}"]`);
  if (action === null && !picked.length) return of("idle");
  if (!settings.previews) return [];
  const own = of(action);
  return own.length ? own : [...picked, ...(action === null ? [] : ["pair"])].flatMap(of);
}

function fillReceipt() {
  const lines = effects().map((effect) => {
    const line = document.createElement("li");
    line.append(symbol(effect.dataset.art), effect.textContent);
    return line;
  });
  document.getElementById("commit-receipt").replaceChildren(...lines);
}

/** Both ways at one slot in few words, with their marks. */
function nameWays() {
  for (const way of document.querySelectorAll("#commit-more .way")) {
    const { variant } = way.dataset;
    if (variant in WAYS) way.replaceChildren(symbol(WAYS[variant]), root().dataset[variant]);
  }
}

/** Where what is chosen would go: the own slots that get one more, or give; and the thief that is sent. */
function paintComing() {
  const data = document.getElementById(`l-${action}`)?.dataset ?? {};
  const taken = ["steal", "take_one"].includes(data.variant) ? [data.piece] : [];
  const kindOf = (id) => id.slice(id.indexOf("_") + 1);
  const coming = new Set([...picked, ...taken.map(kindOf)]);
  const given = data.variant === "trade" ? kindOf(data.piece) : null;
  for (const spot of all(".mine .slot, .held")) {
    spot.classList.toggle("is-coming", coming.has(spot.dataset.kind));
    spot.classList.toggle("is-given", given === spot.dataset.kind);
  }
  for (const thief of all(".specials [data-kind='thief']")) {
    thief.classList.toggle("is-spent", data.variant === "steal");
  }
}

// --- taking two of a showcase ---------------------------------------------------------------------

const pairs = () => new Map((root()?.dataset.pairs ?? "").split(" ").map((pair) => pair.split(":")));
const counted = () => root().dataset.picked.replace("#", picked.length);

function paintPicks() {
  const buttons = all("button.pick");
  picked = picked.filter((kind) => buttons.some((button) => button.dataset.pick === kind));
  for (const button of buttons) button.setAttribute("aria-pressed", picked.includes(button.dataset.pick));
  const counter = root().querySelector("[data-counter]");
  if (counter?.textContent) counter.textContent = counted();
}

function pick(kind) {
  const now = picked.includes(kind) ? picked.filter((other) => other !== kind) : [...picked, kind].slice(-2);
  const pair = pairs().get(now.join()) ?? pairs().get(now.toReversed().join());
  if (pair === undefined && action !== null) clear();
  else if (pair !== undefined && pair !== action) {
    const listed = document.getElementById(`l-${pair}`);
    listed.dataset.confirm = "";
    choose(listed);
  }
  picked = now;
  paint();
  if (pair === undefined) say(counted());
}

// --- why something can't be chosen ----------------------------------------------------------------

function explain(reason) {
  const line = root()?.querySelector(".why");
  if (!line) return;
  line.textContent = reason;
  line.hidden = !reason;
  if (reason) say(reason);
}

// --- the clock of the King's question -------------------------------------------------------------

let due = ""; // whose end the bar shows
let ends = 0; // when, by this page's own clock
let bar = null; // its animation

function startClock() {
  const clock = root()?.querySelector(".grace");
  if (clock && clock.dataset.due !== due) ends = performance.now() + clock.dataset.seconds * 1000;
  due = clock?.dataset.due ?? "";
  if (!clock) return;
  const line = clock.querySelector("i");
  if (moves() && bar?.effect.target !== line) {
    const duration = Math.max(0, ends - performance.now());
    bar = line.animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { duration, fill: "forwards" });
  }
  tick();
}

function tick() {
  const line = root()?.querySelector("[data-clock-say]");
  if (!line || !due) return;
  const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  const words = line.dataset.clockSay.replace("#", left);
  if (line.textContent !== words) line.textContent = words;
}
setInterval(tick, 250);

// --- all together ---------------------------------------------------------------------------------

function paint() {
  if (!root()) return;
  document.body.classList.toggle("calls-above", ASKS_ABOVE.includes(root().dataset.stage));
  paintPicks();
  fillReceipt();
  nameWays();
  paintComing();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".oce button.pick");
  if (button) pick(button.dataset.pick);
  explain(event.target.closest(".oce [data-why]")?.dataset.why ?? "");
});

document.addEventListener("pelagos:choose", (event) => {
  action = event.detail.action === null ? null : String(event.detail.action);
  if (![...pairs().values()].includes(action)) picked = [];
  paint();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || action !== null || !picked.length) return;
  picked = [];
  paint();
});

function shown() {
  if (!selected()) action = null;
  paint();
  startClock();
}
document.addEventListener("pelagos:shown", shown);
addEventListener("load", shown); // after the page's own scripts, which empty the receipt
shown();
