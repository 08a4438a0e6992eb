// Ozeanien's table: ghosts of what a choice would do, turning a tile, a tile that fits nowhere.
// It knows no rule: all that it shows comes with the page.
import { choose, show as fill } from "/static/app/choose.js";
import { settings } from "/static/app/settings.js";

const root = () => document.querySelector(".oze");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];

let picked = null; // the chosen action
let told = null; // the newest tile that fitted nowhere: which event it was
let news = null; // what tells of it

/** Show what belongs to the chosen action, and nothing of the others. */
function paint() {
  if (!root()) return;
  const chosen = picked === null ? "" : String(picked);
  for (const one of all("[data-for]")) one.hidden = one.dataset.for !== chosen;
  for (const cell of all(".laying")) {
    const ways = [...cell.querySelectorAll("[data-way]")];
    const shown = ways.find((one) => one.dataset.way === chosen) ?? ways[0];
    for (const one of ways) one.hidden = one !== shown;
  }
  const grown = (root().querySelector(".effect:not([hidden])")?.dataset.grown ?? "").split(" ");
  for (const line of all("tr[id^=isle-]")) line.classList.toggle("is-grown", grown.includes(line.id.slice(5)));
  name(chosen);
}

/** Name the move on the commit button. */
function name(chosen) {
  fill();
  const from = all("button.choice").find((one) => one.value === chosen || (one.dataset.more ?? "").split(" ").includes(chosen));
  const own = all("button.choice").find((one) => one.value === chosen);
  const say = (own ?? from)?.dataset.name;
  if (chosen && say) document.getElementById("go-say").textContent = say;
}

document.addEventListener("pelagos:choose", (event) => {
  picked = event.detail?.action ?? null;
  paint();
});

// R turns the tile, wherever it is chosen or about to be.
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey || !settings.shortcuts) return;
  if (event.target.matches?.("input, select, textarea") || document.querySelector("dialog[open]")) return;
  const cell = root()?.querySelector(".laying.is-chosen, .laying:focus") ?? root()?.querySelector(".laying");
  if (!cell) return;
  event.preventDefault();
  if (cell.dataset.more || !cell.classList.contains("is-chosen")) choose(cell);
});

// --- a tile that fits nowhere is shown until the next tap ---------------------------------------

function tell() {
  const found = document.getElementById("news");
  const number = found ? Number(found.dataset.news) : null;
  if (told === null) told = number ?? -1;
  else if (number !== null && number > told) {
    told = number;
    forget();
    news = document.createElement("div");
    news.className = "oze-news";
    news.setAttribute("aria-hidden", "true"); // the log is read out already
    for (const part of found.childNodes) news.append(part.cloneNode(true));
    document.body.append(news);
  }
}

function forget() {
  news?.remove();
  news = null;
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, forget, true);

function shown() {
  if (!root()) return;
  if (picked !== null && !document.querySelector(`#act button[value="${picked}"]`)) picked = null;
  paint();
  tell();
  if (root().dataset.stage === "over") forget(); // the end tells enough
}
document.addEventListener("pelagos:shown", shown);
shown();
