// node play.mjs FOLDER: play games in WebAssembly, ask every door at every decision, and write down
// a hash of all answers, a line a game. `test_equality.py` does the same on the CPU.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { open } from "./host.mjs";

const folder = process.argv[2];
const CHANCE = 1 << 16;
const { manifest, functions, bytes, read, plan, ...taken } = open(folder);
const { state, other, pack, room, legal, rows, totals, stream, draws, features, columns } = taken;

const numbers = (address, count) => new BigInt64Array(functions.memory.buffer, address, count);
const first = (who) => 31 - Math.clz32(who & -who);
const copy = (to, from, size) => bytes(to, size).set(bytes(from, size));

function ask(seat, heard) {
  const hear = (address, size) => heard.update(bytes(address, size));
  const hearNumber = (number) => heard.update(`${number} `);
  const count = functions.legal(state, pack, seat, legal);
  hear(legal, 8 * count);
  functions.observe(state, pack, seat, features);
  hear(features, 2 * manifest.features);
  functions.expand(pack, features, columns);
  hear(columns, 4 * manifest.columns);
  functions.sheet(state, pack, seat, room);
  hear(room, 8 * manifest.lines);
  functions.previews(state, pack, seat, legal, count, other, rows);
  hear(rows, 8 * count * manifest.lines);
  copy(other, state, manifest.state);
  functions.preview(other, pack, seat, Number(numbers(legal, count)[count - 1]), room);
  hear(room, 8 * manifest.lines);
  for (const action of numbers(legal, count)) hearNumber(functions.rate(state, pack, seat, Number(action)));
  copy(draws, stream, 32);
  hearNumber(functions.greedy(state, pack, seat, draws, room));
  copy(other, state, manifest.state);
  functions.redeal(other, pack, seat, draws);
  hear(other, manifest.state);
  hear(draws, 32);
  hearNumber(functions.attempt(state, pack, seat, -1, room));
  return functions.random(state, pack, seat, stream, room);
}

function game(index) {
  const heard = createHash("sha256");
  bytes(state, manifest.state).set(read("states.bin").subarray(index * manifest.state, (index + 1) * manifest.state));
  bytes(stream, 32).set(read("streams.bin").subarray(32 * index, 32 * index + 32));
  functions.shuffle(state, pack);
  functions.begin(state, pack);
  let decisions = 0;
  for (let who = functions.pending(state, pack); who; who = functions.pending(state, pack)) {
    if (who === CHANCE) {
      const count = functions.chance(state, pack, room);
      heard.update(bytes(room, 8 * count));
      functions.happen(state, pack, room, count);
      continue;
    }
    const seat = first(who);
    const action = ask(seat, heard);
    if (decisions++ % 2) heard.update(`${functions.attempt(state, pack, seat, action, room)} `);
    else heard.update(`${functions.play(state, pack, seat, action)} `);
  }
  heard.update(`${functions.count_up(state, pack, room, totals)} `);
  heard.update(`${functions.winners(state, pack, totals)} `);
  heard.update(bytes(totals, 8 * plan.players));
  heard.update(bytes(state, manifest.state));
  return `${decisions} ${heard.digest("hex")}`;
}

const lines = Array.from({ length: plan.games }, (_, index) => game(index));
writeFileSync(`${folder}/answers.txt`, `${lines.join("\n")}\n`);
