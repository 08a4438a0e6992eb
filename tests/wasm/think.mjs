// node think.mjs FOLDER: play matches by bots in WebAssembly, each race in slices, and write down
// their moves, a hash of all that they thought, and how the matches end, a line a match.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "./host.mjs";

const folder = process.argv[2];
const read = (name) => readFileSync(`${folder}/${name}`);
const plan = JSON.parse(read("plan.json"));
const { manifest, functions, take, bytes } = load(read("module.wasm"), JSON.parse(read("module.json")));

const state = take(manifest.state);
const world = take(manifest.state);
const pack = take(manifest.pack);
const room = take(8 * manifest.room);
const stream = take(32);
const race = take(manifest.race);
const thoughts = take(32 * manifest.room);
const trees = Array.from({ length: 8 }, () => take(manifest.tree));
bytes(pack, manifest.pack).set(read("pack.bin"));

const first = (who) => 31 - Math.clz32(who & -who);
const ROW = 32;

function think(bot, seat, heard) {
  if (bot === "random" || bot === "greedy") return functions[bot](world, pack, seat, stream, room);
  const tree = bot === "search" ? [trees[seat]] : [];
  functions[`${bot}_start`](world, pack, seat, stream, plan.simulations, race, ...tree, room);
  let slice = 1;
  while (functions[`${bot}_go`](race, ...tree, pack, slice, 0, room)) slice = (slice % 7) + 1;
  if (bot === "search") functions.search_keep(race, ...tree);
  const rows = functions.race_thoughts(race, thoughts);
  heard.update(bytes(thoughts, ROW * rows));
  return functions.race_choice(race);
}

function match(index) {
  const heard = createHash("sha256");
  const moves = [];
  const decisions = new Array(8).fill(0);
  for (const tree of trees) bytes(tree, manifest.tree).fill(0);
  bytes(state, manifest.state).set(read("states.bin").subarray(index * manifest.state, (index + 1) * manifest.state));
  for (let who = functions.settle(state, pack, room); who; who = functions.settle(state, pack, room)) {
    const seat = first(who);
    const words = createHash("sha256").update(`bot/${seat}/${decisions[seat]++}/`);
    bytes(stream, 32).set(words.update(Buffer.from(plan.seeds[index], "hex")).digest());
    bytes(world, manifest.state).set(bytes(state, manifest.state));
    functions.redeal(world, pack, seat, stream);
    const action = think(plan.bots[(seat + index) % plan.bots.length], seat, heard);
    moves.push(action);
    functions.play(state, pack, seat, action);
  }
  heard.update(bytes(state, manifest.state));
  return `${moves.join(" ")} ${heard.digest("hex")}`;
}

const lines = plan.seeds.map((_, index) => match(index));
writeFileSync(`${folder}/answers.txt`, `${lines.join("\n")}\n`);
