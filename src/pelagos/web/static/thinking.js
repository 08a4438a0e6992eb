// @ts-check
// Thinking in this browser instead of at the server: one worker (thinker.js), started when it is first needed.

/** @typedef {import("./thinker.js").Asked} Asked */
/** @typedef {(part: number) => void} Report */
/** @typedef {{resolve: (answer: any) => void, reject: (reason: unknown) => void, report: Report}} Waiting */

/** Can this browser do it? */
export const able = typeof WebAssembly === "object" && typeof Worker === "function";

/** @type {Worker | null} */
let worker = null;
/** @type {Map<number, Waiting>} */
const waiting = new Map();
let last = 0;

/** @param {unknown} reason */
function fail(reason) {
  worker?.terminate();
  worker = null;
  for (const { reject } of waiting.values()) reject(reason);
  waiting.clear();
}

function begin() {
  const begun = new Worker(new URL("./thinker.js", import.meta.url), { type: "module" });
  begun.addEventListener("message", ({ data }) => {
    const asker = waiting.get(data.id);
    if (!asker) return;
    if ("part" in data) {
      asker.report(data.part);
      return;
    }
    waiting.delete(data.id);
    if ("error" in data) asker.reject(new Error(data.error));
    else asker.resolve(data.answer);
  });
  begun.addEventListener("error", fail);
  return begun;
}

/**
 * @param {Asked} asked
 * @param {Report} report is told how much is done, from 0 to 1
 * @param {AbortSignal} signal
 * @returns {Promise<any>} what the thinker found out
 */
export function think(asked, report, signal) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    worker ??= begin();
    waiting.set(id, { resolve, reject, report });
    signal.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      worker?.postMessage({ id, cancel: true });
      reject(signal.reason);
    });
    worker.postMessage({ id, asked });
  });
}
