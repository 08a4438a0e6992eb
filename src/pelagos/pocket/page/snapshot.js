// A worker of its own, after a first visit: load all that pages need, and keep Python's memory for the next ones. It
// knows nothing of any game that is played here. The browser keeps Python's compiled code by the way.
import { load, remember, root } from "./python.js";

async function make() {
  const { python: version } = await (await fetch(new URL("site.json", root))).json();
  const python = await load(undefined, { _makeSnapshot: true });
  python.runPython("from pelagos.pocket.worker import prepare; prepare()");
  await remember(version, python.makeMemorySnapshot());
  new BroadcastChannel(`pelagos ${root.pathname}`).postMessage({ remembered: true });
}

make().finally(() => close());
