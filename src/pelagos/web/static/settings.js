// What this browser's reader likes: kept here, never sent.
const KEY = "pelagos-settings";
const USUAL = { onetap: false, previews: true, motion: true, sound: false, vibrate: false, shortcuts: true, speed: 1 };
export const PAUSES = [0, 350, 900, 2000];

export const settings = { ...USUAL };

function load() {
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem(KEY) || "{}"));
  } catch {
    // a browser that keeps nothing plays by the usual settings
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // see above
  }
}

export function moves() {
  return settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function show() {
  document.documentElement.classList.toggle("no-previews", !settings.previews);
  document.documentElement.classList.toggle("still", !moves());
}

export function start() {
  load();
  show();
  for (const field of document.querySelectorAll("[data-setting]")) {
    const name = field.dataset.setting;
    if (field.type === "checkbox") field.checked = Boolean(settings[name]);
    else field.value = String(settings[name]);
    field.addEventListener("change", () => {
      settings[name] = field.type === "checkbox" ? field.checked : Number(field.value);
      keep();
      show();
    });
  }
}
