// Choosing: the first tap selects and shows, the second or the large button commits.
import { settings } from "./settings.js";
import { say } from "./announce.js";
import { send } from "./stream.js";
import { play } from "./sound.js";

let chosen = null; // the action that is selected, as text
let spot = null; // the values of all choices at the same spot

const act = () => document.getElementById("act");
const buttons = (value) => [...(act()?.querySelectorAll("button.choice") || [])].filter((one) => one.value === value);

function buttonOf(value) {
  const found = buttons(value);
  return found.find((one) => !one.classList.contains("listed")) || found[0] || null;
}

function told(value) {
  const listed = document.getElementById(`l-${value}`) || buttonOf(value);
  return listed ? listed.dataset : null;
}

function fillReceipt(data) {
  const list = document.getElementById("commit-receipt");
  list.replaceChildren();
  if (!settings.previews || !data.receipt) return;
  for (const line of data.receipt.split("|")) {
    const item = document.createElement("li");
    item.textContent = line;
    item.className = line.includes("−") ? "loss" : "win";
    list.append(item);
  }
}

function fillMore() {
  const box = document.getElementById("commit-more");
  box.replaceChildren();
  box.hidden = !spot || spot.length < 2;
  if (box.hidden) return;
  for (const value of spot) {
    const data = told(value);
    if (!data) continue;
    const one = document.createElement("button");
    one.type = "button";
    one.className = "way";
    one.textContent = data.say + (settings.previews && data.gain && data.gain !== "0" ? ` ${data.gain}` : "");
    one.setAttribute("aria-pressed", String(value === chosen));
    one.addEventListener("click", () => pick(value, spot));
    box.append(one);
  }
}

/** Show again what is selected: after a morph, and when it changes. */
export function show() {
  const bar = document.getElementById("commit");
  if (chosen !== null && !told(chosen)) chosen = spot = null;
  for (const one of document.querySelectorAll("#act .is-chosen")) one.classList.remove("is-chosen");
  document.getElementById("view").classList.toggle("has-chosen", chosen !== null);
  bar.hidden = chosen === null;
  document.body.classList.toggle("committing", chosen !== null);
  if (chosen === null) return;
  for (const one of buttons(chosen)) one.classList.add("is-chosen");
  const holder = spot && buttonOf(spot[0]);
  if (holder) holder.classList.add("is-chosen");
  const data = told(chosen);
  document.getElementById("go-say").textContent = data.say;
  const gain = document.getElementById("go-gain");
  gain.textContent = settings.previews && data.gain !== "0" ? data.gain || "" : "";
  fillReceipt(data);
  fillMore();
}

function tell() {
  const button = chosen === null ? null : buttonOf(chosen);
  document.dispatchEvent(new CustomEvent("pelagos:choose", { detail: { action: chosen === null ? null : Number(chosen), button } }));
}

function pick(value, all) {
  chosen = value;
  spot = all;
  show();
  tell();
  play("tap");
  const data = told(value);
  if (data) say([data.say, settings.previews ? (data.receipt || "").replaceAll("|", ", ") : ""].filter(Boolean).join(". "));
}

/** Select the choice that a button stands for; on the same button again, commit. */
export function choose(button) {
  const all = [button.value, ...(button.dataset.more ? button.dataset.more.split(" ") : [])];
  if (all.length > 1 && spot && spot[0] === all[0]) {
    pick(all[(all.indexOf(chosen) + 1) % all.length], all); // a second tap: the next way
    return;
  }
  if (all.length === 1 && ((settings.onetap && !("confirm" in button.dataset)) || chosen === button.value)) {
    commit([Number(button.value)]);
    return;
  }
  pick(button.value, all);
}

export function clear() {
  chosen = spot = null;
  show();
  tell();
}

/** Send one or more actions that belong together. */
export function commit(actions) {
  const form = act();
  const fields = [...actions.map((one) => ["action", String(one)]), ["seat", form.elements.seat.value], ["decision", form.elements.decision.value]];
  clear();
  send(form.getAttribute("action"), fields);
}

export function start() {
  document.addEventListener("click", (event) => {
    const choice = event.target.closest("#act button.choice");
    if (choice) {
      event.preventDefault();
      choose(choice);
      return;
    }
    const other = event.target.closest("#undo, #orders.choices .order");
    if (other) {
      event.preventDefault();
      const form = act();
      send(other.getAttribute("formaction"), [["seat", form.elements.seat.value], ["decision", form.elements.decision.value], [other.name, other.value]]);
    }
  });
  document.getElementById("go").addEventListener("click", () => {
    if (chosen !== null) commit([Number(chosen)]);
  });
  document.getElementById("clear").addEventListener("click", clear);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null && !document.querySelector("dialog[open]")) clear();
  });
  // Numbers of a sheet and lines of the log light up what they speak of.
  let lit = [];
  const light = (event) => {
    const of = event.target.closest?.("[data-of]");
    if (event.type !== "click" && !of && !lit.length) return;
    for (const one of lit) one.classList.remove("is-lit");
    lit = of ? of.dataset.of.split(" ").map((id) => document.getElementById(id)).filter(Boolean) : [];
    for (const one of lit) one.classList.add("is-lit");
    if (event.type === "click" && lit[0]) lit[0].scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  for (const kind of ["click", "pointerover", "focusin"]) document.addEventListener(kind, light);
  document.addEventListener("submit", (event) => {
    if (event.target.id === "act") event.preventDefault();
  });
}
