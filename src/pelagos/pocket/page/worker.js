// The worker that answers: Python, with the server's own pages, and the games' rules. What it writes lies in IndexedDB.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { Rules } from "./static/app/rules.js";

const root = new URL("./", import.meta.url);
const channel = new BroadcastChannel(`pelagos ${root.pathname}`);
const DATABASE = `pelagos ${root.pathname}`;
const KEPT = "kept";
const PYTHON = "/python"; // where Python's files lie
const questions = new Map(); // by our own number: {session, number, headers, status, parts, stream}
const known = new Set(); // questions that were heard
const waiting = []; // until Python is there
let answerer = null;
let last = 0;

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
  const told = { "accept-language": navigator.languages.join(","), host: root.host, ...headers };
  answerer.ask(number, method, address, JSON.stringify(told), body);
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

/** All files for Python (`pack` in build.py), as [name, content]. */
async function unpack(name) {
  const { body } = await fetch(new URL(name, root));
  const opened = new Response(body.pipeThrough(new DecompressionStream("gzip")));
  const all = new Uint8Array(await opened.arrayBuffer());
  let at = 4 + new DataView(all.buffer).getUint32(0, true);
  const sizes = JSON.parse(new TextDecoder().decode(all.subarray(4, at)));
  const files = [];
  for (const [file, size] of Object.entries(sizes)) {
    files.push([file, all.subarray(at, at + size)]);
    at += size;
  }
  return files;
}

function write(system, files) {
  const made = new Set();
  for (const [name, content] of files) {
    const path = `${PYTHON}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) system.mkdirTree(folder);
    made.add(folder);
    system.writeFile(path, content, { canOwn: true });
  }
}

async function start() {
  channel.postMessage({ leads: true });
  const database = await openDatabase();
  const files = unpack("python.pack");
  const [site, kept, python] = await Promise.all([
    fetch(new URL("site.json", root)).then((answer) => answer.json()),
    readAll(database),
    loadPyodide({
      indexURL: new URL("pyodide/", root).href,
      fsInit: async (system) => write(system, await files),
      env: { PYTHONPATH: PYTHON, PELAGOS_MACHINE: "pelagos.engine.browser" },
    }),
  ]);
  const rules = new Rules();
  await Promise.all(
    site.games.map(async (game) => {
      const description = await (await fetch(new URL(`rules/${game}.json`, root))).json();
      await rules.load(game, await bytes(`rules/${game}.wasm`), description);
    }),
  );
  python.registerJsModule("pelagos_rules", rules);
  Object.assign(browser, {
    kept: JSON.stringify(kept),
    settings: JSON.stringify(site.settings),
    keep: (changes) => keep(database, JSON.parse(changes)),
  });
  python.globals.set("browser", browser);
  answerer = await python.runPythonAsync(`
from pelagos.pocket.worker import Answerer
answerer = Answerer(browser)
await answerer.start()
answerer`);
  for (const question of waiting.splice(0)) ask(question);
}

start();
