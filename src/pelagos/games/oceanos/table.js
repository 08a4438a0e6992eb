// Oceanos' table: cards tapped in laying order, the part that would grow, a card enlarged.
// It knows no rule: what may be kept, and what it brings, comes with the page.
import { choose, clear, commit, show as fill } from "/static/app/choose.js";
import { say } from "/static/app/announce.js";
import { moves, settings } from "/static/app/settings.js";

const root = () => document.querySelector(".ocn");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];
const one = (query) => root()?.querySelector(query) ?? null;
const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

let order = []; // cards to keep, in laying order, as the pack calls them
let chosen = null; // the action that is selected

const held = (card) => one(`button.held[data-notation="${CSS.escape(card)}"]`);
const keeping = () => root()?.dataset.stage === "keep";

// --- keeping: first, second, third … ------------------------------------------------------------

function toggle(button) {
  const card = button.dataset.notation;
  const most = 1 + Number(root().dataset.more);
  if (order.includes(card)) order = order.filter((other) => other !== card);
  else if (order.length < most) {
    order.push(card);
    fresh = card;
  }
  else if (most === 1) order = [card];
  else {
    say(root().dataset.full);
    nudge(button);
    return;
  }
  settle();
}

/** The first card is what the commit bar has selected. */
function settle() {
  const first = order.length ? held(order[0]) : null;
  if (!first) {
    clear();
    return;
  }
  if (String(chosen) !== first.value) choose(first);
  paint();
  say(called());
}

let fresh = null; // the card that was tapped just now

/** A card that was tapped goes from the hand to its place in the row. */
function travel(ghost, card) {
  if (!moves()) return;
  const [from, to] = [card.getBoundingClientRect(), ghost.getBoundingClientRect()];
  const scale = from.width / to.width;
  const [x, y] = [from.left - to.left, from.top - to.top];
  ghost.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }], { duration: 260, easing: "cubic-bezier(.3, .7, .2, 1)" });
}

function earlier(place) {
  [order[place - 1], order[place]] = [order[place], order[place - 1]];
  settle();
}

function called() {
  const data = root().dataset;
  const names = order.map((card) => held(card)?.dataset.card ?? card);
  const sentence = names.reduce((text, name, index) => text.replace(`%${index + 1}`, name), data[`go${names.length}`]);
  return names.length > 1 ? `${sentence} ${data[`fuel${names.length - 1}`]}` : sentence;
}

/** Keep the first, the others for fuel, and no more where more could be. */
function send() {
  const actions = [held(order[0]).value, ...order.slice(1).map((card) => `fuel ${card}`)];
  if (order.length - 1 < Number(root().dataset.more)) actions.push("done");
  order = [];
  commit(actions);
}

function nudge(button) {
  if (moves()) button.animate([{ translate: "-4px 0" }, { translate: "4px 0" }, { translate: "0 0" }], { duration: 160 });
}

// --- showing what is selected -------------------------------------------------------------------

function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...inside);
  return made;
}

function picture(name) {
  const icon = one(".beast").cloneNode(true);
  icon.setAttribute("class", "i");
  icon.querySelector("use").setAttribute("href", `${document.body.dataset.sprite}#${name}`);
  return icon;
}

/** What a card will ask when it is laid there; crystals before it count. */
function asks(marks, at, before) {
  const words = one("[data-asks]").dataset;
  const crystals = root().dataset.pending || before.some((other) => other.includes("green") || other.includes("yellow"));
  const column = all(`.cells .cell[data-at$=",${at.split(",")[1]}"]`);
  const chests = column.reduce((sum, cell) => sum + Number(cell.dataset.chests ?? 0), 0) + marks.filter((mark) => mark === "treasure").length;
  const found = [];
  if (marks.includes("treasure") && Number(root().dataset.divers)) found.push(["diver", words.diver, chests]);
  if (marks.includes("base")) found.push(["base", crystals ? words.base : words.none, 0]);
  return found.map(([icon, text, count]) => {
    const bubble = make("span", `ask${icon === "base" && !crystals ? " no-gem" : ""}`, picture(icon), make("span", "", text));
    if (count > 1) bubble.append(make("b", "", `×${count}`));
    if (icon === "diver" || crystals) bubble.append(make("b", "", "?"));
    return bubble;
  });
}

function paintGhosts() {
  const slots = all(".slot[data-slot]");
  const marks = order.map((card) => held(card)?.dataset.marks.split(" ") ?? []);
  slots.forEach((slot, index) => {
    slot.replaceChildren();
    slot.className = "slot";
    const card = order[index] && held(order[index]);
    if (!card) return;
    const [row, column] = slot.dataset.slot.split(",").map(Number);
    const number = make("b", "no", String(index + 1));
    if (index) number.append(picture("fuel"));
    const asked = asks(marks[index], slot.dataset.slot, marks.slice(0, index));
    const ghost = make("span", "card ghost", card.querySelector(".face92").cloneNode(true));
    ghost.id = `p-kept_${order[index].replace(/[^\w-]/g, "_")}`; // what is kept lies there already
    ghost.dataset.fly = "";
    slot.append(ghost, number, ...asked.slice(0, 1));
    if (order[index] === fresh) travel(ghost, card.querySelector(".face92"));
    const top = Math.min(row, ...all(`.cells .cell[data-at$=",${column}"]`).filter((cell) => Number(cell.dataset.chests)).map((cell) => Number(cell.dataset.at.split(",")[0])));
    if (marks[index].includes("treasure") && Number(root().dataset.divers) && top < row) slot.append(make("span", `path up-${row - top}`));
    if (!marks[index].includes("coral")) return;
    const coral = (at) => one(`.cells .cell[data-at="${at}"][data-coral]`);
    slot.classList.toggle("joins-u", Boolean(coral(`${row - 1},${column}`)));
    slot.classList.toggle("joins-l", index ? marks[index - 1].includes("coral") : Boolean(coral(`${row},${column - 1}`)));
  });
}

function paintHand() {
  for (const button of all("button.held")) {
    const place = order.indexOf(button.dataset.notation);
    button.classList.toggle("is-picked", place >= 0);
    if (keeping()) button.setAttribute("aria-pressed", String(place >= 0));
    const number = button.querySelector("[data-no]");
    number.hidden = place < 0;
    number.replaceChildren(String(place + 1), ...(place > 0 ? [picture("fuel")] : []));
  }
  for (const button of all("[data-earlier-than]")) {
    const card = order[Number(button.dataset.earlierThan)];
    button.hidden = !card;
    if (card) button.querySelector("span").textContent = held(card)?.dataset.earlier ?? "";
  }
}

/** Animals that the selected cards would bring into the tank. */
function paintTank() {
  const known = new Set(all(".swim .t:not(.g) use").map((use) => use.getAttribute("href").split("#")[1]));
  const fresh = [...new Set(order.flatMap((card) => held(card)?.dataset.marks.split(" ") ?? []))].filter((mark) => ANIMALS.has(mark) && !known.has(mark));
  const empty = one(".swim .nil");
  if (empty) empty.hidden = fresh.length > 0;
  const room = Number(one(".swim")?.dataset.room) - known.size;
  all("[data-tank]").forEach((place, index) => {
    place.hidden = !fresh[index];
    place.classList.toggle("full", index >= room);
    place.replaceChildren(...(fresh[index] ? [picture(fresh[index])] : []));
  });
}
const ANIMALS = new Set(["seahorse", "clownfish", "jellyfish", "crab", "shark", "manta", "turtle", "whale"]);

/** Eyes that the selected cards would add. */
function paintEyes() {
  const mark = one("[data-eyes]");
  const eyes = order.flatMap((card) => held(card)?.dataset.marks.split(" ") ?? []).filter((sign) => sign === "eye").length;
  if (mark) mark.textContent = eyes ? `+${eyes}` : "";
}

/** What the selection changes on the sheet: of a card, or of two; the page tells no more. */
function changed() {
  const button = chosen === null ? null : one(`button[name="action"][value="${chosen}"]`);
  if (order.length < 2) return button?.dataset.lines ?? "";
  const pairs = (held(order[0])?.dataset.pairs ?? "").split("|").map((pair) => pair.split("="));
  return order.length === 2 ? pairs.find(([card]) => card === order[1])?.[1] ?? "" : "";
}

function paintSheet() {
  const by = new Map();
  for (const part of changed().split(" ").filter(Boolean)) {
    const [line, number] = part.split(":");
    by.set(line, Number(number));
  }
  by.set("total", [...by.values()].reduce((sum, number) => sum + number, 0));
  for (const mark of all("[data-delta]")) {
    const number = by.get(mark.dataset.delta) ?? 0;
    mark.textContent = number ? signed(number) : "";
    mark.classList.toggle("is-loss", number < 0);
  }
  const hint = one("[data-hint]");
  if (hint) hint.hidden = by.size < 2;
  if (order.length > 1) document.getElementById("go-gain").textContent = by.get("total") && settings.previews ? signed(by.get("total")) : "";
  for (const then of all("[data-then]")) {
    const number = by.get(then.dataset.then) ?? 0;
    then.hidden = !number;
    then.textContent = `→ ${signed(Number(then.dataset.now) + number)}`;
  }
}

/** The submarine with the part that is selected. */
function paintBoat() {
  const button = chosen === null ? null : one(`button[data-part][value="${chosen}"]`);
  for (const part of all(".own .pt")) {
    const name = part.getAttribute("class").match(/pt-(\w+)/)[1];
    const will = button?.dataset.part === name;
    part.classList.toggle("will", will);
    part.setAttribute("href", `${document.body.dataset.sprite}#sub-${name}-${will ? button.dataset.to : part.dataset.level}`);
  }
}

function paint() {
  if (!root()) return;
  if (keeping()) {
    order = order.filter(held);
    if (chosen === null && order.length) order = [];
  } else order = [];
  fill();
  if (order.length) document.getElementById("go-say").textContent = called();
  paintHand();
  paintGhosts();
  fresh = null;
  paintTank();
  paintEyes();
  paintSheet();
  paintBoat();
}

// --- taps and keys ------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const card = keeping() && !settings.onetap && event.target.closest(".ocn button.held.choice");
  const go = order.length && event.target.closest("#go");
  if (!card && !go) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (card) toggle(card);
  else send();
}, true);

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const move = event.target.closest(".ocn [data-earlier-than]");
  if (move) earlier(Number(move.dataset.earlierThan));
  const small = event.target.closest(".ocn [data-lens]");
  if (small) enlarge(small);
  if (event.target.closest(".ocn [data-yard]")) {
    const levels = one(".levels").cloneNode(true);
    levels.hidden = false;
    open(levels.querySelector("h2").textContent, levels);
  }
});

document.addEventListener("pelagos:choose", (event) => {
  chosen = event.detail?.action ?? null;
  if (chosen === null) order = [];
  else if (keeping()) {
    const first = one(`button.held[value="${chosen}"]`)?.dataset.notation;
    if (first && order[0] !== first) order = [first];
  }
  paint();
});

// --- arrows: one stop a grid, and one for the sheet, for the tab key ------------------------------

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const stop = (cell) => cell.querySelector("button") ?? cell;

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const here = document.activeElement;
  const cell = here?.closest?.(".ocn .cell[data-at]");
  const number = here?.closest?.(".ocn td[data-of]");
  if (event.key === "Enter" && cell && here === cell) enlarge(cell.querySelector("[data-lens]"));
  const step = STEPS[event.key];
  if (!step || (!cell && !number)) return;
  const next = cell ? beside(cell, step) : line(number, step);
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}, true);

function beside(cell, [down, right]) {
  const grid = cell.closest("[role=grid]");
  const [row, column] = cell.dataset.at.split(",").map(Number);
  const found = grid.querySelector(`.cell[data-at="${row + down},${column + right}"]`);
  if (found) return rove(grid.querySelectorAll(".cell[data-at]"), stop(found));
  return down > 0 && grid.closest(".water") ? one(".play button:not([hidden])") : null;
}

function line(number, [down, right]) {
  const rows = all(".pad tbody tr").map((row) => [...row.querySelectorAll("td")]);
  let row = rows.findIndex((cells) => cells.includes(number));
  let column = rows[row].indexOf(number);
  for (;;) {
    row += down;
    column += right;
    const found = rows[row]?.[column];
    if (!found) return null;
    if (found.dataset.of) return rove(all("td[data-of]"), found);
  }
}

function rove(cells, next) {
  for (const cell of cells) stop(cell).tabIndex = -1;
  if (next) next.tabIndex = 0;
  return next;
}

/** Keep the stop that has the focus; else the newest card, the first number. */
function stops() {
  for (const grid of all("[role=grid]")) {
    const cells = [...grid.querySelectorAll(".cell[data-at]")];
    if (cells.length) rove(cells, cells.map(stop).find((one) => one === document.activeElement) ?? stop(cells[cells.length - 1]));
  }
  const numbers = all("td[data-of]");
  rove(numbers, numbers.find((one) => one === document.activeElement) ?? numbers[0]);
}

// --- a card enlarged ------------------------------------------------------------------------------

let lens = null;

function open(name, ...inside) {
  if (!lens) {
    lens = make("dialog", "lens");
    lens.addEventListener("click", () => lens.close());
    document.body.append(lens);
  }
  const close = make("button", "second", root().dataset.shut);
  close.type = "button";
  lens.setAttribute("aria-label", name);
  lens.replaceChildren(...inside, close);
  lens.showModal();
}

function enlarge(card) {
  const name = card.getAttribute("aria-label") || card.parentElement.getAttribute("aria-label") || card.parentElement.querySelector(".sr")?.textContent || "";
  open(name, card.querySelector(".face92").cloneNode(true), make("p", "", name));
}

// --- the submarine grows --------------------------------------------------------------------------

const levels = new Map();

function grow() {
  for (const boat of all(".submarine")) {
    const seat = boat.getAttribute("class").match(/\bs(\d)/)[1];
    for (const part of boat.querySelectorAll(".pt")) {
      const key = `${seat} ${part.getAttribute("class").match(/pt-(\w+)/)[1]}`;
      const level = Number(part.dataset.level);
      if (levels.has(key) && levels.get(key) < level && moves()) {
        part.animate([{ transform: "scale(.55)", opacity: 0.3 }, { transform: "scale(1.16)", opacity: 1, offset: 0.6 }, { transform: "none" }], { duration: 620, easing: "ease-out" });
      }
      levels.set(key, level);
    }
  }
}

function shown() {
  if (!root()) return;
  paint();
  stops();
  grow();
}
document.addEventListener("pelagos:shown", shown);
shown();
