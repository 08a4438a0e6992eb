// @ts-check
// A worker that thinks: it runs functions of a game's own module, in slices, and in between it looks at the clock, says
// how far it is, and hears that nobody wants to know any more. It knows no rule and no bot.
import { Rules } from "./rules.js";

/** @typedef {import("./rules.js").GameModule} GameModule */
/** @typedef {{code: string, manifest: string}} Addresses where a module lies */
/**
 * @typedef {object} Race a bot's thoughts on a seat's choices, or its choice
 * @property {"race"} kind
 * @property {string} bot
 * @property {number} seat
 * @property {string} state in base 64, as all bytes
 * @property {string} pack
 * @property {string} stream
 * @property {{milliseconds: number, simulations: number}} budget one of them is 0
 * @property {string} [player] whose choice it is, who remembers what it thought; without one, thoughts are told
 */
/**
 * @typedef {object} Call one function, with what it is given: numbers, lists of them, and names of what lies in memory
 * @property {string} function
 * @property {(string | number | number[])[]} given
 * @property {number} state which of the states
 * @property {string} stream
 * @property {number} weight how much work it is, compared with others
 * @property {number} sums numbers that it adds up
 */
/** @typedef {{kind: "calls", pack: string, states: string[], calls: Call[]}} Calls */
/** @typedef {{module: Addresses, task: Race | Calls}} Asked */
/** @typedef {(part: number) => void} Report how much is done, from 0 to 1 */

const SLICE = 8; // milliseconds
const NEWS = 100; // milliseconds between two reports
const MOST_SIMULATIONS = 1 << 20;
const MOST_TREES = 8; // so many players' are remembered, for each game
const ROW = 4; // numbers of a thought: action, value, visits, points

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A module's memory, in which each thing has its place. */
class Desk {
  /** @type {Map<string, {address: number, size: number}>} */
  #places = new Map();
  /** Whose tree lies where; the player who thought last comes last. @type {Map<string, string>} */
  #trees = new Map();

  /** @param {GameModule} module */
  constructor(module) {
    this.module = module;
    this.manifest = module.manifest;
    this.functions = module.functions;
  }

  /**
   * @param {string} name
   * @param {number} size
   * @returns {number} its address
   */
  place(name, size) {
    const known = this.#places.get(name);
    if (known && known.size >= size) return known.address;
    const address = this.module.take(size);
    this.#places.set(name, { address, size });
    return address;
  }

  /**
   * @param {string} name
   * @param {Uint8Array} data
   */
  put(name, data) {
    const address = this.place(name, data.length);
    this.module.bytes(address, data.length).set(data);
    return address;
  }

  /**
   * @param {string} name
   * @param {number} size
   */
  clear(name, size) {
    const address = this.place(name, size);
    this.module.bytes(address, size).fill(0);
    return address;
  }

  /**
   * A player's tree, as it was left; an empty one for who has none, or is nobody.
   * @param {string} [player]
   */
  tree(player) {
    const size = this.manifest.tree ?? 0;
    if (player === undefined) return this.clear("tree", size);
    const known = this.#trees.get(player);
    const [oldest] = this.#trees.keys();
    const full = this.#trees.size >= MOST_TREES;
    const name = known ?? (full ? /** @type {string} */ (this.#trees.get(oldest)) : `tree ${this.#trees.size}`);
    this.#trees.delete(known || !full ? player : oldest);
    this.#trees.set(player, name);
    return known ? this.place(name, size) : this.clear(name, size);
  }
}

const rules = new Rules();
/** @type {Map<string, Promise<Desk>>} */
const desks = new Map();

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** @param {Addresses} addresses */
async function load({ code, manifest }) {
  const [bytes, described] = await Promise.all([
    fetched(code).then((answer) => answer.arrayBuffer()),
    fetched(manifest).then((answer) => answer.json()),
  ]);
  return new Desk(await rules.load(described.game, bytes, described));
}

/** @param {Addresses} addresses */
function deskFor(addresses) {
  const known = desks.get(addresses.code);
  if (known) return known;
  const loading = load(addresses);
  desks.set(addresses.code, loading);
  loading.catch(() => desks.delete(addresses.code));
  return loading;
}

const channel = new MessageChannel();
/** Lets messages in; timers would wait longer. */
const breathe = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });

/**
 * @param {Desk} desk
 * @param {Race} task
 * @param {Report} report
 * @param {() => boolean} stopped
 * @returns {Promise<number[][] | number>} rows of action, value, visits and points, best first; or a player's choice
 */
async function race(desk, { bot, seat, state, pack, stream, budget, player }, report, stopped) {
  const { manifest, functions } = desk;
  const start = performance.now();
  const asked = [desk.put("state", bytesOf(state)), desk.put("pack", bytesOf(pack)), seat];
  const room = desk.place("room", 8 * manifest.room);
  const running = desk.place("race", manifest.race ?? 0);
  const trees = bot === "search" ? [desk.tree(player)] : [];
  const legal = functions.legal(...asked, room);
  const thoughts = desk.place("thoughts", 8 * ROW * legal);
  asked.push(desk.put("stream", bytesOf(stream)));
  functions[`${bot}_start`](...asked, budget.simulations, running, ...trees, room);
  const go = functions[`${bot}_go`];
  let [made, pace, part, reported] = [0, 1, 0, start];
  for (let more = 1; more; ) {
    more = go(running, ...trees, asked[1], pace, part, room);
    made += more;
    const used = Math.max(performance.now() - start, 0.001);
    pace = Math.min(Math.max(1, Math.floor((SLICE * made) / used)), MOST_SIMULATIONS);
    if (budget.milliseconds) part = (used + used / Math.max(made, 1)) / budget.milliseconds;
    if (part >= 1) break;
    if (used + start - reported > NEWS) {
      reported = used + start;
      report(budget.milliseconds ? part : Math.min(made / budget.simulations, 1));
    }
    await breathe();
    if (stopped()) break;
  }
  if (player !== undefined) {
    if (trees.length) functions.search_keep(running, ...trees);
    return functions.race_choice(running);
  }
  const rows = functions.race_thoughts(running, thoughts);
  const numbers = [...desk.module.reals(thoughts, ROW * rows)];
  return Array.from({ length: rows }, (_, row) => numbers.slice(ROW * row, ROW * (row + 1)));
}

/**
 * @param {Desk} desk
 * @param {Calls} task
 * @param {Report} report
 * @param {() => boolean} stopped
 * @returns {Promise<number[][]>} the sums of each call
 */
async function callAll(desk, { pack, states, calls }, report, stopped) {
  const { manifest, functions, module } = desk;
  const whole = calls.reduce((total, { weight }) => total + weight, 0);
  const answers = [];
  let done = 0;
  for (const call of calls) {
    /** @type {Record<string, number>} */
    const named = {
      pack: desk.put("pack", bytesOf(pack)),
      state: desk.clear("states", 3 * manifest.state),
      stream: desk.clear("streams", 3 * 32),
      room: desk.place("room", 8 * manifest.room),
      out: desk.clear("out", 8 * (manifest.room + 2 * manifest.lines + 64)),
      sums: desk.clear("sums", 8 * call.sums),
    };
    const given = call.given.map((argument, place) => {
      if (typeof argument === "number") return argument;
      if (typeof argument === "string") return named[argument];
      return desk.put(`list ${place}`, new Uint8Array(BigInt64Array.from(argument.map(BigInt)).buffer));
    });
    module.bytes(named.state, manifest.state).set(bytesOf(states[call.state]));
    module.bytes(named.stream, 32).set(bytesOf(call.stream));
    functions[call.function](...given);
    answers.push(module.wholes(named.sums, call.sums));
    done += call.weight;
    report(done / whole);
    await breathe();
    if (stopped()) break;
  }
  return answers;
}

/** @type {Set<number>} */
const cancelled = new Set();
/** What was asked before: one thought at a time. @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * @param {number} id
 * @param {Asked} asked
 */
async function answer(id, { module, task }) {
  const stopped = () => cancelled.has(id);
  try {
    const desk = await deskFor(module);
    if (stopped()) return;
    const report = (/** @type {number} */ part) => postMessage({ id, part });
    const thought = await (task.kind === "race"
      ? race(desk, task, report, stopped)
      : callAll(desk, task, report, stopped));
    if (!stopped()) postMessage({ id, answer: thought });
  } catch (error) {
    postMessage({ id, error: String(error) });
  } finally {
    cancelled.delete(id);
  }
}

addEventListener("message", ({ data: { id, cancel, asked } }) => {
  if (cancel) cancelled.add(id);
  else before = before.then(() => answer(id, asked));
});
