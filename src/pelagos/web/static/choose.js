// Choosing: a tap selects and shows, a second one deselects, the large button commits.
//
// A table's script may make the selected choice a part of a larger move: `compose({say, gain, lines, receipt,
// actions})` says what the large button is called, what it brings and what it sends; `compose(null)` takes that back.
// `further(button)` is what may follow a choice, as the page tells it.
import { say } from "./announce.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { send } from "./stream.js";

let chosen = null; // the action that is selected, as text
let spot = null; // the values of all choices at the same spot
let composed = null; // the whole move, where a table's script has made one of several
let forced = null; // the question, {seat, decision}, whose only choice was selected by itself
let sent = null; // what is on its way, a question with `done`: it stays selected until the answer is shown

const LATEST = 400; // milliseconds from an answer to the morph that shows it

const act = () => document.getElementById("act");
const buttons = (value) =>
  [...(act()?.querySelectorAll("button.choice") ?? [])].filter((button) => button.value === value);

function buttonOf(value) {
  const standing = buttons(value);
  return standing.find((button) => !button.classList.contains("listed")) ?? standing[0] ?? null;
}

/** What the page tells of a choice: of the list, which has each choice once, or of its button. */
function dataOf(value) {
  const button = document.getElementById(`l-${value}`) ?? buttonOf(value);
  return button ? button.dataset : null;
}

/** The words for the large button: those of a table's own button, which may be shorter. */
const named = (value) => buttonOf(value)?.dataset.name ?? dataOf(value)?.say ?? "";

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

/** Lines and their changes: "shells:3 hand:-2". */
export function changes(text) {
  const pairs = (text ?? "").split(" ").filter(Boolean);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.lastIndexOf(":")), Number(pair.split(":").at(-1))]));
}

/** What may follow a choice, with what both bring together: {move, say, at, piece, gain, lines, receipt}. */
export function further(button) {
  return JSON.parse(button?.dataset.follow ?? "[]").map((next) => ({ ...next, lines: changes(next.lines) }));
}

// --- showing what is selected -----------------------------------------------------------------------

function fillReceipt(lines) {
  const list = document.getElementById("commit-receipt");
  list.replaceChildren();
  if (!settings.previews) return;
  for (const line of lines) {
    const item = document.createElement("li");
    item.textContent = line;
    item.className = line.includes("−") ? "loss" : "win";
    list.append(item);
  }
}

function fillWays() {
  const box = document.getElementById("commit-more");
  box.replaceChildren();
  box.hidden = !spot || spot.length < 2;
  if (box.hidden) return;
  for (const value of spot) {
    const data = dataOf(value);
    if (!data) continue;
    const way = document.createElement("button");
    way.type = "button";
    way.className = "way";
    way.dataset.variant = data.variant ?? "";
    way.textContent = data.say + (settings.previews && data.gain && data.gain !== "0" ? ` ${data.gain}` : "");
    way.setAttribute("aria-pressed", String(value === chosen));
    if (data.taught) way.dataset.taught = data.taught;
    way.addEventListener("click", () => {
      if (!sent) pick(value, spot);
    });
    box.append(way);
  }
}

/** What the selected move changes on the sheet: `[data-delta]` names lines, or the total. */
function fillDeltas(lines) {
  const total = [...lines.values()].reduce((sum, number) => sum + number, 0);
  for (const mark of document.querySelectorAll("#view [data-delta]")) {
    const keys = mark.dataset.delta.split(" ");
    const number = keys[0] === "total" ? total : keys.reduce((sum, key) => sum + (lines.get(key) ?? 0), 0);
    mark.textContent = number ? signed(number) : "";
    mark.classList.toggle("loss", number < 0);
  }
}

/** While a move is on its way the large button says that it can't be pressed. */
function showSent() {
  document.getElementById("go").setAttribute("aria-disabled", String(sent !== null));
}

/** While nothing is selected the bar goes; on a page that fits its window its place says what to do. */
function showIdle(bar) {
  const main = document.getElementById("main");
  const idle = chosen === null;
  const empty = !main?.classList.contains("fits") && main?.dataset.hint !== "1";
  bar.hidden = idle && (empty || main?.dataset.over === "1");
  bar.classList.toggle("is-waiting", main?.dataset.owes !== "1");
  bar.classList.toggle("is-idle", idle);
  document.body.classList.toggle("committing", !idle);
  document.getElementById("go").disabled = idle;
  showSent();
  document.getElementById("clear").hidden = idle;
  if (!idle) return;
  document.getElementById("go").removeAttribute("data-taught");
  document.getElementById("go-say").textContent = main?.dataset.idle ?? "";
  document.getElementById("go-gain").textContent = "";
  document.getElementById("commit-receipt").replaceChildren();
  document.getElementById("commit-more").hidden = true;
}

/** Show again what is selected: after a morph, and when it changes. */
export function show() {
  const bar = document.getElementById("commit");
  if (chosen !== null && !dataOf(chosen)) chosen = spot = composed = null;
  for (const button of document.querySelectorAll("#act .is-chosen")) button.classList.remove("is-chosen");
  document.getElementById("view").classList.toggle("has-chosen", chosen !== null);
  showIdle(bar);
  const data = chosen === null ? null : dataOf(chosen);
  fillDeltas(settings.previews ? (composed?.lines ?? changes(data?.lines)) : new Map());
  if (data === null) return;
  for (const button of buttons(chosen)) button.classList.add("is-chosen");
  const holder = spot && buttonOf(spot[0]);
  if (holder) holder.classList.add("is-chosen");
  document.getElementById("go-say").textContent = composed?.say ?? named(chosen);
  const goesOn = further(holder).some((next) => next.taught);
  const isTaught = composed ? composed.taught : data.taught && !goesOn;
  document.getElementById("go").toggleAttribute("data-taught", Boolean(isTaught));
  const gain = composed ? signed(composed.gain ?? 0) : (data.gain ?? "");
  document.getElementById("go-gain").textContent = settings.previews && gain !== "0" ? gain : "";
  fillReceipt(((composed ?? data).receipt ?? "").split("|").filter(Boolean));
  fillWays();
}

/** The question that the page asks. At one device each may be asked of another seat. */
function asked() {
  const { seat, decision } = act().elements;
  return { seat: seat.value, decision: decision.value };
}

const isAsked = ({ seat, decision }) =>
  act()?.elements.seat.value === seat && act().elements.decision.value === decision;

/** Where there is nothing to choose the only choice is selected: the large button is enough. */
function selectOnly() {
  const all = act()?.querySelectorAll("#choices button.choice") ?? [];
  const reads = document.querySelector("#lesson:is(.is-read, .is-again, .is-other)");
  if (chosen !== null || sent || all.length !== 1 || reads || document.getElementById("main").dataset.owes !== "1")
    return;
  forced = asked();
  chosen = all[0].value;
  spot = [chosen];
  show();
  tell();
}

/** Show again what is selected after a morph; what was answered is selected no more. */
export function refresh() {
  if (forced && !isAsked(forced)) chosen = spot = composed = forced = null;
  if (sent && (sent.done || !isAsked(sent))) {
    sent = null;
    clear();
  } else show();
  selectOnly();
}

/** Let the selected choice be a part of a larger move. */
export function compose(move) {
  composed = chosen === null ? null : move;
  show();
}

/** The button whose choice is selected. */
export const selected = () => (chosen === null ? null : buttonOf(chosen));

function tell() {
  const detail = { action: chosen === null ? null : Number(chosen), button: selected() };
  document.dispatchEvent(new CustomEvent("pelagos:choose", { detail }));
}

// --- selecting and sending --------------------------------------------------------------------------

function pick(value, all) {
  chosen = value;
  spot = all;
  composed = null;
  show();
  tell();
  play("tap");
  const data = dataOf(value);
  if (!data) return;
  const receipt = settings.previews ? (data.receipt ?? "").replaceAll("|", ", ") : "";
  say([data.say, receipt].filter(Boolean).join(". "));
}

/** Select the choice that a button stands for; on the same button again, none, or the next way if it turns. */
export function choose(button) {
  if (sent) return;
  const all = [button.value, ...(button.dataset.more ? button.dataset.more.split(" ") : [])];
  if (all.length > 1 && spot && spot[0] === all[0]) {
    if ("turns" in button.dataset) pick(all[(all.indexOf(chosen) + 1) % all.length], all);
    else clear();
    return;
  }
  const atOnce = settings.onetap && !("confirm" in button.dataset);
  if (all.length === 1 && atOnce) go(button.value);
  else if (chosen === button.value) clear();
  else pick(all.find((value) => dataOf(value)?.taught) ?? button.value, all);
}

function go(value) {
  commit(chosen === value && composed?.actions ? composed.actions : [Number(value)]);
}

export function clear() {
  if (sent) return;
  chosen = spot = composed = null;
  show();
  tell();
  selectOnly();
}

/** Send one or more actions that belong together; what is selected stays until the answer is here. */
export async function commit(actions) {
  if (sent) return;
  const going = { ...asked(), done: false };
  const fields = [...actions.map((action) => ["action", String(action)])];
  fields.push(["seat", going.seat], ["decision", going.decision]);
  sent = going;
  showSent();
  const accepted = await send(act().getAttribute("action"), fields);
  if (sent !== going) return;
  if (!accepted) {
    sent = null;
    show();
    return;
  }
  going.done = true; // the morph that is due shows the answer; if it came by the stream, none is
  setTimeout(() => {
    if (sent === going) refresh();
  }, LATEST);
}

/** Send what a button outside the choices stands for: taking back, a standing order. */
function sendOther(button) {
  const fields = [...Object.entries(asked()), [button.name, button.value]];
  send(button.getAttribute("formaction"), fields);
}

// --- lighting up ------------------------------------------------------------------------------------

let lit = [];

/** Numbers of a sheet and lines of the log light up what they speak of. */
function light(event) {
  const of = event.target.closest?.("[data-of]");
  if (event.type !== "click" && !of && !lit.length) return;
  for (const element of lit) element.classList.remove("is-lit");
  lit = (of?.dataset.of ?? "")
    .split(" ")
    .map((id) => document.getElementById(id))
    .filter(Boolean);
  for (const element of lit) element.classList.add("is-lit");
  if (event.type === "click" && lit[0]) lit[0].scrollIntoView({ block: "nearest", behavior: "smooth" });
}

export function start() {
  show();
  selectOnly();
  document.addEventListener("click", (event) => {
    const choice = event.target.closest("#act button.choice");
    const other = event.target.closest("#undo, #orders.choices .order, #lesson [formaction]");
    if (!choice && !other) return;
    event.preventDefault();
    if (choice) choose(choice);
    else sendOther(other);
  });
  document.getElementById("go").addEventListener("click", () => {
    if (chosen !== null) go(chosen);
  });
  document.getElementById("clear").addEventListener("click", clear);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null && !document.querySelector("dialog[open], :popover-open")) clear();
  });
  for (const kind of ["click", "pointerover", "focusin"]) document.addEventListener(kind, light);
  document.addEventListener("submit", (event) => {
    if (event.target.id === "act") event.preventDefault();
  });
}
