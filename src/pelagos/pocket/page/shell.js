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
  news: ["A new version of Pelagos is here.", "Une nouvelle version de Pelagos vous attend."],
  use: ["Use it now", "L’utiliser maintenant"],
  later: ["Later", "Plus tard"],
  others: [
    "Close the other windows of Pelagos first, or open it anew later.",
    "Fermez d’abord les autres fenêtres de Pelagos, ou rouvrez-le plus tard.",
  ],
  failed: [
    "Something went wrong. Your games are kept: load the page again.",
    "Quelque chose n’a pas marché. Vos parties sont gardées : rechargez la page.",
  ],
};
const DEEP = "pelagos address"; // where 404.html leaves the address that was asked for
const channel = new BroadcastChannel(`pelagos ${root.pathname}`);

function say(key) {
  document.documentElement.lang = french ? "fr" : "en";
  document.getElementById("told").textContent = WORDS[key][french ? 1 : 0];
}

/** In the language of the page that is shown. */
const spoken = (key) => WORDS[key][document.documentElement.lang === "fr" ? 1 : 0];

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

/** Tell of a newer version that waits; it comes when it is asked for, or when the site is opened anew. */
function offer(registration) {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  const [bar, text] = [document.getElementById("news"), document.getElementById("news-told")];
  const [use, later] = bar.querySelectorAll("button");
  text.textContent = spoken("news");
  use.textContent = spoken("use");
  later.textContent = spoken("later");
  bar.hidden = false;
  later.onclick = () => {
    bar.hidden = true;
  };
  use.onclick = async () => {
    await renew(registration);
    text.textContent = spoken("others");
  };
}

function watch(registration) {
  const follow = () => registration.installing?.addEventListener("statechange", () => offer(registration));
  offer(registration);
  follow();
  registration.addEventListener("updatefound", follow);
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
  page.history.replaceState = (...entry) => {
    replace(...entry);
    follow();
  };
  page.addEventListener("hashchange", follow);
}

/** Save what the worker answers: a browser's own download goes past the service worker. */
async function save(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) {
    link.ownerDocument.location = link.href; // the answer says why
    return;
  }
  const named = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition") ?? "");
  const file = document.createElement("a");
  file.download = link.download || named?.[1] || link.pathname.split("/").pop();
  file.href = URL.createObjectURL(await answer.blob());
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
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
  const deep = sessionStorage.getItem(DEEP);
  sessionStorage.removeItem(DEEP);
  if (deep?.startsWith(root.pathname)) history.replaceState(null, "", deep);
  addEventListener("message", ({ data }) => data === "uncontrolled" && location.reload());
  say("fetch");
  channel.addEventListener("message", ({ data }) => {
    if (data.progress !== undefined) show(data.progress);
    if (data.progress === 1) {
      say("start");
      show();
    }
    if (data.remembered) document.documentElement.dataset.remembered = ""; // later visits will be short
  });
  const first = !navigator.serviceWorker.controller;
  if (first) lead(); // Python starts while the service worker still gets the files
  const registration = await controlled();
  if (!first) lead();
  say("start");
  show();
  const frame = document.createElement("iframe");
  frame.title = "Pelagos";
  frame.allow = "clipboard-write; fullscreen; autoplay";
  frame.addEventListener("load", () => {
    document.getElementById("wait").hidden = true;
    mirror(frame);
    frame.contentDocument.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[download]");
      if (!link) return;
      event.preventDefault();
      save(link);
    });
  });
  frame.src = location.href;
  document.body.append(frame);
  watch(registration);
  document.addEventListener("visibilitychange", () => !document.hidden && registration.update().catch(() => {}));
  navigator.storage?.persist?.();
}

start().catch(() => say(navigator.serviceWorker ? "failed" : "none"));
