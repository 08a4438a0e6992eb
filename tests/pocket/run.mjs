// node run.mjs PLAN.json: run Python in Pyodide over the games' modules, as a browser's worker does.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(await readFile(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${plan.pyodide}/pyodide.mjs`).href);
const { Rules } = await import(pathToFileURL(plan.rules).href);

const python = await loadPyodide({ indexURL: plan.pyodide, env: { PELAGOS_MACHINE: "pelagos.engine.browser" } });
const rules = new Rules();
for (const game of plan.games) {
  const manifest = JSON.parse(await readFile(`${plan.modules}/${game}.json`, "utf8"));
  await rules.load(game, await readFile(`${plan.modules}/${game}.wasm`), manifest);
}
python.registerJsModule("pelagos_rules", rules);
const paths = plan.paths.map((path, place) => {
  python.FS.mkdirTree(`/mounted/${place}`);
  python.mountNodeFS(`/mounted/${place}`, path);
  return `/mounted/${place}`;
});
python.globals.set("paths", paths.join(":"));
python.globals.set("asked", JSON.stringify(plan.asked));
python.runPython("import sys; sys.path[:0] = paths.split(':')");
await python.runPythonAsync(await readFile(plan.script, "utf8"));
