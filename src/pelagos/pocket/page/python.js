// Python for a worker: its files out of the pack, and its memory as it was when all that pages need had been loaded
// (snapshot.js keeps it after a first visit), so that later visits load none of that again.
import { loadPyodide } from "./pyodide/pyodide.mjs";

export const root = new URL("./", import.meta.url);
const PYTHON = "/python"; // where Python's files lie
const MEMORY = `pelagos ${root.href} memory`; // a cache; the service worker clears it with its own old ones

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

// at once, all together: nothing else is as large
const files = unpack("python.pack");
const code = import("./pyodide/pyodide.asm.mjs");

/** Pyodide with all files; from a kept memory, if one is given. `more` are options of it. */
export async function load(memory, more = {}) {
  return loadPyodide({
    createPyodideModule: async (settings) => {
      const made = await (await code).default(settings);
      if (memory && made.HEAP8.length < memory.length) made.growMemory(memory.length);
      return made;
    },
    ...(memory && { _loadSnapshot: memory }),
    indexURL: new URL("pyodide/", root).href,
    fsInit: async (system) => write(system, await files),
    env: { PYTHONPATH: PYTHON, PELAGOS_MACHINE: "pelagos.engine.browser" },
    ...more,
  });
}

const address = (version) => new URL(`memory/${version}`, root);

/** The memory that was kept for this version of Python's files; undefined where there is none. */
export async function remembered(version) {
  const kept = await (await caches.open(MEMORY)).match(address(version));
  return kept && new Uint8Array(await kept.arrayBuffer());
}

export async function forget() {
  await caches.delete(MEMORY);
}

export async function remember(version, memory) {
  await forget();
  await (await caches.open(MEMORY)).put(address(version), new Response(memory));
}
