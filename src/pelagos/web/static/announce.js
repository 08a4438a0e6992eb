// One sentence for those who listen; title, icon, sound and vibration for those who wait.
import { buzz, play } from "./sound.js";

let heard = new Map(); // the lines of the log by their numbers; one taken back leaves its number to another
let prompted = "";
let lessoned = []; // the lines that the lesson has told last
let owed = false;
let wanted = ""; // who wants another game

const FIRST_SAID = 400; // milliseconds: a live region that is new isn't heard

export function say(sentence) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

export function net(sentence) {
  const line = document.getElementById("net");
  line.textContent = sentence || "";
  line.hidden = !sentence;
}

let toasting = 0;
export const isToasting = () => toasting !== 0;

/** Show a sentence for some seconds. */
export function toast(sentence) {
  net(sentence);
  clearTimeout(toasting);
  toasting = setTimeout(() => {
    toasting = 0;
    net("");
  }, 6000);
}

function call(main, first) {
  const owes = main.dataset.owes === "1";
  document.title = main.dataset.title || document.title;
  const series = document.getElementById("series-now");
  if (series && main.dataset.series) series.textContent = main.dataset.series;
  const icon = document.getElementById("favicon");
  const shape = owes || "wants" in main.dataset ? icon.dataset.turn : icon.dataset.calm;
  if (icon.getAttribute("href") !== shape) icon.setAttribute("href", shape);
  if (owes && !owed && !first) {
    play("turn");
    buzz(80);
  }
  owed = owes;
}

/** Does somebody want another game who didn't before? */
function rematch(main) {
  const fresh = (main.dataset.wants ?? "") !== wanted && "wants" in main.dataset;
  wanted = main.dataset.wants ?? "";
  if (fresh) {
    play("turn");
    buzz(80);
  }
  return fresh;
}

/** Point at what the lesson speaks of. */
function point() {
  const points = document.getElementById("lesson")?.dataset.points;
  for (const element of document.querySelectorAll("[data-pointed]")) delete element.dataset.pointed;
  if (!points) return;
  for (const element of document.querySelectorAll(points)) element.dataset.pointed = "1";
}

/** What is new in what the lesson says. */
function teach() {
  const lines = [...document.querySelectorAll("#lesson .lesson-says > p")].map((line) => line.textContent.trim());
  const fresh = lines.filter((line) => !lessoned.includes(line));
  lessoned = lines;
  return fresh.join(" ");
}

/** Say whose turn it is, and point where the lesson points. The page is laid out by a class of `body`: `body:has(…)`
    would have every change anywhere style the whole page anew. */
export function shown(first) {
  const main = document.getElementById("main");
  if (!main) return;
  document.body.classList.toggle("fits", main.classList.contains("fits"));
  document.body.classList.toggle("is-end", main.dataset.over === "1");
  document.body.classList.toggle("teaches", main.classList.contains("teaches"));
  call(main, first);
  point();
}

/** Tell what is new in what is shown now; the log has to be there. */
export function tell(first) {
  const main = document.getElementById("main");
  if (!main) return;
  const lines = [...document.querySelectorAll("#log [data-n]")].reverse();
  const fresh = lines.filter((line) => heard.get(line.dataset.n) !== line.textContent.trim());
  if (lines.length) heard = new Map(lines.map((line) => [line.dataset.n, line.textContent.trim()]));
  const prompt = document.getElementById("prompt")?.textContent.trim() || "";
  const said = fresh.slice(-6).map((line) => line.textContent.trim());
  if (prompt !== prompted) said.push(prompt);
  prompted = prompt;
  const taught = teach();
  if (taught) said.push(taught);
  if (rematch(main) && !first) said.push(wanted);
  if (first && taught) setTimeout(() => say(taught), FIRST_SAID);
  if (first) return;
  if (said.length) say(said.join(" "));
  const toasted = fresh.findLast((line) => "toast" in line.dataset);
  if (toasted) toast(toasted.textContent.trim());
  for (const kind of new Set(fresh.map((line) => line.dataset.sound).filter(Boolean))) play(kind);
}

// --- the clock ------------------------------------------------------------------------------------

let until = "";
let ends = 0;

/** The server tells how much time is left, since clocks differ; from then on we count. */
function tick() {
  const clock = document.querySelector("#view [data-left][data-until]");
  if (!clock) return;
  if (clock.dataset.until !== until) {
    until = clock.dataset.until;
    ends = performance.now() + Number(clock.dataset.left) * 1000;
  }
  const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60);
  clock.textContent = `${hours ? `${hours}:${two(minutes % 60)}` : minutes}:${two(left % 60)}`;
  clock.classList.toggle("is-short", left <= 10);
}

setInterval(tick, 500);
document.addEventListener("pelagos:shown", tick);
