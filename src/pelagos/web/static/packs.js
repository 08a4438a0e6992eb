// A pack's page: its files as tables to type into, files from the disk, the packs of this browser.
import { root } from "./pages.js";

const MOST_KEPT = 12;

/** The rows of a CSV file; null if a cell goes over several lines, which a table can't show. */
function read(text) {
  const rows = [];
  for (const line of text.replace(/\n+$/, "").split("\n")) {
    const cells = [];
    let cell = "";
    let inside = false;
    for (let at = 0; at < line.length; at++) {
      const sign = line[at];
      if (inside && sign === '"' && line[at + 1] === '"') cell += line[++at];
      else if (sign === '"') inside = !inside;
      else if (sign === "," && !inside) {
        cells.push(cell);
        cell = "";
      } else cell += sign;
    }
    if (inside) return null;
    rows.push([...cells, cell]);
  }
  return rows;
}

const quoted = (cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const write = (rows) => `${rows.map((row) => row.map(quoted).join(",")).join("\n")}\n`;

function draw(section) {
  const text = section.querySelector("textarea");
  const holder = section.querySelector(".pack-table");
  const rows = section.dataset.file.endsWith(".csv") ? read(text.value) : null;
  holder.hidden = !rows;
  section.querySelector(".pack-text").open = !rows;
  if (!rows) return;
  const table = document.createElement("table");
  for (const [number, cells] of rows.entries()) {
    const row = table.insertRow();
    if (Number(section.dataset.wrong) === number + 1) row.className = "is-wrong";
    row.append(Object.assign(document.createElement("th"), { textContent: number + 1, scope: "row" }));
    for (const [column, cell] of cells.entries()) {
      if (number === 0) row.append(Object.assign(document.createElement("th"), { textContent: cell, scope: "col" }));
      else {
        const field = document.createElement("input");
        field.value = cell;
        field.size = Math.max(2, ...rows.map((line) => Math.min(24, (line[column] || "").length)));
        field.setAttribute("aria-label", `${rows[0][column] || ""}, ${number + 1}`);
        field.addEventListener("input", () => {
          rows[number][column] = field.value;
          text.value = write(rows);
        });
        row.insertCell().append(field);
      }
    }
  }
  holder.replaceChildren(table);
  holder.querySelector(".is-wrong")?.scrollIntoView({ block: "center", inline: "nearest" });
}

async function take(input) {
  const unknown = [];
  for (const file of input.files) {
    const section = document.querySelector(`[data-file="${CSS.escape(file.name)}"]`);
    if (!section) unknown.push(file.name);
    else {
      section.querySelector("textarea").value = await file.text();
      delete section.dataset.wrong;
      draw(section);
    }
  }
  const why = document.querySelector("#main .refused");
  why.hidden = !unknown.length;
  why.textContent = unknown.length ? `${input.dataset.unknown} ${unknown.join(", ")}` : "";
}

const shelf = (game) => `pelagos-packs-${game}`;

/** The packs that this browser has made or opened by a link, newest first: {name, code}. */
export function kept(game) {
  return JSON.parse(localStorage.getItem(shelf(game)) || "[]");
}

function keep(game, name, code) {
  const others = kept(game).filter((pack) => pack.code !== code);
  localStorage.setItem(shelf(game), JSON.stringify([{ name, code }, ...others].slice(0, MOST_KEPT)));
}

function list(game, code) {
  const own = kept(game).filter((pack) => pack.code !== code);
  const section = document.getElementById("pack-own");
  section.hidden = !own.length;
  for (const pack of own) {
    const link = Object.assign(document.createElement("a"), { textContent: pack.name, className: "link" });
    link.href = `${root}packs/${game}?pack=${pack.code}`;
    const item = document.createElement("li");
    item.append(link);
    section.querySelector("ul").append(item);
  }
}

/** At a new table: this browser's packs, beside the default one and that of the link. */
export function offer(select) {
  const there = new Set([...select.options].map((option) => option.value));
  for (const pack of kept(select.dataset.game)) if (!there.has(pack.code)) select.add(new Option(pack.name, pack.code));
}

export function start() {
  const main = document.getElementById("main");
  const { game, code, name } = main.dataset;
  if (code) keep(game, name, code);
  list(game, code);
  for (const section of document.querySelectorAll(".pack-file")) {
    draw(section);
    section.querySelector("textarea").addEventListener("change", () => draw(section));
  }
  const input = document.getElementById("pack-files");
  input.closest("p").hidden = false;
  input.addEventListener("change", () => take(input));
}
