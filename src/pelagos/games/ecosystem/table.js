// Ecosystem's table: what a choice would bring, the cell after the card, whales, arrows, panes.
// It knows no rule: all numbers come with the page.
import { choose, clear, commit, show as fill } from "/static/app/choose.js";

const root = () => document.querySelector(".eco");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];
const one = (query) => root()?.querySelector(query) ?? null;
const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

const small = () => matchMedia("(max-width: 760px)").matches;

let picked = null; // the chosen button's action
let cell = null; // where the card of the hand would be laid: {move, at, gain, lines}
let whale = null; // the whale that acts, as "row,column"

const button = () => (picked === null ? null : one(`button[name="action"][value="${picked}"]`));

/** What may follow a card of the hand: cells with their gains. */
function following(from) {
  const text = from?.dataset.follow ?? "";
  return text.split("|").filter(Boolean).map((part) => {
    const [move, at, gain, lines] = part.split(";");
    return { move, at, gain: gain === "" ? null : Number(gain), lines: changes(lines) };
  });
}

function changes(text) {
  return (text ?? "").split(",").filter(Boolean).map((part) => {
    const [line, number] = part.split(":");
    return [line, Number(number)];
  });
}

function paint() {
  if (!root()) return;
  const from = button();
  const cells = following(from);
  if (cell && !cells.some((other) => other.move === cell.move)) cell = null;
  name(from);
  for (const place of all("button.later")) {
    const found = cells.find((other) => other.at === place.dataset.later);
    place.hidden = !found;
    if (!found) continue;
    const chosen = cell?.move === found.move;
    place.classList.toggle("is-chosen", chosen);
    place.setAttribute("aria-pressed", String(chosen));
    place.setAttribute("aria-label", `${place.dataset.placeWords}${found.gain === null ? "" : `, ${signed(found.gain)}`}`);
    const gain = place.querySelector(".plus");
    gain.textContent = found.gain === null ? "" : signed(found.gain);
    gain.classList.toggle("is-nil", found.gain === 0);
    const uses = place.querySelectorAll("use");
    const shown = from.querySelectorAll(".pic use");
    uses.forEach((use, index) => use.setAttribute("href", shown[index].getAttribute("href")));
  }
  paintReceipt(from);
  paintWhales();
  rove();
}

function paintReceipt(from) {
  const lines = cell ? cell.lines : changes(from?.dataset.lines);
  const by = new Map(lines);
  const gain = cell ? cell.gain : from && from.dataset.gain !== "" ? Number((from.dataset.gain ?? "0").replace("−", "-")) : 0;
  for (const mark of all(".pad em[data-delta], .jars.strip em[data-delta]")) {
    const names = mark.dataset.delta.split(" ");
    const sum = names[0] === "total" ? gain : names.reduce((total, name) => total + (by.get(name) ?? 0), 0);
    mark.textContent = sum ? signed(sum) : "";
    mark.classList.toggle("is-loss", sum < 0);
  }
  const box = one("[data-receipt-box]");
  if (box) {
    const rule = box.querySelector("[data-rule-box]");
    rule.textContent = from?.dataset.rule ?? "";
    rule.hidden = !rule.textContent;
    box.querySelector(".bill").hidden = !lines.length;
    box.hidden = !lines.length && rule.hidden;
    box.querySelector("[data-receipt-title]").textContent = called(from);
    box.querySelector("[data-receipt-total]").textContent = gain ? signed(gain) : "";
    for (const note of box.querySelectorAll("[data-note]")) note.hidden = !((by.get(note.dataset.note) ?? 0) > 0);
    for (const item of box.querySelectorAll("li[data-receipt]")) {
      const number = by.get(item.dataset.receipt) ?? 0;
      item.hidden = !number;
      const shown = item.querySelector("b");
      shown.textContent = signed(number);
      shown.classList.toggle("is-loss", number < 0);
    }
  }
  paintTip(from?.dataset.rule ?? "", by);
  const tiles = all(".frame .slab:not(.is-down)");
  const lone = (face) => tiles.filter((other) => other.dataset.face === face).length === 1;
  for (const tile of tiles) {
    const number = lone(tile.dataset.face) ? by.get(tile.dataset.face) ?? 0 : 0;
    tile.dataset.change = signed(number);
    tile.classList.toggle("is-fed", number > 0);
    tile.classList.toggle("is-hurt", number < 0);
  }
}

/** On a phone the rule stands in the prompt's place, so that nothing moves under the finger. */
function paintTip(rule, by) {
  const tip = one("[data-tip]");
  if (!tip) return;
  const notes = all("[data-note]").filter((note) => (by.get(note.dataset.note) ?? 0) > 0);
  tip.textContent = cell && notes.length ? notes.map((note) => note.textContent).join(" ") : rule;
  tip.hidden = !tip.textContent;
}

const called = (from) => (cell ? from?.dataset.sayLay : from?.dataset.name) ?? from?.dataset.say ?? "";

/** Tell the commit bar of the cell as well. */
function name(from) {
  fill();
  if (!from) return;
  document.getElementById("go-say").textContent = called(from);
  if (!cell) return;
  document.getElementById("go-gain").textContent = cell.gain ? signed(cell.gain) : "";
  document.getElementById("commit-receipt").replaceChildren(...cell.lines.map(([line, number]) => {
    const item = document.createElement("li");
    item.textContent = `${one(`li[data-receipt="${line}"] .short`).textContent} ${signed(number)}`;
    item.className = number < 0 ? "loss" : "win";
    return item;
  }));
}

// --- whales: tap one, then a lit neighbour --------------------------------------------------

function paintWhales() {
  const turns = all("button.turn");
  if (!turns.length) return;
  const flips = all(".flips button[data-whale]");
  const whales = [...new Set(flips.map((flip) => flip.dataset.whale))];
  if (picked !== null) whale = button()?.dataset.whale ?? whale;
  if (!whales.includes(whale)) whale = whales.length === 1 ? whales[0] : null;
  for (const turn of turns) {
    const at = turn.dataset.turn;
    const flip = flips.find((other) => other.dataset.whale === whale && other.dataset.at === at);
    const acts = whales.includes(at);
    turn.hidden = !flip && !acts;
    const holder = turn.closest(".spot");
    holder.classList.toggle("is-goal", Boolean(flip));
    holder.querySelector(".slab").classList.toggle("is-lit", at === whale);
    turn.classList.toggle("is-chosen", Boolean(flip) && flip.value === String(picked));
    turn.setAttribute("aria-label", flip ? flip.querySelector(".sr").textContent : holder.querySelector(".sr")?.textContent ?? "");
    turn.replaceChildren(...(flip?.querySelector(".plus") ? [flip.querySelector(".plus").cloneNode(true)] : []));
  }
}

function turn(at) {
  const flips = all(".flips button[data-whale]");
  const flip = flips.find((other) => other.dataset.whale === whale && other.dataset.at === at);
  if (flip && flip.value === String(picked)) commit([Number(flip.value)]);
  else if (flip) choose(flip);
  else {
    whale = at;
    clear();
  }
}

// --- taps -----------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const later = event.target.closest(".eco button.later");
  if (later) {
    const from = button();
    const found = following(from).find((other) => other.at === later.dataset.later);
    if (!found) return;
    if (cell?.move === found.move) send();
    else {
      cell = found;
      paint();
    }
    return;
  }
  const turned = event.target.closest(".eco button.turn");
  if (turned) turn(turned.dataset.turn);
  const pane = event.target.closest(".eco [data-pane]");
  if (pane && small()) {
    event.preventDefault();
    show(pane.dataset.pane);
    const goal = document.getElementById(pane.getAttribute("href").slice(1));
    scrollTo(0, 0);
    if (pane.closest(".chip") && goal) goal.scrollIntoView({ block: "nearest", inline: "center" });
  }
});

// The commit bar sends the card; with a cell chosen, both go together.
document.addEventListener("click", (event) => {
  const bar = event.target instanceof Element && event.target.closest("#go");
  if (bar && cell && button()) {
    event.preventDefault();
    event.stopImmediatePropagation();
    send();
  }
}, true);

function send() {
  const actions = [Number(picked), cell.move]; // the second one ahead, if others still choose
  cell = null;
  commit(actions);
}

document.addEventListener("pelagos:choose", (event) => {
  const action = event.detail?.action ?? null;
  const other = String(action) !== String(picked);
  picked = action;
  if (other) {
    const cells = following(button());
    cell = cells.length === 1 ? cells[0] : null; // the first card has no choice of a cell
  }
  paint();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && cell) {
    event.preventDefault();
    event.stopPropagation();
    cell = null;
    paint();
    button()?.focus();
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || !event.key.startsWith("Arrow")) return;
  const here = document.activeElement;
  const grid = here?.closest?.(".eco [data-cells]");
  const row = here?.closest?.(".eco [data-row]");
  const sheet = here?.closest?.(".eco .entry");
  const next = grid ? aside(grid, here, event.key) : row ? along(row, here, event.key) : sheet ? line(sheet, event.key) : null;
  if (!grid && !row && !sheet) return;
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}, true);

// --- arrows -----------------------------------------------------------------------------------

const target = (holder) => holder.querySelector("button:not([hidden])") ?? holder;

function aside(grid, here, key) {
  const [row, column] = here.closest(".spot").dataset.at.split(",").map(Number);
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  const found = grid.querySelector(`.spot[data-at="${row + down},${column + right}"]`);
  if (!found) {
    if (key === "ArrowDown" && grid.closest(".frame")) return one("[data-row] button");
    return null;
  }
  return move(grid, target(found));
}

function along(row, here, key) {
  const buttons = [...row.querySelectorAll("button:not([hidden])")];
  const at = buttons.indexOf(here.closest("button"));
  const box = here.getBoundingClientRect();
  if (key === "ArrowLeft" || key === "ArrowRight") return buttons[at + (key === "ArrowLeft" ? -1 : 1)] ?? null;
  const up = key === "ArrowUp";
  const there = buttons.filter((other) => {
    const place = other.getBoundingClientRect();
    return up ? place.bottom <= box.top + 8 : place.top >= box.bottom - 8;
  });
  const near = (other) => Math.abs(other.getBoundingClientRect().left - box.left);
  if (there.length) return there.sort((a, b) => near(a) - near(b))[0];
  return up ? one('.frame .spot [tabindex="0"], .frame .spot[tabindex="0"]') : null;
}

function line(here, key) {
  const lines = all(".pad .entry");
  const next = lines[lines.indexOf(here) + (key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1)];
  if (next) {
    here.tabIndex = -1;
    next.tabIndex = 0;
  }
  return next ?? null;
}

function move(grid, next) {
  for (const other of grid.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  next.tabIndex = 0;
  return next;
}

/** One stop a grid for the tab key; arrows go on from there. */
function rove() {
  for (const grid of all("[data-cells]")) {
    const stops = [...grid.querySelectorAll(".spot")].map(target);
    for (const stop of stops) if (stop !== document.activeElement) stop.tabIndex = -1;
    const first = stops.find((stop) => stop === document.activeElement) ?? stops.find((stop) => stop.matches(".is-chosen")) ?? stops.find((stop) => stop.matches("button")) ?? stops.find((stop) => stop.closest(".has-card"));
    if (first) first.tabIndex = 0;
  }
  const lines = all(".pad .entry");
  if (lines.length && !lines.some((item) => item.tabIndex === 0)) lines.forEach((item, index) => (item.tabIndex = index ? -1 : 0));
}

// --- a line of the sheet lights up the cards that make it ----------------------------------------

function light(event) {
  const here = event.target instanceof Element ? event.target.closest(".eco .pad .entry") : null;
  const makes = Boolean(here?.dataset.of);
  if (makes && event.type === "click" && small()) {
    show("reef");
    scrollTo(0, 0);
  }
  one(".frame .reefgrid")?.classList.toggle("is-lighting", makes);
}
for (const kind of ["click", "pointerover", "focusin"]) document.addEventListener(kind, light);

// --- panes of the phone -----------------------------------------------------------------------

function show(pane) {
  document.documentElement.dataset.pane = pane;
  for (const tab of all(".panes [data-pane]")) {
    if (tab.dataset.pane === pane) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

function shown() {
  if (!root()) return;
  show(document.documentElement.dataset.pane ?? "reef");
  if (picked !== null && !button()) picked = cell = null;
  paint();
}
document.addEventListener("pelagos:shown", shown);
shown();
