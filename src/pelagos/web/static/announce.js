// One sentence for those who listen; title, icon, sound and vibration for those who wait.
import { settings } from "./settings.js";

let heard = -1;
let prompted = "";
let owed = false;

export function say(sentence) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === sentence ? sentence + "\u00a0" : sentence;
}

export function net(sentence) {
  const line = document.getElementById("net");
  line.textContent = sentence || "";
  line.hidden = !sentence;
}

function sound() {
  try {
    const audio = new AudioContext();
    const gain = audio.createGain();
    gain.connect(audio.destination);
    gain.gain.setValueAtTime(0.0001, audio.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.7);
    [523.25, 783.99].forEach((tone, index) => {
      const voice = audio.createOscillator();
      voice.type = "sine";
      voice.frequency.value = tone;
      voice.connect(gain);
      voice.start(audio.currentTime + index * 0.14);
      voice.stop(audio.currentTime + 0.75);
    });
    setTimeout(() => audio.close(), 1000);
  } catch {
    // no sound here
  }
}

function call(main) {
  const owes = main.dataset.owes === "1";
  document.title = main.dataset.title || document.title;
  const icon = document.getElementById("favicon");
  const wanted = owes ? icon.dataset.turn : icon.dataset.calm;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  if (owes && !owed) {
    if (settings.sound) sound();
    if (settings.vibrate && navigator.vibrate) navigator.vibrate(80);
  }
  owed = owes;
}

/** Tell what is new in what is shown now. */
export function shown(first) {
  const main = document.getElementById("main");
  if (!main) return;
  call(main);
  const lines = [...document.querySelectorAll("#log [data-n]")].reverse();
  const fresh = lines.filter((line) => Number(line.dataset.n) > heard);
  if (lines.length) heard = Number(lines[lines.length - 1].dataset.n);
  const prompt = document.getElementById("prompt")?.textContent.trim() || "";
  const told = fresh.slice(-6).map((line) => line.textContent.trim());
  if (prompt !== prompted) told.push(prompt);
  prompted = prompt;
  if (!first && told.length) say(told.join(" "));
}
