// Ozeanien's table: ghosts of what a choice would do, turning a tile, a tile that fits nowhere.
// It knows no rule: all that it shows comes with the page.
import { choose } from "../app/choose.js";
import { settings } from "../app/settings.js";

const root = () => document.querySelector(".oze");
const all = (query) => [...(root()?.querySelectorAll(query) ?? [])];

let picked = ""; // the selected action
let newest = null; // the number of the newest event that the page has told
let notice = null; // what shows a tile that fits nowhere

/** Show what belongs to the selected action, and nothing of the others. */
function paint() {
  for (const part of all("[data-for]")) part.hidden = part.dataset.for !== picked;
  for (const button of all(".sailing, .laying, .pay")) {
    const ways = [...button.querySelectorAll("[data-way]")];
    const shown = ways.find((way) => way.dataset.way === picked) ?? ways[0];
    for (const way of ways) way.hidden = way !== shown;
  }
  const grown = (root().querySelector(".effect:not([hidden])")?.dataset.grown ?? "").split(" ");
  for (const cell of all("#sheets [data-line]")) cell.classList.toggle("grown", grown.includes(cell.dataset.line));
}

document.addEventListener("pelagos:choose", (event) => {
  picked = String(event.detail?.action ?? "");
  if (root()) paint();
});

// R turns the tile, wherever it is selected or about to be.
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
  const news = document.getElementById("news");
  const number = news ? Number(news.dataset.news) : -1;
  if (newest !== null && number > newest) {
    forget();
    notice = document.createElement("div");
    notice.className = "oze-news";
    notice.setAttribute("aria-hidden", "true"); // the log is read out already
    for (const part of news.childNodes) notice.append(part.cloneNode(true));
    document.body.append(notice);
  }
  newest = Math.max(newest ?? -1, number);
}

function forget() {
  notice?.remove();
  notice = null;
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, forget, true);

function shown() {
  if (!root()) return;
  if (!document.querySelector(`#act button[value="${picked}"]`)) picked = "";
  paint();
  tell();
  if (root().dataset.stage === "over") forget(); // the end tells enough
}
document.addEventListener("pelagos:shown", shown);
shown();
