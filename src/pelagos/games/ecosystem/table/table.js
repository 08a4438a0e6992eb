// Ecosystem's table: the cell after the card, what the chosen move would change, why others can't be chosen, panes.
import { say } from "/static/app/announce.js";
import { changes, compose, further, selected, signed } from "/static/app/choose.js";

const all = (query) => [...document.querySelectorAll(`.eco ${query}`)];
const first = (query) => document.querySelector(`.eco ${query}`);
const isSmall = () => matchMedia("(width <= 760px)").matches;

let target = null; // the cell where the selected card of the hand would be laid, as "row,column"
let reason = ""; // why what was tapped last can't be chosen

/** What may follow the selected choice, by its cell. */
const sequels = () => new Map(further(selected()).map((next) => [next.at, next]));

/** Lay the selected card of the hand there, or nowhere yet. */
function aim(next) {
  target = next?.at ?? null;
  const card = selected();
  compose(next ? { ...next, say: card.dataset.lay, actions: [Number(card.value), next.move] } : null);
  paint();
}

function paint() {
  if (!first(".reef")) return;
  const button = selected();
  const cells = sequels();
  if (!cells.has(target)) target = null;
  for (const spot of all(".later")) paintCell(spot, cells.get(spot.dataset.later));
  const lines = cells.get(target)?.lines ?? changes(button?.dataset.lines);
  paintCards(button, lines);
  paintGhost(button);
  paintTip(button, lines);
}

function paintCell(spot, next) {
  spot.hidden = !next;
  if (!next) return;
  const isTarget = next.at === target;
  const gain = next.gain === null ? "" : signed(next.gain);
  spot.classList.toggle("is-chosen", isTarget);
  spot.setAttribute("aria-pressed", String(isTarget));
  spot.setAttribute("aria-label", [spot.dataset.name, gain].filter(Boolean).join(", "));
  const plus = spot.querySelector(".plus");
  plus.textContent = gain;
  plus.classList.toggle("nil", gain === "0");
}

/** Cards that the move changes alone of their species say so; the whale that acts stands out. */
function paintCards(button, lines) {
  const cards = all(".frame .slab:not(.is-down)");
  for (const card of cards) {
    const alike = cards.filter((other) => other.dataset.face === card.dataset.face);
    const change = alike.length === 1 ? (lines.get(card.dataset.face) ?? 0) : 0;
    if (change && !card.closest(".can")) card.dataset.change = signed(change);
    else delete card.dataset.change;
    card.classList.toggle("is-acting", card.id === button?.dataset.piece);
  }
}

/** The card that would be laid is seen on its cell. */
function paintGhost(button) {
  for (const old of all(".ghost:not(.ahead)")) old.remove();
  const spot = first(".spot:not(.has-card) > .is-chosen");
  const card = button?.matches(".card") ? button : first(".taken, .slab.is-lifted");
  const picture = card?.querySelector(".picture");
  if (!spot || !picture) return;
  const ghost = document.createElement("span");
  ghost.className = "ghost";
  ghost.append(picture.cloneNode(true));
  spot.prepend(ghost);
}

/** What to know of the choice, or why there is none: it stands over the prompt, so that nothing moves. */
function paintTip(button, lines) {
  const tip = document.getElementById("tip");
  if (!tip) return;
  const notes = Object.entries(JSON.parse(tip.dataset.notes)).filter(([line]) => lines.get(line) > 0);
  tip.textContent = reason || notes.map(([, note]) => note).join(" ") || button?.dataset.tip || "";
  tip.hidden = !tip.textContent;
}

/** Say why what was pointed at can't be chosen; false if it can. */
function explain(event) {
  const thing = event.target.closest?.(".eco button, .eco a, .eco [data-why]");
  const before = reason;
  reason = thing?.dataset.why ?? "";
  if (reason) say(reason);
  if (reason !== before) paint();
}

// --- one part of the table at a time, on a phone ----------------------------------------------------

function show(pane) {
  document.documentElement.dataset.pane = pane;
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.hash === `#${pane}`) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

function go(event) {
  const link = event.target.closest?.(".tabs a, .eco .seat-in[href]");
  if (!isSmall()) return;
  if (event.target.closest?.(".line[data-of]:not([data-of=''])")) show("prompt");
  if (!link) return;
  event.preventDefault();
  const other = link.matches(".seat-in");
  show(other ? "others" : link.hash.slice(1));
  scrollTo(0, 0);
  if (other) document.querySelector(link.hash)?.scrollIntoView({ block: "nearest", inline: "center" });
}

document.addEventListener("click", (event) => {
  const spot = event.target.closest?.(".eco .later");
  if (spot && spot.dataset.later === target) document.getElementById("go").click();
  else if (spot) aim(sequels().get(spot.dataset.later));
  explain(event);
  go(event);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.target.matches("button, a")) explain(event);
});

document.addEventListener("pelagos:choose", () => {
  const cells = [...sequels().values()];
  aim(cells.length === 1 ? cells[0] : null); // the first card has no choice of a cell
});

function shown() {
  if (!first(".reef")) return;
  show(document.documentElement.dataset.pane ?? "prompt");
  reason = "";
  paint();
}

document.addEventListener("pelagos:shown", shown);
shown();
