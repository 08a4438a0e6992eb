// A new view is morphed into the page part by part. A part (`<!--part log-->…<!--/part-->`, an element with that id and
// `data-apart`) that is as it was isn't touched. Parts that nobody sees, in a closed drawer, come after the rest
// has been painted, each in a frame of its own: on a weak phone they would make one frame long.
import htmx from "./vendor/htmx.js";

const PART = /<!--part ([\w-]+)-->\s*([\s\S]*?)\s*<!--\/part-->/g;
const OVER = 'data-over="1"'; // the end is counted from the sheet: it has to be there
const NO_FRAME = 200; // milliseconds after which no frame is waited for
const shown = new Map(); // the parts' html by their ids
let morphInto; // htmx's morph without the rest of its swap, which walks through the page four times more
htmx.registerExtension("pelagos", {
  init: (internal) => {
    morphInto = internal.morph;
  },
});

const nextFrame = () =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, document.hidden ? 0 : NO_FRAME); // a sleeping tab has no frames
  });
const nextTask = () => new Promise((done) => setTimeout(done));

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

const inside = (part) => part.slice(part.indexOf(">") + 1, part.lastIndexOf("<"));
const isSeen = (element) => [element, ...element.children].some((each) => each.checkVisibility());

/** Parse the html of a whole view: what is returned morphs it into `#view`, at once, and returns what does the rest
    after the view has been shown. */
export async function prepare(html) {
  const [now, later] = [[], []];
  const mayWait = !html.includes(OVER);
  const rest = html.replace(PART, (_, id, part) => {
    const element = document.getElementById(id);
    if (element && shown.get(id) !== part) (mayWait && !isSeen(element) ? later : now).push([id, part]);
    shown.set(id, part);
    if (!element) return part;
    return `<${element.localName} id="${id}" data-apart></${element.localName}>`; // stands for what is there already
  });
  const parsed = now.map(([id, part]) => [id, parse(inside(part))]);
  parsed.push(["view", parse(rest)]);
  await nextTask(); // what only parses makes no frame longer
  return () => {
    for (const [id, content] of parsed) morphInto(document.getElementById(id), content, true);
    return () => finish(later);
  };
}

async function finish(later) {
  for (const [id, part] of later) {
    await nextFrame();
    const element = document.getElementById(id);
    if (element && shown.get(id) === part) morphInto(element, parse(inside(part)), true);
  }
}
