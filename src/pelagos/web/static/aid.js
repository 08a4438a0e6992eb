// The aid: a long press, the resting pointer, the right button or key i, and whatever lies there explains itself; a
// tap on what can't be chosen says why. All that is told comes from the server; here it is put beside its thing.
//
// The card and what it lights up lie in a layer over the table, so that nothing inside `#view` changes.
import { say } from "./announce.js";
import { settings } from "./settings.js";

const PRESS = 480; // milliseconds of a long press
const REST = 650; // milliseconds that a pointer rests
const STRAY = 10; // pixels that a finger may stray meanwhile
const GAP = 12; // pixels from the thing to its card
const EDGE = 6; // pixels from the card to the window's edge
const THINGS = "[data-aid], [id^='p-'], button.choice, [role=gridcell]:is([data-at], [data-kind]), [data-line]";
const BUSY = "a, button:not(.choice, [disabled]), input, select, textarea, summary, label, [data-lens]";

const SPARED = "#lesson, #hint-card, #go, #prompt"; // what somebody may be reading or about to press

let shown = null; // {thing, of, kind, back}: what is explained, how ("peek", "card", "why"), where the focus was
let asked = 0; // the newest question
let pressing = null; // a finger that is down: {timer, x, y}
let resting = 0; // the timer of the pointer that rests
let under = null; // what the pointer rests on
let chosen = null; // what the mouse has just pressed: it isn't explained before the mouse has left it
let swallow = false; // the click at the end of a long press is none

const layer = () => document.getElementById("aid");
const sheet = () => document.getElementById("aid-all");
const isOver = (element) => Boolean(element?.closest?.("#aid"));

// --- what is asked about ----------------------------------------------------------------------------

/** The thing that an element belongs to, in the table or in a hand. */
function thingOf(element) {
  const thing = element?.closest?.(THINGS);
  return thing?.closest("#view") ? thing : null;
}

/** What the server knows it by. */
function wordOf(thing) {
  const { aid, line, seat, at, kind } = thing.dataset;
  if (aid) return aid;
  if (thing.matches("button.choice")) return `choice:${thing.value}`;
  if (thing.id.startsWith("p-")) return `id:${thing.id}`;
  const inner = thing.matches("[role=gridcell]") && thing.querySelector("[id^='p-']");
  if (inner) return `id:${inner.id}`;
  const row = thing.closest("tr[data-aid]")?.dataset.aid ?? `line:${line}`;
  if (line) return seat ? `${row}:${seat}` : row;
  const place = thing.closest("[id^='at-']")?.id;
  return kind ? `bay:${place}:${kind}` : `spot:${place}:${at}`;
}

function address(of, kind) {
  const seat = document.querySelector("#act [name=seat]")?.value ?? document.body.dataset.seat;
  const query = new URLSearchParams({ seat, of });
  if (kind === "why") query.set("why", "1");
  if (document.body.dataset.replay) {
    query.set("game", new URL(document.body.dataset.replay, location).searchParams.get("game"));
    query.set("at", document.getElementById("replay-at").value);
    query.set("eyes", document.getElementById("replay-eyes").value);
  }
  return `${layer().dataset.from}?${query}`;
}

async function text(of, kind) {
  try {
    const answer = await fetch(address(of, kind), { headers: { "X-Pelagos": "1" } });
    return answer.status === 200 ? await answer.text() : "";
  } catch {
    return ""; // the next question asks again
  }
}

// --- showing ----------------------------------------------------------------------------------------

/** Explain a thing: in passing ("peek"), until it is closed ("card"), or why it can't be chosen ("why"). */
async function explain(thing, kind, back = null) {
  const mine = ++asked;
  const of = wordOf(thing);
  const html = await text(of, kind);
  if (mine !== asked || !thing.isConnected) return;
  if (!html) {
    close();
    return;
  }
  const card = document.createElement("div");
  card.innerHTML = html;
  const brief = Boolean(card.querySelector(".aid-why"));
  if (brief && kind === "peek") return; // why not is told to whoever tries
  card.className = brief ? "aid-card is-brief" : "aid-card";
  card.setAttribute("role", brief || kind === "peek" ? "tooltip" : "dialog");
  if (card.querySelector("#aid-name")) card.setAttribute("aria-labelledby", "aid-name");
  card.tabIndex = -1;
  card.addEventListener("toggle", openExample, true);
  shown = { thing, of, kind: brief ? "why" : kind, back };
  layer().className = `aid is-${shown.kind}`;
  layer().replaceChildren(card);
  layer().showPopover();
  put();
  if (kind === "peek") return;
  if (back) (card.querySelector(".aid-close") ?? card).focus({ preventScroll: true });
  else say(heard(card).replaceAll(/\s+/g, " ").trim());
}

/** What a card says at once; its example is told when it is opened. */
const heard = (card) =>
  [...card.children].map((part) => (part.matches(".aid-example") ? "" : part.textContent)).join(" ");

/** An example moves by a style sheet of the game's, which comes when the first is opened. */
function openExample(event) {
  const { style } = event.target.dataset;
  if (style && !document.querySelector(`link[href="${style}"]`)) {
    const onload = () => shown && put();
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style, onload }));
  }
  put();
}

export function close() {
  asked++;
  if (!shown) return;
  const back = shown.back;
  shown = null;
  layer().hidePopover();
  layer().replaceChildren();
  if (back?.isConnected) back.focus({ preventScroll: true });
}

const seen = (element) => element?.isConnected && element.getClientRects().length > 0;

/** The element that a mark speaks of: "cell:grid0:1,2", or "piece:key#id". */
function marked(mark) {
  const [word, id] = mark.split("#");
  const all = [...document.querySelectorAll(`#view [data-aid="${CSS.escape(word)}"]`)];
  if (word.startsWith("cell:")) {
    const at = word.slice(word.lastIndexOf(":") + 1);
    const place = document.getElementById(`at-${word.slice(5, word.lastIndexOf(":")).replaceAll(/[^\w-]/g, "_")}`);
    all.push(...(place?.querySelectorAll(`[role=gridcell][data-at="${CSS.escape(at)}"]`) ?? []));
  } else if (id) all.push(document.getElementById(id));
  return all.find(seen);
}

/** Where things lie, as far as they can be seen. */
function boxOf(element) {
  const box = element.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

const overlap = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/** Light up what the rows of the card speak of. */
function light(card) {
  const lit = [];
  for (const row of card.querySelectorAll("[data-marks]")) {
    for (const mark of row.dataset.marks.split(" ")) {
      const element = marked(mark);
      if (!element || element === shown.thing || lit.some((other) => other.element === element)) continue;
      lit.push({ element, box: boxOf(element), row, isCell: mark.startsWith("cell:") });
    }
  }
  const marks = lit.map(({ box, row, isCell }) => {
    const more = row.classList.contains("is-more");
    const ring = frame(box, `aid-mark ${more ? "is-more" : "is-now"}${isCell ? " is-cell" : ""}`);
    if (more && isCell) {
      const signs = row.querySelector(".aid-signs")?.cloneNode(true);
      const points = row.querySelector(".aid-points")?.cloneNode(true);
      ring.append(...[signs, points].filter(Boolean));
    }
    return ring;
  });
  layer().append(...marks);
  return lit.map(({ box }) => box);
}

function frame(box, kind) {
  const ring = document.createElement("span");
  ring.className = kind;
  ring.setAttribute("aria-hidden", "true");
  for (const side of ["left", "top", "width", "height"]) ring.style[side] = `${box[side]}px`;
  return ring;
}

/** All but these boxes steps back. */
function dim(boxes) {
  const scrim = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const hole = ({ left, top, width, height }) => `M${left} ${top}h${width}v${height}h${-width}z`;
  path.setAttribute("d", `M0 0H${innerWidth}V${innerHeight}H0z${boxes.map(hole).join("")}`);
  path.setAttribute("fill-rule", "evenodd");
  scrim.setAttribute("class", "aid-scrim");
  scrim.setAttribute("aria-hidden", "true");
  scrim.append(path);
  layer().prepend(scrim);
}

/** Put the card beside its thing, never over it, inside the window, over as little as can be of what is lit. */
function put() {
  if (!shown) return;
  const card = layer().querySelector(".aid-card");
  for (const old of layer().querySelectorAll(".aid-mark, .aid-scrim, .aid-tail")) old.remove();
  card.style.maxHeight = "";
  const box = boxOf(shown.thing);
  const lit = shown.kind === "why" ? [] : light(card);
  if (shown.kind === "card") dim([box, ...lit]);
  layer().append(frame(box, `aid-mark is-of${shown.kind === "why" ? " is-not" : ""}`));
  const { width, height } = card.getBoundingClientRect();
  const spared = [...lit, ...[...document.querySelectorAll(SPARED)].filter(seen).map(boxOf)];
  const best = places(box, width, height).sort((one, other) => cost(one, spared) - cost(other, spared))[0];
  card.style.left = `${best.left}px`;
  card.style.top = `${best.top}px`;
  card.style.maxHeight = `${best.bottom - best.top}px`;
  tail(best, box);
}

/** Where the card could be: above, below, left or right of the thing, as high as there is room for. */
function places(box, width, height) {
  const clamp = (value, most) => Math.max(EDGE, Math.min(value, most));
  const left = clamp(box.left + box.width / 2 - width / 2, innerWidth - width - EDGE);
  const top = clamp(box.top + box.height / 2 - height / 2, innerHeight - height - EDGE);
  const above = box.top - GAP - EDGE;
  const below = innerHeight - box.bottom - GAP - EDGE;
  const all = [
    { side: "above", left, room: above, top: box.top - GAP - Math.min(height, above) },
    { side: "below", left, room: below, top: box.bottom + GAP },
    { side: "left", left: box.left - GAP - width, room: innerHeight - 2 * EDGE, top },
    { side: "right", left: box.right + GAP, room: innerHeight - 2 * EDGE, top },
  ];
  return all.map((one) => {
    const high = Math.max(0, Math.min(height, one.room));
    const out = Math.max(0, EDGE - one.left) + Math.max(0, one.left + width - innerWidth + EDGE);
    return { ...one, right: one.left + width, bottom: one.top + high, cut: height - high, out };
  });
}

function cost(place, lit) {
  const covered = lit.reduce((sum, box) => sum + overlap(place, box), 0);
  return place.out * 1e6 + place.cut * 1e4 + covered;
}

function tail(place, box) {
  const point = document.createElement("i");
  point.className = `aid-tail is-${place.side}`;
  point.setAttribute("aria-hidden", "true");
  const across = Math.max(place.left + 18, Math.min(box.left + box.width / 2, place.right - 18));
  const down = Math.max(place.top + 18, Math.min(box.top + box.height / 2, place.bottom - 18));
  const [x, y] = {
    above: [across, place.bottom],
    below: [across, place.top],
    left: [place.right, down],
    right: [place.left, down],
  }[place.side];
  point.style.left = `${x}px`;
  point.style.top = `${y}px`;
  layer().append(point);
}

// --- the sheet of all -------------------------------------------------------------------------------

let sheetOf = ""; // the question that the sheet answers

/** The sheet of all opens at once; what it says is kept. */
async function openAll() {
  close();
  const question = address("", "card");
  const dialog = sheet();
  if (!dialog.open) {
    dialog.showModal();
    history.pushState({ aid: true }, "");
  }
  if (sheetOf === question) return;
  const html = await text("", "card");
  if (!html) return;
  sheetOf = question;
  dialog.innerHTML = html;
}

// --- hands on it ------------------------------------------------------------------------------------

function press(event) {
  swallow = false;
  stopResting();
  if (shown && !isOver(event.target)) close();
  if (isOver(event.target)) return;
  const thing = thingOf(event.target);
  const isMouse = event.pointerType === "mouse";
  chosen = isMouse ? thing : null;
  if (!thing || isMouse) return;
  const timer = setTimeout(() => {
    pressing = null;
    swallow = true;
    explain(thing, "card");
  }, PRESS);
  pressing = { timer, x: event.clientX, y: event.clientY };
}

function lift() {
  if (pressing) clearTimeout(pressing.timer);
  pressing = null;
}

function stopResting() {
  clearTimeout(resting);
  under = null;
}

function move(event) {
  if (pressing && Math.hypot(event.clientX - pressing.x, event.clientY - pressing.y) > STRAY) lift();
  if (event.pointerType !== "mouse" || event.buttons || isOver(event.target)) return;
  const thing = thingOf(event.target);
  if (thing && thing === chosen) return;
  chosen = null;
  if (shown && shown.kind !== "card" && shown.thing !== thing) close();
  if (thing === under && shown) return;
  clearTimeout(resting);
  under = thing;
  if (!thing || shown) return;
  resting = setTimeout(() => explain(thing, "peek"), REST);
}

function click(event) {
  if (swallow) {
    swallow = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (event.target.closest(".aid-close")) close();
  else if (event.target.closest("[data-aid-all]")) {
    event.target.closest("dialog")?.close();
    openAll();
  } else if (!isOver(event.target) && !event.target.closest(BUSY)) tap(thingOf(event.target));
}

/** A tap on what is no choice says why, or explains it. */
function tap(thing) {
  if (!thing || thing.matches("button.choice")) return;
  explain(thing, "why");
}

function key(event) {
  if (event.key === "Escape" && shown) {
    event.preventDefault();
    event.stopImmediatePropagation();
    close();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input, select, textarea")) return;
  const thing = thingOf(event.target);
  if (event.key === "Enter" && thing && !event.target.matches("button, a, summary")) tap(thing);
  if (!settings.shortcuts) return;
  if (event.key === "a") openAll();
  if (event.key === "i") {
    const about = thing ?? thingOf(event.target.querySelector?.(THINGS));
    if (about) explain(about, "card", event.target);
  }
}

export function start() {
  document.addEventListener("pointerdown", press, true);
  document.addEventListener("pointermove", move, { passive: true });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, lift);
  document.addEventListener("click", click, true);
  document.addEventListener("keydown", key, true);
  document.addEventListener("contextmenu", (event) => {
    const thing = thingOf(event.target);
    if (!thing) return;
    event.preventDefault();
    lift();
    stopResting();
    swallow = event.pointerType === "touch";
    if (shown?.thing !== thing || shown.kind !== "card") explain(thing, "card");
  });
  document.addEventListener("pelagos:shown", () => {
    if (!shown) return;
    if (shown.kind === "card" && seen(shown.thing)) explain(shown.thing, "card", shown.back);
    else close();
  });
  document.documentElement.addEventListener("pointerleave", stopResting);
  addEventListener("resize", () => shown && (seen(shown.thing) ? put() : close()));
  document.addEventListener("scroll", (event) => shown && !isOver(event.target) && close(), true);
  sheet().addEventListener("close", () => {
    if (history.state?.aid) history.back();
  });
  addEventListener("popstate", () => sheet().close());
}
