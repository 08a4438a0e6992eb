// A few sounds, made here out of sines and noise; nothing is heard until it is asked for.
import { settings } from "./settings.js";

// Each note: [hertz, start, length, loudness, shape]; hertz 0 is a breath of noise.
const TONES = {
  tap: [[660, 0, 0.06, 0.05, "sine"]],
  lay: [
    [0, 0, 0.09, 0.12, "low"],
    [165, 0, 0.12, 0.12, "sine"],
  ],
  deal: [
    [0, 0, 0.05, 0.07, "high"],
    [0, 0.08, 0.05, 0.06, "high"],
    [0, 0.16, 0.05, 0.05, "high"],
  ],
  reveal: [
    [0, 0, 0.12, 0.05, "high"],
    [440, 0.03, 0.2, 0.06, "triangle"],
    [554.37, 0.1, 0.25, 0.06, "triangle"],
  ],
  turn: [
    [523.25, 0, 0.6, 0.1, "sine"],
    [783.99, 0.14, 0.6, 0.1, "sine"],
  ],
  theft: [
    [311.13, 0, 0.25, 0.1, "triangle"],
    [233.08, 0.16, 0.25, 0.1, "triangle"],
    [185, 0.32, 0.5, 0.1, "triangle"],
  ],
  count: [[392, 0, 0.12, 0.07, "triangle"]],
  win: [
    [523.25, 0, 0.5, 0.08, "triangle"],
    [659.25, 0.12, 0.5, 0.08, "triangle"],
    [783.99, 0.24, 0.6, 0.08, "triangle"],
    [1046.5, 0.36, 0.9, 0.08, "sine"],
  ],
};

let audio = null;
let noise = null;

function breath() {
  if (noise) return noise;
  noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return noise;
}

function source(hertz, shape, rise) {
  if (hertz) {
    const voice = audio.createOscillator();
    voice.type = shape;
    voice.frequency.value = hertz * (1 + rise);
    return [voice, voice];
  }
  const voice = audio.createBufferSource();
  voice.buffer = breath();
  const filter = audio.createBiquadFilter();
  filter.type = shape === "low" ? "lowpass" : "highpass";
  filter.frequency.value = shape === "low" ? 500 : 2500;
  voice.connect(filter);
  return [voice, filter];
}

/** Let a sound be heard, if the reader likes sounds; `rise`, from 0 to 1, lifts it. */
export function play(name, rise = 0) {
  if (!settings.sound || !TONES[name] || (document.hidden && name !== "turn")) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
    const now = audio.currentTime;
    for (const [hertz, start, length, loud, shape] of TONES[name]) {
      const [voice, out] = source(hertz, shape, rise);
      const gain = audio.createGain();
      gain.gain.setValueAtTime(0.0001, now + start);
      gain.gain.exponentialRampToValueAtTime(loud, now + start + 0.015);
      gain.gain.exponentialRampToValueAtTime(0.0001, now + start + length);
      out.connect(gain).connect(audio.destination);
      voice.start(now + start);
      voice.stop(now + start + length + 0.02);
    }
  } catch {
    // no sound here
  }
}

export function buzz(pattern) {
  if (settings.vibrate && navigator.vibrate) navigator.vibrate(pattern);
}
