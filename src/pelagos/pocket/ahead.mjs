// node ahead.mjs PYODIDE FILES SETTINGS AHEAD: start Python with a browser's files, do what its first pages need, and write down
// what was made on the way (`standins/sitecustomize.py`).
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  console.error(String(error)); // without the line that raised it: Pyodide's is a megabyte
  process.exit(1);
});

const [folder, files, settings, ahead] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: folder,
  env: { PYTHONPATH: "/python", PYTHONHASHSEED: "0", PELAGOS_MACHINE: "pelagos.engine.browser" },
  fsInit: (system) => {
    system.mkdirTree("/python");
    system.mount(system.filesystems.NODEFS, { root: files }, "/python");
  },
});
python.globals.set("settings", settings);
const kept = await python.runPythonAsync(`
from sitecustomize import made_ahead
from pelagos.pocket.worker import rehearse
await rehearse(settings)
made_ahead.kept()`);
await writeFile(ahead, kept.toJs());
process.exit(); // streams and timers of Python would wait on
