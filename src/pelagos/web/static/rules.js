// @ts-check
// A game's rules and bots as a module of WebAssembly: its memory, and its functions by name.

/** @typedef {{takes: string[], gives: string | null}} Entry what a function takes and gives */
/**
 * @typedef {object} Manifest what a module says of itself
 * @property {number} format
 * @property {string} game
 * @property {string} rules
 * @property {number} state bytes of a state
 * @property {number} pack
 * @property {number} [race]
 * @property {number} [tree]
 * @property {number} lines of a score sheet
 * @property {number} room numbers that actions, outcomes and sheets have room in
 * @property {Record<string, Entry>} exports
 */

const FORMAT = 1;
const ALIGNED = 64;
const PAGE = 65536;

/** @param {number} size */
const aligned = (size) => Math.ceil(size / ALIGNED) * ALIGNED;

export class GameModule {
  /** @type {WebAssembly.Memory} */
  #memory;
  /** @type {number} */
  #top;

  /**
   * @param {WebAssembly.Instance} instance
   * @param {Manifest} manifest
   */
  constructor(instance, manifest) {
    if (manifest.format !== FORMAT) throw new Error(`${manifest.game}: format ${manifest.format}, not ${FORMAT}`);
    this.manifest = manifest;
    /** @type {Record<string, (...given: number[]) => number>} */
    this.functions = /** @type {any} */ (instance.exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    this.#top = aligned(/** @type {WebAssembly.Global} */ (instance.exports.__heap_base).value);
  }

  /**
   * Memory for good, all zeros. What `bytes` gave before may be worth nothing afterwards.
   * @param {number} size
   * @returns {number} its address
   */
  take(size) {
    const address = this.#top;
    this.#top += aligned(size);
    const missing = this.#top - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  bytes(address, size) {
    return new Uint8Array(this.#memory.buffer, address, size);
  }

  /**
   * Whole numbers, none of them larger than a real one can be exact.
   * @param {number} address
   * @param {number} count
   */
  wholes(address, count) {
    return Array.from(new BigInt64Array(this.#memory.buffer, address, count), Number);
  }

  /**
   * @param {number} address
   * @param {number} count
   */
  reals(address, count) {
    return new Float64Array(this.#memory.buffer, address, count);
  }
}

/** The modules that are loaded, by their games. */
export class Rules {
  /** @type {Map<string, GameModule>} */
  #modules = new Map();

  /**
   * @param {string} game
   * @param {BufferSource | WebAssembly.Module} code
   * @param {Manifest} manifest
   */
  async load(game, code, manifest) {
    const compiled = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
    const module = new GameModule(await WebAssembly.instantiate(compiled), manifest);
    this.#modules.set(game, module);
    return module;
  }

  /** @param {string} game */
  find(game) {
    return this.#modules.get(game);
  }
}
