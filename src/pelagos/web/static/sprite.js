// The game's symbols, in the page itself. `<use>` of another file has each symbol fetched, and drawn twice: once at
// once, once more a frame later. So what a view needs is taken from the sprite into the page, and used from there; until
// the sprite has come, and without scripts, the file is used.

const SVG = "http://www.w3.org/2000/svg";
const HERE = "art-"; // before the symbols' ids
let symbols = null; // the sprite's symbols by their names, once it has come
let store = null; // the symbols that are in the page

const address = () => document.body.dataset.sprite;

/** Take these symbols into the page. */
function bring(names) {
  for (const name of names) {
    const symbol = symbols.get(name);
    if (!symbol || symbol.parentNode === store) continue;
    symbol.id = HERE + name;
    store.append(symbol);
  }
}

/** Where a symbol is drawn from. */
export function symbolAt(name) {
  if (!symbols?.has(name)) return `${address()}#${name}`;
  bring([name]);
  return `#${HERE}${name}`;
}

/** The html of a view, its symbols drawn from the page. */
export function drawHere(html) {
  if (!symbols) return html;
  const uses = html.split(`href="${address()}#`);
  bring(new Set(uses.slice(1).map((use) => use.slice(0, use.indexOf('"')))));
  return uses.join(`href="#${HERE}`);
}

export async function start() {
  if (!address()) return;
  const answer = await fetch(address());
  if (!answer.ok) return;
  const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const found = [...sprite.querySelectorAll("symbol[id]")].map((symbol) => document.adoptNode(symbol));
  store = document.createElementNS(SVG, "svg");
  const shelf = document.createElement("div");
  shelf.hidden = true;
  shelf.append(store);
  document.body.append(shelf);
  symbols = new Map(found.map((symbol) => [symbol.id, symbol]));
}
