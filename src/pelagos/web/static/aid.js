// The aid: a long press, the resting pointer, the right button or key i, and whatever lies there explains itself; a
// tap on what can't be chosen says why. All that is told comes from the server; here it is put beside its subject.
//
// The card and what it lights up lie in a layer over the table, so that nothing inside `#view` changes.
import { say } from "./announce.js";
import { settings } from "./settings.js";

const PRESS = 480; // milliseconds of a long press
const REST = 650; // milliseconds that a pointer rests
const STRAY = 10; // pixels that a finger may stray meanwhile
const GAP = 12; // pixels from the subject to its card
const EDGE = 6; // pixels from the card to the window's edge
const SUBJECTS = "[data-aid], [id^='p-'], button.choice, [role=gridcell]:is([data-at], [data-kind]), [data-line]";
const BUSY = "a, button:not(.choice, [disabled]), input, select, textarea, summary, label, [data-lens]";

const SPARED = "#lesson, #hint-card, #go, #prompt"; // what somebody may be reading or about to press

let shown = null; // {subject, of, kind, back}: what is explained, how ("peek", "card", "why"), where the focus was
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

/** The subject that an element belongs to, in the table or in a hand. */
function subjectOf(element) {
  const subject = element?.closest?.(SUBJECTS);
  return subject?.closest("#view") ? subject : null;
}

/** What the server knows it by. */
function wordOf(subject) {
  const { aid, line, seat, at, kind } = subject.dataset;
  if (aid) return aid;
  if (subject.matches("button.choice")) return `choice:${subject.value}`;
  if (subject.id.startsWith("p-")) return `id:${subject.id}`;
  const inner = subject.matches("[role=gridcell]") && subject.querySelector("[id^='p-']");
  if (inner) return `id:${inner.id}`;
  const row = subject.closest("tr[data-aid]")?.dataset.aid ?? `line:${line}`;
  if (line) return seat ? `${row}:${seat}` : row;
  const place = subject.closest("[id^='at-']")?.id;
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

/** Explain a subject: in passing ("peek"), until it is closed ("card"), or why it can't be chosen ("why"). */
async function explain(subject, kind, back = null) {
  const mine = ++asked;
  const of = wordOf(subject);
  const html = await text(of, kind);
  if (mine !== asked || !subject.isConnected) return;
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
  shown = { subject, of, kind: brief ? "why" : kind, back };
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

const overlap = (box, other) =>
  Math.max(0, Math.min(box.right, other.right) - Math.max(box.left, other.left)) *
  Math.max(0, Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top));

/** Light up what the rows of the card speak of. */
function light(card) {
  const lit = [];
  for (const row of card.querySelectorAll("[data-marks]")) {
    for (const mark of row.dataset.marks.split(" ")) {
      const element = marked(mark);
      if (!element || element === shown.subject || lit.some((other) => other.element === element)) continue;
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

/** Put the card beside its subject, never over it, inside the window, over as little as can be of what is lit. */
function put() {
  if (!shown) return;
  const card = layer().querySelector(".aid-card");
  for (const old of layer().querySelectorAll(".aid-mark, .aid-scrim, .aid-tail")) old.remove();
  card.style.maxHeight = "";
  const box = boxOf(shown.subject);
  const lit = shown.kind === "why" ? [] : light(card);
  if (shown.kind === "card") dim([box, ...lit]);
  layer().append(frame(box, `aid-mark is-of${shown.kind === "why" ? " is-not" : ""}`));
  const { width, height } = card.getBoundingClientRect();
  const spared = [...lit, ...[...document.querySelectorAll(SPARED)].filter(seen).map(boxOf)];
  const best = places(box, width, height).sort((place, other) => cost(place, spared) - cost(other, spared))[0];
  card.style.left = `${best.left}px`;
  card.style.top = `${best.top}px`;
  card.style.maxHeight = `${best.bottom - best.top}px`;
  tail(best, box);
}

/** Where the card could be: above, below, left or right of the subject, as high as there is room for. */
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
  return all.map((place) => {
    const high = Math.max(0, Math.min(height, place.room));
    const out = Math.max(0, EDGE - place.left) + Math.max(0, place.left + width - innerWidth + EDGE);
    return { ...place, right: place.left + width, bottom: place.top + high, cut: height - high, out };
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
  const subject = subjectOf(event.target);
  const isMouse = event.pointerType === "mouse";
  chosen = isMouse ? subject : null;
  if (!subject || isMouse) return;
  const timer = setTimeout(() => {
    pressing = null;
    swallow = true;
    explain(subject, "card");
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
  const subject = subjectOf(event.target);
  if (subject && subject === chosen) return;
  chosen = null;
  if (shown && shown.kind !== "card" && shown.subject !== subject) close();
  if (subject === under && shown) return;
  clearTimeout(resting);
  under = subject;
  if (!subject || shown) return;
  resting = setTimeout(() => explain(subject, "peek"), REST);
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
  } else if (!isOver(event.target) && !event.target.closest(BUSY)) tap(subjectOf(event.target));
}

/** A tap on what is no choice says why, or explains it. */
function tap(subject) {
  if (!subject || subject.matches("button.choice")) return;
  explain(subject, "why");
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
  const subject = subjectOf(event.target);
  if (event.key === "Enter" && subject && !event.target.matches("button, a, summary")) tap(subject);
  if (!settings.shortcuts) return;
  if (event.key === "a") openAll();
  if (event.key === "i") {
    const about = subject ?? subjectOf(event.target.querySelector?.(SUBJECTS));
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
    const subject = subjectOf(event.target);
    if (!subject) return;
    event.preventDefault();
    lift();
    stopResting();
    swallow = event.pointerType === "touch";
    if (shown?.subject !== subject || shown.kind !== "card") explain(subject, "card");
  });
  document.addEventListener("pelagos:shown", () => {
    if (!shown) return;
    if (shown.kind === "card" && seen(shown.subject)) explain(shown.subject, "card", shown.back);
    else close();
  });
  document.documentElement.addEventListener("pointerleave", stopResting);
  addEventListener("resize", () => shown && (seen(shown.subject) ? put() : close()));
  document.addEventListener("scroll", (event) => shown && !isOver(event.target) && close(), true);
  sheet().addEventListener("close", () => {
    if (history.state?.aid) history.back();
  });
  addEventListener("popstate", () => sheet().close());
}
