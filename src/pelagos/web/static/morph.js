// A new view is morphed into the page part by part. A part (`<!--part log-->…<!--/part-->`, an element with that id and
// `data-apart`) that is as it was isn't touched; where the last view took long, each other one has a frame of its own.
import htmx from "./vendor/htmx.js";

const PART = /<!--part ([\w-]+)-->\s*([\s\S]*?)\s*<!--\/part-->/g;
const LONG = 40; // milliseconds
const shown = new Map(); // the parts' html by their ids
let slow = false;

const nextFrame = () =>
  new Promise((done) => (document.hidden ? setTimeout(done) : requestAnimationFrame(() => setTimeout(done))));

function put(target, text) {
  return htmx.swap({ text, target, swap: "innerMorph", sourceElement: document.getElementById("view") });
}

/** Morph the html of a whole view into `#view`. */
export async function morph(html) {
  const changed = [];
  const rest = html.replace(PART, (_, id, part) => {
    if (!document.getElementById(id)) return part;
    if (shown.get(id) !== part) changed.push([id, part]);
    return `<section id="${id}" data-apart></section>`; // stands for what is there already
  });
  let spent = 0;
  for (const [id, part] of [...changed, ["view", rest]]) {
    if (slow && spent) await nextFrame();
    const start = performance.now();
    const isPart = id !== "view";
    await put(`#${id}`, isPart ? part.slice(part.indexOf(">") + 1, part.lastIndexOf("<")) : part);
    if (isPart) shown.set(id, part);
    spent += performance.now() - start;
  }
  slow = spent > LONG;
}
