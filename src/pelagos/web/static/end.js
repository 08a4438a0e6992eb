// The end: the sheet is counted line by line, the totals grow, the cards that make a line light up.
//
// What a sheet must have, drawn by the page or by a game's own table, inside `#sheets`:
//   [data-line="shells"][data-seat="0"]  the cell of one line and seat; its `data-points` is the
//                                       number; it, or what is in it, may have `data-of="id id"`:
//                                       the cards that make it
//   [data-total="57"][data-seat="0"]    the seat's sum; its text is that number and nothing else
// Lines are counted in the order of the page. `html.is-counting` stands while it lasts: what tells
// the winner hides meanwhile (`.reveal`), and in its place stands what is counted (`.counting`), so that nobody needs
// to see the sheet. A tap or a key ends it at once.
import { signed } from "./choose.js";
import { moves } from "./settings.js";
import { play } from "./sound.js";

const LEAST = 380;
const MOST = 900;
const WHOLE = 7000;

let over = null; // was the game over when we last looked?
let at = -1; // how many lines are counted; −1: nobody counts
let timer = 0;

const sheet = () => document.getElementById("sheets");
const cells = () => [...(sheet()?.querySelectorAll("[data-line][data-seat]") ?? [])];
const keys = () => [...new Set(cells().map((cell) => cell.dataset.line))];
const written = (number) => String(number).replace("-", "−");

/** Show what is counted so far; again after each morph, which knows nothing of it. */
function paint() {
  const counting = at >= 0;
  if (!counting && !document.documentElement.classList.contains("is-counting")) return;
  document.documentElement.classList.toggle("is-counting", counting);
  const lines = keys();
  const sums = new Map();
  for (const cell of cells()) {
    const done = !counting || lines.indexOf(cell.dataset.line) < at;
    cell.classList.toggle("is-uncounted", !done);
    cell.classList.toggle("is-counted-now", counting && lines[at - 1] === cell.dataset.line);
    if (done) sums.set(cell.dataset.seat, (sums.get(cell.dataset.seat) ?? 0) + Number(cell.dataset.points));
  }
  for (const total of document.querySelectorAll("#sheets [data-total][data-seat], .counting [data-total][data-seat]")) {
    const sum = counting ? (sums.get(total.dataset.seat) ?? 0) : total.dataset.total;
    if (total.textContent !== written(sum)) total.textContent = written(sum);
  }
  tellLine(cells().filter((cell) => counting && lines[at - 1] === cell.dataset.line));
  for (const lit of document.querySelectorAll(".is-counted")) lit.classList.remove("is-counted");
  if (!counting) return;
  for (const cell of cells().filter((cell) => cell.classList.contains("is-counted-now"))) {
    for (const source of [cell, ...cell.querySelectorAll("[data-of]")]) {
      for (const id of (source.dataset.of ?? "").split(" ").filter(Boolean))
        document.getElementById(id)?.classList.add("is-counted");
    }
  }
}

/** The line that is counted now, and what it brings to each seat. */
function tellLine(now) {
  const name = document.querySelector("[data-counting]");
  if (!name) return;
  name.textContent = now[0]?.closest("tr")?.querySelector("th .line-name")?.textContent.trim() ?? "";
  for (const mark of document.querySelectorAll(".counting [data-now]")) {
    const cell = now.find((cell) => cell.dataset.seat === mark.dataset.seat);
    mark.textContent = cell ? signed(Number(cell.dataset.points)) : "";
  }
}

function next(pause) {
  at += 1;
  if (at > keys().length) return stop();
  paint();
  for (const cell of document.querySelectorAll("#sheets .is-counted-now")) {
    cell.animate(
      [
        { opacity: 0, transform: "translateY(8px)" },
        { opacity: 1, transform: "none" },
      ],
      { duration: 260, easing: "ease-out" },
    );
  }
  if (at > 0) play("count", at / keys().length);
  timer = setTimeout(() => next(pause), pause);
}

function count() {
  clearTimeout(timer);
  const lines = keys();
  if (!lines.length || !moves()) return;
  at = -1;
  next(Math.min(MOST, Math.max(LEAST, WHOLE / lines.length)));
  document.getElementById("end")?.scrollIntoView({ block: "nearest" });
}

/** All at once: the rest of the sheet, the winner, and the focus there. */
function stop() {
  if (at < 0) return;
  clearTimeout(timer);
  at = -1;
  paint();
  play("win");
  const prompt = document.getElementById("prompt");
  prompt?.focus({ preventScroll: true });
  document.getElementById("end")?.scrollIntoView({ block: "nearest" });
}

function look() {
  const now = document.getElementById("main")?.dataset.over === "1";
  if (now && over === false) {
    document.getElementById("prompt")?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
    count();
  } else if (!now && at >= 0) {
    clearTimeout(timer);
    at = -1;
  }
  over = now;
  paint();
}

export function start() {
  look();
  document.addEventListener("pelagos:shown", look);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-count]")) count();
    else stop();
  });
  document.addEventListener("keydown", stop);
}
