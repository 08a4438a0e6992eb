// Oceanos' table: cards tapped in laying order, the part that would grow, a card enlarged.
// What may be kept, what it brings and what it will ask comes with the page.
import { say } from "../app/announce.js";
import { changes, choose, clear, compose, further, selected } from "../app/choose.js";
import { moves, settings } from "../app/settings.js";

const root = () => document.querySelector(".ocean");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];
const find = (query) => root()?.querySelector(query) ?? null;
const held = (id) => document.getElementById(id)?.querySelector("button") ?? null;
const marks = (id) => held(id).dataset.marks.split(" ");
const keeping = () => root()?.dataset.stage === "keep";
const spare = () => Number(root().dataset.spare);

let order = []; // ids of the cards to keep, in laying order
let extra = 0; // how many further cards the fuel is to pay for
let fresh = null; // the card that was tapped just now

function make(tag, name, ...inside) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...inside);
  return made;
}

function picture(name) {
  const drawn = find(".beast svg").cloneNode(true);
  drawn.querySelector("use").setAttribute("href", `${document.body.dataset.sprite}#${name}`);
  return drawn;
}

// --- keeping: first, second, third … ----------------------------------------------------------------

/** A card that is chosen is taken off; another one takes the last one's place, or is added if fuel is to pay. */
function toggle(id) {
  if (order.includes(id)) {
    order = order.filter((other) => other !== id);
    extra = Math.max(0, order.length - 1);
  } else {
    order = [...order.slice(0, extra), id];
    fresh = id;
  }
  settle();
}

/** Let fuel pay for one more card, or not. */
function addMore() {
  extra = extra < order.length ? extra + 1 : extra - 1;
  paint();
  if (extra === order.length) say(root().dataset.adding);
}

/** The first card is what the commit bar has selected; the others go with it. */
function settle() {
  const first = held(order[0]);
  if (!first) return clear();
  if (selected() !== first) choose(first);
  compose(move(first));
  paint();
  say(document.getElementById("go-say").textContent);
}

/** All cards in their order, and no more where more could be; what three bring together the page doesn't tell. */
function move(first) {
  const { go, then, fuel } = root().dataset;
  const listed = document.getElementById(`l-${first.value}`); // there the page tells what a choice brings
  const { gain = "0", lines, receipt } = listed.dataset; // without previews it tells nothing
  const next = further(first);
  const cards = order.slice(1).map((id) => next.find((other) => other.piece === id));
  const last = cards.length < spare() ? next.filter((other) => !other.piece) : [];
  const alone = { gain: Number(gain.replace("−", "-")), lines: changes(lines), receipt };
  const names = cards.length ? order.map((id) => held(id).dataset.card) : [first.dataset.alone];
  const kept = go.replace("%", names.join(then));
  const sent = [...cards, ...last];
  return {
    ...([alone, cards[0]][cards.length] ?? { lines: new Map() }),
    say: cards.length ? `${kept} ${fuel.split("|")[cards.length - 1]}` : kept,
    actions: [Number(first.value), ...sent.map((other) => other.move)],
    taught: first.hasAttribute("data-taught") && (!sent.length || sent.some((other) => other.taught)),
  };
}

function earlier(place) {
  [order[place - 1], order[place]] = [order[place], order[place - 1]];
  settle();
}

// --- showing what is selected -----------------------------------------------------------------------

function paintHand() {
  for (const card of all(".held")) {
    const place = order.indexOf(card.id);
    card.classList.toggle("picked", place >= 0);
    if (keeping()) card.querySelector("button")?.setAttribute("aria-pressed", String(place >= 0));
    card.querySelector(".number")?.remove();
    if (place >= 0) card.append(numbered(place));
  }
  for (const button of all("[data-earlier-than]")) {
    const card = order[Number(button.dataset.earlierThan)];
    button.hidden = !card;
    if (card) setText(button.querySelector("span"), held(card).dataset.earlier);
  }
}

/** The button that lets fuel pay for a further card; while it does, the prompt says so. */
function paintMore() {
  const button = find("[data-further]");
  const hint = find(".spare");
  if (!button || !hint) return;
  const adding = order.length > 0 && extra === order.length;
  button.disabled = !order.length || (!adding && extra >= spare());
  button.setAttribute("aria-pressed", String(adding));
  teachFuel(button, adding);
  hint.dataset.says ??= hint.textContent;
  setText(hint, adding ? root().dataset.adding : order.length > spare() ? "" : hint.dataset.says);
}

/** A lesson that wants a second card lights first the card, then the fuel, then the other card. */
function teachFuel(button, adding) {
  const goesOn = further(held(order[0])).some((other) => other.piece && other.taught);
  const isNext = goesOn && !adding && !button.disabled;
  button.toggleAttribute("data-taught", isNext);
  for (const card of all(".held button[aria-description]")) card.toggleAttribute("data-taught", !isNext);
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const numbered = (place) => make("b", "number", String(place + 1), ...(place ? [picture("fuel")] : []));

/** The cards in their places in the row, and what the first two will ask. */
function paintRow() {
  all(".slot.open").forEach((slot, place) => {
    const id = order[place];
    if (slot.firstChild) slot.replaceChildren();
    slot.toggleAttribute("data-coral", Boolean(id) && marks(id).includes("coral"));
    if (!id) return;
    const face = held(id).querySelector("svg");
    const ghost = make("span", "card ghost", face.cloneNode(true));
    ghost.id = id.replace("hand", "kept"); // what is kept lies there already
    ghost.dataset.fly = "";
    slot.append(ghost, numbered(place));
    const ask = JSON.parse(held(order[0]).dataset.asks)[place ? (place > 1 ? "-" : id) : ""];
    if (ask) slot.append(make("span", "ask", picture(ask.art), make("span", "", ask.say)));
    if (ask?.up) slot.append(make("span", `path up-${ask.up}`));
    if (id === fresh) travel(ghost, face);
  });
  fresh = null;
}

/** A card that was tapped goes from the hand to its place in the row. */
function travel(ghost, face) {
  if (!moves()) return;
  const [from, to] = [face.getBoundingClientRect(), ghost.getBoundingClientRect()];
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
  ghost.animate({ transform: [start, "none"] }, { duration: 260, easing: "cubic-bezier(.3, .7, .2, 1)" });
}

/** Animals that would come into the tank, and eyes that would look. */
function paintTank() {
  const signs = order.flatMap(marks);
  const tank = find(".tank");
  for (const ghost of all(".tank .coming")) ghost.remove();
  const there = new Set(all("[data-animal]").map((swimmer) => swimmer.dataset.animal));
  for (const animal of new Set(signs.filter((sign) => tank?.dataset.animals.split(" ").includes(sign)))) {
    if (there.has(animal)) continue;
    there.add(animal);
    tank.insertBefore(
      make("span", `swimmer coming${there.size > Number(tank.dataset.room) ? " full" : ""}`, picture(animal)),
      find(".tank .none"),
    );
  }
  const eyes = signs.filter((sign) => sign === "eye").length;
  for (const more of all("[data-eyes-more]")) more.textContent = eyes ? `+${eyes}` : "";
}

/** The submarine with the part that is selected. */
function paintBoat() {
  const wanted = selected()?.dataset ?? {};
  for (const part of all(".own .pt")) {
    const grows = wanted.part === part.dataset.part;
    const level = grows ? wanted.to : part.dataset.face;
    const drawn = `${document.body.dataset.sprite}#sub-${part.dataset.part}-${level}`;
    part.classList.toggle("grows", grows);
    if (part.getAttribute("href") !== drawn) part.setAttribute("href", drawn);
  }
}

function paint() {
  if (!root()) return;
  order = keeping() ? order.filter(held) : [];
  extra = order.length ? Math.min(extra, order.length) : 0;
  paintHand();
  paintMore();
  paintRow();
  paintTank();
  paintBoat();
}

// --- taps and keys ----------------------------------------------------------------------------------

document.addEventListener(
  "click",
  (event) => {
    const button = keeping() && !settings.onetap && event.target.closest(".held button.choice");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    toggle(button.closest(".held").id);
  },
  true,
);

document.addEventListener("click", (event) => {
  const button = event.target.closest(".ocean [data-earlier-than]");
  if (button) earlier(Number(button.dataset.earlierThan));
  if (event.target.closest(".ocean [data-further]")) addMore();
  const card = event.target.closest(".ocean [data-lens]");
  if (card) enlarge(card);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches(".ocean [role=gridcell]"))
    event.target.querySelector("[data-lens]")?.click();
});

document.addEventListener("pelagos:choose", ({ detail }) => {
  const card = detail.button?.closest(".held")?.id;
  if (order[0] !== card) order = card && keeping() ? [card] : [];
  paint();
});

// --- a card enlarged --------------------------------------------------------------------------------

const lens = make("dialog", "lens");
document.body.append(lens);

function enlarge(card) {
  const close = make("button", "second", root().dataset.shut);
  close.type = "button";
  close.dataset.close = "";
  const { lens: name, why = "" } = card.dataset;
  lens.setAttribute("aria-label", name);
  lens.replaceChildren(card.querySelector("svg").cloneNode(true), make("p", "", name), make("small", "", why), close);
  lens.showModal();
}

document.addEventListener("pelagos:shown", paint);
paint();
