// node thinker.mjs PLAN.json: the worker that thinks (thinker.js), asked one task after another; its answers as JSON.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(await readFile(process.argv[2], "utf8"));
const answers = [];
let hear = () => {};
Object.assign(globalThis, {
  fetch: async (name) => new Response(await readFile(name)),
  addEventListener: (_, listener) => {
    hear = listener;
  },
  postMessage: async (message) => {
    if ("part" in message) return;
    answers.push(message.answer ?? message.error);
    if (answers.length < plan.tasks.length) return;
    await writeFile(plan.answers, JSON.stringify(answers));
    process.exit();
  },
});
await import(pathToFileURL(plan.thinker).href);
plan.tasks.forEach((task, id) => hear({ data: { id, asked: { module: plan.modules[task.game], task: task.task } } }));
