// Océanide's table: what a choice would bring, taking two of a showcase, the clock, standing orders.
// It knows no rule: all words and numbers come with the page.
import { choose, clear } from "/static/app/choose.js";
import { say } from "/static/app/announce.js";
import { settings, moves } from "/static/app/settings.js";
import { send } from "/static/app/stream.js";

const root = () => document.querySelector(".oce");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];
const SPRITE = document.body.dataset.sprite;

let picked = []; // the kinds that are picked in the showcase, oldest first
let action = null; // what the commit bar has

// --- what a choice would bring --------------------------------------------------------------------

function drawing(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${SPRITE}#${name}`);
  svg.append(use);
  return svg;
}

function tells() {
  if (action === null) return [];
  const own = all(`.tells [data-tell="${action}"]`);
  if (own.length) return own;
  return [...picked, "pair"].flatMap((key) => all(`.tells [data-tell="${key}"]`));
}

function fillReceipt() {
  const list = document.getElementById("commit-receipt");
  list.replaceChildren();
  if (!settings.previews) return;
  for (const tell of tells()) {
    const item = document.createElement("li");
    item.append(drawing(tell.dataset.icon), tell.textContent);
    list.append(item);
  }
}

/** Both ways of one spot in few words. */
function nameWays() {
  const holder = root().querySelector(".slot > .choice.is-chosen");
  const values = holder ? [holder.value, ...(holder.dataset.more ?? "").split(" ")] : [];
  document.querySelectorAll("#commit-more .way").forEach((way, index) => {
    const variant = document.getElementById(`l-${values[index]}`)?.dataset.variant ?? "";
    const name = root().dataset[`way${variant.charAt(0).toUpperCase()}${variant.slice(1)}`];
    if (name) way.textContent = name;
  });
}

/** Where what is chosen would go: the own slots that get one more. */
function paintComing() {
  const kinds = new Set(picked);
  const button = action === null ? null : document.querySelector(`#act button.choice[value="${action}"]:not(.listed), #l-${action}`);
  const told = action === null ? null : document.getElementById(`l-${action}`) ?? button;
  if (told && ["steal", "take_one"].includes(told.dataset.variant)) kinds.add(told.dataset.piece.split("_").slice(1).join("_"));
  for (const slot of all(".mine .slot")) slot.classList.toggle("is-coming", kinds.has(slot.dataset.kind));
  for (const card of all(".hand .card[data-kind='thief']")) card.classList.remove("is-spent");
  if (told?.dataset.variant === "steal") all(".hand .card[data-kind='thief']").at(-1)?.classList.add("is-spent");
}

// --- taking two of a showcase ---------------------------------------------------------------------

function pairs() {
  return new Map((root()?.dataset.pairs ?? "").split("|").filter(Boolean).map((part) => part.split(":")));
}

function paintPicks() {
  const buttons = all("button.grab");
  picked = picked.filter((kind) => buttons.some((one) => one.dataset.grab === kind));
  for (const one of buttons) one.setAttribute("aria-pressed", String(picked.includes(one.dataset.grab)));
  const counter = root()?.querySelector("[data-picked]");
  if (counter?.textContent) counter.textContent = told();
}

const told = () => root().dataset.ofTwo.replace("#", String(picked.length));

function pick(kind) {
  picked = picked.includes(kind) ? picked.filter((other) => other !== kind) : [...picked, kind].slice(-2);
  const found = pairs();
  const pair = found.get(picked.join(",")) ?? found.get([...picked].reverse().join(","));
  const kept = picked;
  if (pair !== undefined && pair !== action) {
    const listed = document.getElementById(`l-${pair}`);
    listed.dataset.confirm = "";
    choose(listed);
  }
  else if (action !== null && pair === undefined) clear();
  picked = kept;
  paint();
  if (pair === undefined) say(told());
}

// --- the clock of the King's window ---------------------------------------------------------------

let running = null; // the bar's animation
let known = ""; // whose end this is
let ends = 0; // when, by this page's own clock

function clock() {
  const bar = root()?.querySelector("[data-clock]");
  const { due, seconds } = root()?.dataset ?? {};
  if (!bar || !due) {
    known = "";
    return;
  }
  if (due !== known) ends = performance.now() + Number(seconds) * 1000;
  if (moves() && (due !== known || running?.effect.target !== bar)) {
    running = bar.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: Math.max(0, ends - performance.now()), fill: "forwards" });
  }
  known = due;
  tick();
}

function tick() {
  const line = root()?.querySelector("[data-clock-say]");
  if (!line || !known) return;
  const text = line.dataset.clockSay.replace("#", String(Math.max(0, Math.ceil((ends - performance.now()) / 1000))));
  if (line.textContent !== text) line.textContent = text;
}
setInterval(tick, 250);

// --- all together -----------------------------------------------------------------------------------

function paint() {
  if (!root()) return;
  paintPicks();
  fillReceipt();
  nameWays();
  paintComing();
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const one = event.target.closest(".oce button.grab");
  if (one) pick(one.dataset.grab);
  const order = event.target.closest(".oce button.order");
  if (order) {
    event.preventDefault();
    send(order.getAttribute("formaction"), [["seat", order.form.elements.seat.value], ["order", order.value]]);
  }
});

document.addEventListener("pelagos:choose", (event) => {
  const chosen = event.detail?.action ?? null;
  action = chosen === null ? null : String(chosen);
  if (![...pairs().values()].includes(action)) picked = [];
  paint();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || action !== null || !picked.length) return;
  picked = [];
  paint();
});

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Arrows also reach what is picked, which is no choice by itself.
document.addEventListener("keydown", (event) => {
  if (!(event.key in STEPS) || event.altKey || event.ctrlKey || event.metaKey) return;
  const from = document.activeElement?.closest?.(".oce button");
  if (!from || !root().querySelector("button.grab")) return;
  const [x, y] = STEPS[event.key];
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const here = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of all("button.grab, button.choice")) {
    const [dx, dy] = middle(one).map((value, axis) => value - here[axis]);
    const along = dx * x + dy * y;
    const far = along + 2.5 * Math.abs(dx * y + dy * x);
    if (one !== from && along >= 4 && far < least) [best, least] = [one, far];
  }
  event.preventDefault();
  event.stopPropagation();
  best?.focus();
}, true);

function shown() {
  if (!root()) return;
  if (action !== null && document.getElementById("commit").hidden) action = null;
  paint();
  clock();
}
document.addEventListener("pelagos:shown", shown);
shown();
