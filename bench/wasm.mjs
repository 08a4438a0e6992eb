// node wasm.mjs FOLDER: how much CPU time random games and races take in WebAssembly.
import { readFileSync } from "node:fs";

const folder = process.argv[2];
const read = (name) => readFileSync(`${folder}/${name}`);
const plan = JSON.parse(read("plan.json"));
const manifest = JSON.parse(read(`${plan.game}.json`));
const { exports: functions } = new WebAssembly.Instance(new WebAssembly.Module(read(`${plan.game}.wasm`)));

let top = functions.__heap_base.value;
function take(size) {
  const address = top;
  top = (top + size + 63) & ~63;
  const missing = top - functions.memory.buffer.byteLength;
  if (missing > 0) functions.memory.grow(Math.ceil(missing / 65536));
  return address;
}
const put = (data, address = take(data.length)) => {
  new Uint8Array(functions.memory.buffer, address, data.length).set(data);
  return address;
};

const pack = put(read("pack.bin"));
const room = take(8 * manifest.room);
const state = take(manifest.state);
const stream = take(32);
const race = take(manifest.race);
const tree = take(manifest.tree);
const part = (file, index, size) => file.subarray(index * size, (index + 1) * size);

function timed(work) {
  const before = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(before);
  return (1e6 * done) / (user + system);
}

const fresh = read("states.bin");
const draws = read("streams.bin");
function games() {
  let decisions = 0;
  for (let index = 0; index < plan.games; index++) {
    put(part(fresh, index, manifest.state), state);
    put(part(draws, index, 32), stream);
    functions.start(state, pack, room);
    decisions += functions.play_out(state, pack, stream, room);
  }
  return decisions;
}

const positions = read("positions.bin");
function think(bot) {
  const own = bot === "search" ? [tree] : [];
  let done = 0;
  plan.seats.forEach((seat, index) => {
    put(part(positions, index, manifest.state), state);
    put(part(draws, index, 32), stream);
    put(new Uint8Array(manifest.tree), tree);
    functions[`${bot}_start`](state, pack, seat, stream, plan.simulations, race, ...own, room);
    let made = 0;
    do {
      made = functions[`${bot}_go`](race, ...own, pack, 1000, 0, room);
      done += made;
    } while (made);
  });
  return done;
}

games(); // V8 compiles anew what runs often
const speeds = { random: timed(games) };
for (const bot of ["flat", "search"]) {
  think(bot);
  speeds[bot] = timed(() => think(bot));
}
console.log(JSON.stringify(speeds));
