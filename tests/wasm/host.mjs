// A module's functions, and memory for what they take.
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
