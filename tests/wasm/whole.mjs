// node whole.mjs FOLDER: play whole games at random in WebAssembly; write down all states, points,
// winners and lengths.
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "./host.mjs";

const folder = process.argv[2];
const read = (name) => readFileSync(`${folder}/${name}`);
const plan = JSON.parse(read("plan.json"));
const { manifest, functions, take, bytes } = load(read("module.wasm"), JSON.parse(read("module.json")));

const pack = take(manifest.pack);
const room = take(8 * manifest.room);
const totals = take(64);
const states = take(plan.games * manifest.state);
const streams = take(plan.games * 32);
bytes(pack, manifest.pack).set(read("pack.bin"));
bytes(states, plan.games * manifest.state).set(read("states.bin"));
bytes(streams, plan.games * 32).set(read("streams.bin"));

const counted = new BigInt64Array(plan.games * (plan.players + 2));
const seconds = { whole: 0 };
const begun = performance.now();
for (let index = 0; index < plan.games; index++) {
  const state = states + index * manifest.state;
  functions.start(state, pack, room);
  const decisions = functions.play_out(state, pack, streams + 32 * index, room);
  const won = functions.count_up(state, pack, room, totals);
  const points = new BigInt64Array(functions.memory.buffer, totals, plan.players);
  counted.set([BigInt(decisions), BigInt(won), ...points], index * (plan.players + 2));
}
seconds.whole = (performance.now() - begun) / 1000;
writeFileSync(`${folder}/played.bin`, bytes(states, plan.games * manifest.state));
writeFileSync(`${folder}/counted.bin`, counted);
console.log(JSON.stringify(seconds));
