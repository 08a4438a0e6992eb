// The worker that answers: Python, with the server's own pages, and the games' rules. What it writes lies in IndexedDB.
import { forget, load, remembered, root } from "./python.js";
import { Rules } from "./static/app/rules.js";
import { think } from "./static/app/thinking.js";

const channel = new BroadcastChannel(`pelagos ${root.pathname}`);
const DATABASE = `pelagos ${root.pathname}`;
const KEPT = "kept";
const QUIET = 5_000; // milliseconds without a question, after which we see to the next visit
const LATEST = 20_000; // so long after the first one we do, quiet or not
const questions = new Map(); // by our own number: {session, number, headers, status, parts, stream}
const known = new Set(); // questions that were heard
const waiting = []; // until Python is there
let answerer = null;
let last = 0;
let unremembered = false; // is there no memory of Python's yet?
let resting = 0;
let firstAsked = 0;

// --- what is kept -----------------------------------------------------------------------------------

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(KEPT);
  return done(request);
}

async function readAll(database) {
  const store = database.transaction(KEPT).objectStore(KEPT);
  const [names, texts] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  return Object.fromEntries(names.map((name, place) => [name, texts[place]]));
}

function keep(database, changes) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(KEPT, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(KEPT);
    for (const [name, text] of Object.entries(changes)) {
      if (text === null) store.delete(name);
      else store.put(text, name);
    }
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// --- answers ----------------------------------------------------------------------------------------

const browser = {
  root: root.pathname,
  async think(asked) {
    const { game, task } = JSON.parse(asked);
    const [code, manifest] = [`rules/${game}.wasm`, `rules/${game}.json`].map((name) => new URL(name, root).href);
    const wanted = new AbortController().signal; // whoever asked waits for it
    return JSON.stringify(await think({ module: { code, manifest }, task }, () => {}, wanted));
  },
  begin(number, status, headers) {
    const asked = questions.get(number);
    if (asked) Object.assign(asked, { status, headers: JSON.parse(headers) });
  },
  part(number, body, more) {
    const asked = questions.get(number);
    if (!asked) return;
    const bytes = body.toJs ? body.toJs() : body;
    body.destroy?.();
    const { session, number: theirs } = asked;
    if (asked.stream) {
      channel.postMessage({ session, number: theirs, status: asked.status, part: bytes, more });
    } else {
      asked.parts.push(bytes);
      if (!more) {
        const { status, headers, parts } = asked;
        channel.postMessage({ session, number: theirs, status, headers, body: new Blob(parts) });
      }
    }
    if (!more) questions.delete(number);
  },
};

function ask(question) {
  const number = ++last;
  const { session, number: theirs, method, address, headers, body, stream } = question;
  questions.set(number, { session, number: theirs, stream, parts: [] });
  const sent = { "accept-language": navigator.languages.join(","), host: root.host, ...headers };
  answerer.ask(number, method, address, JSON.stringify(sent), body);
  rest();
}

channel.addEventListener("message", ({ data }) => {
  if (data.question) {
    const { session, number } = data.question;
    channel.postMessage({ session, number, heard: true });
    if (known.has(`${session} ${number}`)) return;
    known.add(`${session} ${number}`);
    if (answerer) ask(data.question);
    else waiting.push(data.question);
  } else if (data.close) {
    for (const [number, asked] of questions)
      if (asked.session === data.session && asked.number === data.number) {
        answerer.cancel(number);
        questions.delete(number);
      }
  }
});

// --- starting ---------------------------------------------------------------------------------------

const bytes = async (name) => new Uint8Array(await (await fetch(new URL(name, root))).arrayBuffer());

/** Python, from its kept memory if there is one that will do. */
async function python(version) {
  const memory = await remembered(version).catch(() => undefined);
  if (memory) {
    try {
      const loaded = await load(memory);
      performance.mark("from memory");
      channel.postMessage({ remembered: true });
      return loaded;
    } catch {
      await forget();
    }
  }
  unremembered = true;
  return load();
}

/** When nobody has asked for a while, see to it that the next visit is shorter. */
function rest() {
  if (!unremembered) return;
  const now = performance.now();
  firstAsked ||= now;
  clearTimeout(resting);
  resting = setTimeout(
    () => {
      unremembered = false;
      new Worker(new URL("snapshot.js", root), { type: "module" });
    },
    Math.max(0, Math.min(QUIET, firstAsked + LATEST - now)),
  );
}

async function allRules(games) {
  const rules = new Rules();
  await Promise.all(
    games.map(async (game) => {
      const description = await (await fetch(new URL(`rules/${game}.json`, root))).json();
      await rules.load(game, await bytes(`rules/${game}.wasm`), description);
    }),
  );
  return rules;
}

async function start() {
  channel.postMessage({ leads: true });
  const database = await openDatabase();
  const site = await (await fetch(new URL("site.json", root))).json();
  const [kept, loaded, rules] = await Promise.all([readAll(database), python(site.python), allRules(site.games)]);
  loaded.registerJsModule("pelagos_rules", rules);
  Object.assign(browser, {
    kept: JSON.stringify(kept),
    settings: JSON.stringify(site.settings),
    keep: (changes) => keep(database, JSON.parse(changes)),
  });
  loaded.globals.set("browser", browser);
  answerer = await loaded.runPythonAsync(`
from pelagos.pocket.worker import Answerer
answerer = Answerer(browser)
await answerer.start()
answerer`);
  for (const question of waiting.splice(0)) ask(question);
}

start();
