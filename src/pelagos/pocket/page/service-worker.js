// Files from the cache; all else is asked of the one worker that answers (worker.js), whichever window has it.
const { version, files } = self.FILES; // written before this by `pelagos site`
const CACHE = `pelagos ${self.registration.scope} ${version}`;
const root = new URL(self.registration.scope);
const channel = new BroadcastChannel(`pelagos ${root.pathname}`);
const REPEAT = 250; // milliseconds until a question that nobody has heard is asked again
const FETCHES = 6;
const asked = new Map(); // by number: {question, heard, begin, body}
let last = 0;
const session = crypto.getRandomValues(new Uint32Array(1))[0];

// --- files ------------------------------------------------------------------------------------------

async function fill() {
  const cache = await caches.open(CACHE);
  const all = Object.entries(files);
  const whole = all.reduce((sum, [, size]) => sum + size, 0);
  let done = 0;
  async function take() {
    while (all.length) {
      const [name, size] = all.shift();
      const address = new URL(name, root);
      const answer = await fetch(address, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      await cache.put(address, answer);
      done += size;
      channel.postMessage({ progress: done / whole });
    }
  }
  await Promise.all(Array.from({ length: FETCHES }, take));
}

self.addEventListener("install", (event) => event.waitUntil(fill()));

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const mine = `pelagos ${self.registration.scope} `;
      for (const name of await caches.keys()) if (name.startsWith(mine) && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(self.clients.claim());
  if (event.data === "renew")
    event.waitUntil(
      (async () => {
        const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
        const shells = windows.filter((window) => window.frameType === "top-level");
        if (shells.length < 2) await self.skipWaiting();
        else channel.postMessage({ stays: true });
      })(),
    );
});

// --- pages ------------------------------------------------------------------------------------------

channel.addEventListener("message", ({ data }) => {
  if (data.leads) for (const each of asked.values()) each.heard = false; // whoever was asked is gone
  const ask = data.session === session ? asked.get(data.number) : undefined;
  if (!ask) return;
  if (data.heard) ask.heard = true;
  else if (data.status) ask.begin(data);
});

async function answer(request) {
  const number = ++last;
  const address = new URL(request.url);
  const question = {
    session,
    number,
    method: request.method,
    address: address.pathname + address.search,
    headers: Object.fromEntries(request.headers),
    body: request.method === "POST" ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array(),
  };
  const reply = await new Promise((begin) => {
    const ask = { heard: false, begin };
    asked.set(number, ask);
    const post = () => {
      if (!asked.has(number)) return;
      if (!ask.heard) channel.postMessage({ question });
      setTimeout(post, REPEAT);
    };
    post();
  });
  asked.delete(number);
  const headers = new Headers(reply.headers);
  const leads = headers.get("location");
  if (reply.status >= 300 && reply.status < 400 && leads) return Response.redirect(new URL(leads, root), reply.status);
  const body = reply.status === 204 || reply.status === 304 ? null : reply.body;
  return new Response(body, { status: reply.status, headers });
}

async function file(name) {
  const cached = await (await caches.open(CACHE)).match(new URL(name, root));
  return cached ?? fetch(new URL(name, root));
}

/** The shell, wherever its window stands: what it asks for lies at the root. */
async function shell() {
  const text = await (await file("index.html")).text();
  const based = text.replace('<base href="./">', `<base href="${root.pathname}">`);
  return new Response(based, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (address.origin !== root.origin || !address.pathname.startsWith(root.pathname)) return;
  const name = decodeURIComponent(address.pathname.slice(root.pathname.length));
  if (event.request.mode === "navigate" && event.request.destination === "document") event.respondWith(shell());
  else if (event.request.method === "GET" && name in files) event.respondWith(file(name));
  else if (event.request.method === "GET" || event.request.method === "POST") event.respondWith(answer(event.request));
});
