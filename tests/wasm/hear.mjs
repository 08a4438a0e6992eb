// node hear.mjs FOLDER: what play.mjs does, for very many games: all answers are mixed into two numbers a game, without a
// log of them. `hearing.py` does the same on the CPU.
import { writeFileSync } from "node:fs";
import { open } from "./host.mjs";

const folder = process.argv[2];
const CHANCE = 1 << 16;
const { manifest, functions, bytes, read, plan, ...taken } = open(folder);
const { state, other, pack, room, legal, rows, totals, stream, draws, features, columns } = taken;
const states = read("states.bin");
const streams = read("streams.bin");
const memory = bytes(0, functions.memory.buffer.byteLength); // all of it is taken by now
const words = new Int32Array(functions.memory.buffer);

let [first, second] = [0, 0];
/** Another word or another order leads to other numbers; two words at once would have to make up for each other. */
function hearNumber(word) {
  first = Math.imul(first ^ word, 0x9e3779b1);
  first ^= first >>> 15;
  second = Math.imul(second ^ word, 0x85ebca6b);
  second ^= second >>> 13;
}

function hear(address, size) {
  const end = (address + size + 3) >> 2;
  for (let place = address >> 2; place < end; place++) hearNumber(words[place]);
}

const copy = (to, from, size) => memory.copyWithin(to, from, from + size);

function ask(seat) {
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
  functions.preview(other, pack, seat, words[(legal >> 2) + 2 * (count - 1)], room);
  hear(room, 8 * manifest.lines);
  for (let place = 0; place < count; place++)
    hearNumber(functions.rate(state, pack, seat, words[(legal >> 2) + 2 * place]));
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
  [first, second] = [0, 0];
  memory.set(states.subarray(index * manifest.state, (index + 1) * manifest.state), state);
  memory.set(streams.subarray(32 * index, 32 * index + 32), stream);
  functions.shuffle(state, pack);
  functions.begin(state, pack);
  let decisions = 0;
  for (let who = functions.pending(state, pack); who; who = functions.pending(state, pack)) {
    if (who === CHANCE) {
      const count = functions.chance(state, pack, room);
      hear(room, 8 * count);
      functions.happen(state, pack, room, count);
      continue;
    }
    const seat = 31 - Math.clz32(who & -who);
    const action = ask(seat);
    if (decisions++ % 2) hearNumber(functions.attempt(state, pack, seat, action, room));
    else hearNumber(functions.play(state, pack, seat, action));
  }
  hearNumber(functions.count_up(state, pack, room, totals));
  hearNumber(functions.winners(state, pack, totals));
  hear(totals, 8 * plan.players);
  hear(state, manifest.state);
  return [decisions, first, second];
}

const heard = Int32Array.from(Array.from({ length: plan.games }, (_, index) => game(index)).flat());
writeFileSync(`${folder}/heard.bin`, heard);
