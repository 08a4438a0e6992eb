// The shell: one worker that answers, and a frame with the page. The service worker answers the frame by asking the
// worker; the shell's own address follows the frame's. Of several windows one has the worker, and all are answered.
const root = new URL("./", import.meta.url);
const french = navigator.languages.find((language) => /^(fr|en)/.test(language))?.startsWith("fr");
const WORDS = {
  fetch: ["Getting the games: once, and then they are here for good.", "On prépare les jeux : une seule fois."],
  start: ["One moment…", "Un instant…"],
  none: [
    "This browser can't keep the site for you: it needs service workers, thus https, and no private window.",
    "Ce navigateur ne peut pas garder le site : il faut des « service workers », donc https et une fenêtre non privée.",
  ],
  failed: [
    "Something went wrong. Your games are kept: load the page again.",
    "Quelque chose n’a pas marché. Vos parties sont gardées : rechargez la page.",
  ],
};
const channel = new BroadcastChannel(`pelagos ${root.pathname}`);

function say(key) {
  document.documentElement.lang = french ? "fr" : "en";
  document.getElementById("told").textContent = WORDS[key][french ? 1 : 0];
}

function show(done) {
  const bar = document.getElementById("progress");
  if (done === undefined) bar.removeAttribute("value");
  else bar.value = done;
}

/** A newer version that waits takes over now, if no other window is open; nothing runs here yet. */
async function renew(registration) {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  const renewed = new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", () => done(true), { once: true });
    channel.addEventListener("message", ({ data }) => data.stays && done(false));
  });
  registration.waiting.postMessage("renew");
  if (await renewed) location.reload();
}

/** Until the service worker answers for this window. */
async function controlled() {
  const registration = await navigator.serviceWorker.register(new URL("service-worker.js", root), { scope: root });
  await renew(registration);
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return registration;
  await new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
    navigator.serviceWorker.ready.then((now) => now.active.postMessage("claim"));
  });
  return registration;
}

/** Hold the worker as long as this window lives; the next window takes it over. */
function lead() {
  navigator.locks.request(`pelagos ${root.pathname}`, () => {
    const worker = new Worker(new URL("worker.js", root), { type: "module" });
    worker.addEventListener("error", () => say("failed"));
    return new Promise(() => {});
  });
}

/** The shell's address and title are the page's. */
function mirror(frame) {
  const page = frame.contentWindow;
  const follow = () => {
    if (page.location.origin !== root.origin) return;
    if (page.location.href !== location.href) history.replaceState(null, "", page.location.href);
    document.title = page.document.title;
    document.documentElement.lang = page.document.documentElement.lang;
    const icon = page.document.getElementById("favicon");
    if (icon) document.querySelector("link[rel=icon]").href = icon.href;
  };
  follow();
  const watch = new MutationObserver(follow);
  watch.observe(page.document.head, { childList: true, subtree: true, characterData: true, attributes: true });
  const replace = page.history.replaceState.bind(page.history);
  page.history.replaceState = (...told) => {
    replace(...told);
    follow();
  };
  page.addEventListener("hashchange", follow);
}

async function start() {
  if (window !== window.top) {
    window.top.postMessage("uncontrolled", root.origin); // a forced reload goes past the service worker
    return;
  }
  if (!navigator.serviceWorker || !navigator.locks) {
    say("none");
    return;
  }
  addEventListener("message", ({ data }) => data === "uncontrolled" && location.reload());
  say("fetch");
  channel.addEventListener("message", ({ data }) => {
    if (data.progress !== undefined) show(data.progress);
    if (data.progress === 1) {
      say("start");
      show();
    }
  });
  const registration = await controlled();
  lead();
  say("start");
  show();
  const frame = document.createElement("iframe");
  frame.title = "Pelagos";
  frame.allow = "clipboard-write; fullscreen; autoplay";
  frame.addEventListener("load", () => {
    document.getElementById("wait").hidden = true;
    mirror(frame);
    if (frame.contentWindow.location.href === root.href) renew(registration);
  });
  frame.src = location.href;
  document.body.append(frame);
  document.addEventListener("visibilitychange", () => !document.hidden && registration.update().catch(() => {}));
  navigator.storage?.persist?.();
}

start().catch(() => say(navigator.serviceWorker ? "failed" : "none"));
