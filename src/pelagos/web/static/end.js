// The end: the sheet is counted line by line.
import { moves } from "./settings.js";

let counted = null;

function count() {
  const rows = [...document.querySelectorAll("#sheets tbody tr")];
  const sums = [...document.querySelectorAll("#sheets tfoot .sum")];
  if (!rows.length || !moves()) return;
  const step = 260;
  rows.forEach((row, index) => {
    row.animate([{ opacity: 0 }, { opacity: 0, offset: 0.01 }, { opacity: 1 }], { duration: 240, delay: index * step, fill: "backwards" });
  });
  for (const sum of sums) sum.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 400, delay: rows.length * step, fill: "backwards" });
}

function look() {
  const main = document.getElementById("main");
  const over = main?.dataset.over === "1";
  if (over && counted === false) {
    const prompt = document.getElementById("prompt");
    prompt?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
    count();
  }
  counted = over;
}

export function start() {
  look();
  document.addEventListener("pelagos:shown", look);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-count]")) return;
    document.getElementById("sheets")?.scrollIntoView({ block: "start" });
    count();
  });
}
