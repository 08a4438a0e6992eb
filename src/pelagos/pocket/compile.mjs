// node compile.mjs PYODIDE SOURCES.zip COMPILED.zip: `bytecode.py`, run by the Python that browsers will run.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  console.error(String(error)); // without the line that raised it: Pyodide's is a megabyte
  process.exit(1);
});

const [folder, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: folder, env });
python.FS.writeFile("/bytecode.py", new Uint8Array(await readFile(new URL("bytecode.py", import.meta.url))));
python.FS.writeFile("/sources.zip", new Uint8Array(await readFile(sources)));
python.runPython(`
import sys
from pathlib import Path
sys.path.insert(0, "/")
import bytecode
Path("/compiled.zip").write_bytes(bytecode.compile_all(Path("/sources.zip").read_bytes()))
`);
await writeFile(compiled, python.FS.readFile("/compiled.zip"));
