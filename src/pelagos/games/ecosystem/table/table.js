// Ecosystem's table: the cell after the card, what the chosen move would change.
import { changes, compose, further, selected, signed } from "../app/choose.js";
import { settings } from "../app/settings.js";

const all = (query) => [...document.querySelectorAll(`.eco ${query}`)];
const first = (query) => document.querySelector(`.eco ${query}`);

let target = null; // the cell where the selected card of the hand would be laid, as "row,column"

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
  const best = Math.max(0, ...[...cells.values()].map((next) => next.gain));
  for (const spot of all(".later")) paintCell(spot, cells.get(spot.dataset.later), best);
  const lines = cells.get(target)?.lines ?? changes(document.getElementById(`l-${button?.value}`)?.dataset.lines);
  paintCards(button, lines);
  paintGhost(button);
  paintTip(button, lines);
  paintReceipt(button ? lines : new Map());
  document.body.classList.toggle("goes-beside", Boolean(first(".loose button")?.closest("[data-owes='1']")));
}

function paintCell(spot, next, best) {
  spot.hidden = !next;
  if (!next) return;
  spot.parentElement.classList.toggle("best", best > 0 && next.gain === best);
  const isTarget = next.at === target;
  const gain = next.gain === null ? "" : signed(next.gain);
  spot.classList.toggle("is-chosen", isTarget);
  spot.setAttribute("aria-pressed", String(isTarget));
  spot.setAttribute("aria-label", [spot.dataset.name, gain].filter(Boolean).join(", "));
  spot.toggleAttribute("data-taught", Boolean(next.taught));
  spot.setAttribute("aria-description", next.taught ?? "");
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
  }
  for (const card of all(".frame .slab")) {
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

/** What to know of the choice: it has a place of its own, so that nothing moves. */
function paintTip(button, lines) {
  const tip = document.getElementById("tip");
  if (!tip) return;
  const notes = Object.entries(JSON.parse(tip.dataset.notes)).filter(([line]) => lines.get(line) > 0);
  tip.textContent = notes.map(([, note]) => note).join(" ") || button?.dataset.tip || "";
  tip.hidden = !tip.textContent;
}

/** What the move brings, line by line, with the signs of the sheet. */
function paintReceipt(lines) {
  if (!settings.previews) return;
  const items = all(".line").map((line) => receiptLine(line, lines.get(line.dataset.line)));
  document.getElementById("commit-receipt").replaceChildren(...items.filter(Boolean));
}

function receiptLine(line, change) {
  if (!change) return null;
  const [item, name, points] = ["li", "span", "b"].map((tag) => document.createElement(tag));
  item.className = change < 0 ? "loss" : "win";
  name.textContent = line.querySelector(".line-label").textContent;
  points.textContent = signed(change);
  item.append(line.querySelector("svg").cloneNode(true), name, points);
  return item;
}

document.addEventListener("click", (event) => {
  const spot = event.target.closest?.(".eco .later");
  if (spot) aim(spot.dataset.later === target ? null : sequels().get(spot.dataset.later));
});

document.addEventListener("pelagos:choose", () => {
  const cells = [...sequels().values()];
  aim(cells.length === 1 ? cells[0] : null); // the first card has no choice of a cell
});

document.addEventListener("pelagos:shown", paint);
paint();
