// A module's functions, and memory for what they take.
import { readFileSync } from "node:fs";

export function load(wasm, manifest) {
  const { exports: functions } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
  let top = functions.__heap_base.value;
  const take = (size) => {
    const address = top;
    top = (top + size + 63) & ~63;
    const missing = top - functions.memory.buffer.byteLength;
    if (missing > 0) functions.memory.grow(Math.ceil(missing / 65536));
    return address;
  };
  const bytes = (address, size) => new Uint8Array(functions.memory.buffer, address, size);
  return { manifest, functions, take, bytes };
}

/** What a test has laid into a folder (plan, pack, module), and room for a game and for every door's answers. */
export function open(folder) {
  const read = (name) => readFileSync(`${folder}/${name}`);
  const loaded = load(read("module.wasm"), JSON.parse(read("module.json")));
  const { manifest, take, bytes } = loaded;
  const room = {
    state: take(manifest.state),
    other: take(manifest.state),
    pack: take(manifest.pack),
    room: take(8 * manifest.room),
    legal: take(8 * manifest.room),
    rows: take(8 * manifest.room * manifest.lines),
    totals: take(8 * 8),
    stream: take(32),
    draws: take(32),
    features: take(2 * manifest.features),
    columns: take(4 * manifest.columns),
  };
  bytes(room.pack, manifest.pack).set(read("pack.bin"));
  return { ...loaded, ...room, read, plan: JSON.parse(read("plan.json")) };
}
