// Hints: what the strongest bot would do, asked for by a button or the key h. The card stands where the large button
// has its place; what it names is lit on the table, and chosen by a tap as always.
import { say, toast } from "./announce.js";
import { clientId } from "./pages.js";
import { settings } from "./settings.js";
import { able, think } from "./thinking.js";

let asked = null; // {decision, stop} while somebody thinks for us
let advice = null; // {decision, actions} while the card is open

const main = () => document.getElementById("main");
const card = () => document.getElementById("hint-card");
const form = () => document.getElementById("act");
const decision = () => form()?.elements.decision.value ?? "";
const allowed = () => main()?.dataset.hint === "1";

/** The buttons that stand for an action: its own, one of several at a spot, one of its parts; else its line in the list
    of all. */
function buttonsOf(action) {
  const all = [...(form()?.querySelectorAll("button.choice") ?? [])];
  const stands = ({ value, dataset }) =>
    [value, ...`${dataset.more ?? ""} ${dataset.partOf ?? ""}`.split(" ")].includes(action);
  const standing = all.filter(stands);
  const own = standing.filter((button) => !button.classList.contains("listed"));
  return own.length ? own : standing;
}

function light() {
  for (const button of document.querySelectorAll("#view [data-hinted]")) delete button.dataset.hinted;
  for (const [place, action] of (advice?.actions ?? []).entries())
    for (const button of buttonsOf(action)) button.dataset.hinted ??= String(place + 1);
}

export function close() {
  asked?.stop.abort();
  asked = advice = null;
  card().hidden = true;
  card().classList.remove("is-thinking", "has-part");
  light();
}

/** Show the card as it was answered. */
function tell(html) {
  document.getElementById("hint-text").innerHTML = html;
  const answer = card().querySelector(".hint-told");
  const lines = [...card().querySelectorAll(".hint-line")];
  advice = { decision: answer.dataset.decision, actions: lines.map((line) => line.dataset.action) };
  for (const line of lines) {
    const { name } = buttonsOf(line.dataset.action)[0]?.dataset ?? {};
    if (name) line.querySelector(".hint-label").textContent = name; // as the large button will call it
  }
  light();
  return answer.dataset;
}

/** Posts what is known of the question, and more; gives the card, or what this browser needs to think by itself. */
async function post(more, signal, below = "") {
  const fields = { seat: form().elements.seat.value, decision: decision(), client: clientId(), ...more };
  const answer = await fetch(card().dataset.address + below, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "X-Pelagos": "1" },
    signal,
  });
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) return answer.json();
  const text = await answer.text();
  if (!answer.ok) throw new Error(decodeURIComponent(answer.headers.get("X-Pelagos-Why") ?? "") || text);
  return text;
}

/** Show how far a thought has come. */
function progress(part) {
  const percent = Math.min(99, Math.floor(100 * part));
  card().style.setProperty("--part", `${percent}%`);
  card().classList.add("has-part");
  if (!advice) document.getElementById("hint-text").textContent = card().dataset.part.replace("{percent}", percent);
}

/** Thinks here, step by step; the server only puts the numbers into words. */
async function* thinkHere({ module, steps, ...question }, signal) {
  for (const [step, budget] of steps.entries()) {
    const thoughts = await think({ module, task: { kind: "race", ...question, budget } }, progress, signal);
    yield await post({ step, thoughts: JSON.stringify(thoughts) }, signal, "/told");
  }
}

/** The cards, one after another: from this browser's own thoughts, or from the server's. */
async function* cards(signal) {
  const first = await post({ here: able ? "1" : "" }, signal);
  let known = typeof first === "string" ? first : "";
  if (!known) {
    try {
      yield* thinkHere(first, signal);
      return;
    } catch (error) {
      if (signal.aborted || advice) throw error;
      card().classList.remove("has-part");
      known = await post({}, signal);
    }
  }
  yield known;
  yield await post({ more: "1" }, signal);
}

/** Ask, show the first answer, and then what comes of a longer thought. */
export async function ask() {
  if (!allowed() || asked) return;
  const going = { decision: decision(), stop: new AbortController() };
  asked = going;
  advice = null;
  document.getElementById("hint-text").textContent = card().dataset.thinking;
  card().hidden = false;
  card().classList.add("is-thinking");
  say(card().dataset.thinking);
  try {
    let first = true;
    for await (const html of cards(going.stop.signal)) {
      const { said, final } = tell(html);
      if (first) say(said);
      if (final === "1") break;
      first = false;
    }
  } catch (error) {
    if (asked !== going) return;
    if (!advice) close();
    if (!advice && error.message) toast(error.message);
  }
  if (asked !== going) return;
  asked = null;
  card().classList.remove("is-thinking", "has-part");
}

/** After a morph: what was told of another decision goes, the rest is lit again. */
function refresh() {
  const gone = (known) => known && known.decision !== decision();
  if (gone(asked) || gone(advice) || !allowed()) close();
  else light();
  show();
}

function show() {
  for (const button of document.querySelectorAll("[data-ask-hint]")) button.hidden = !allowed();
}

export function start() {
  if (!card()) return;
  document.addEventListener("click", (event) => {
    const asking = event.target.closest("[data-ask-hint]");
    if (asking) {
      event.preventDefault();
      document.getElementById("menu")?.hidePopover?.();
      ask();
    } else if (event.target.closest("#hint-close")) {
      close();
      document.getElementById("prompt")?.focus({ preventScroll: true });
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea") || document.querySelector("dialog[open]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "h" && settings.shortcuts) ask();
    else if (event.key === "Escape" && !card().hidden && !document.querySelector(".is-chosen, :popover-open")) close();
  });
  document.addEventListener("pelagos:shown", refresh);
  const answer = card().querySelector(".hint-told");
  if (answer) tell(document.getElementById("hint-text").innerHTML);
  refresh();
}
