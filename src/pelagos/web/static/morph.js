// A new view is morphed into the page part by part. A part (`<!--part log-->…<!--/part-->`, an element with that id and
// `data-apart`) that is as it was isn't touched. Where the last view took long, what would make one frame long is done
// in the next one, and parts with `data-apart="later"` that nobody sees, in a closed drawer, come after the rest.
import htmx from "./vendor/htmx.js";

const PART = /<!--part ([\w-]+)-->\s*([\s\S]*?)\s*<!--\/part-->/g;
const LONG = 40; // milliseconds
const FRAME = 16; // milliseconds of morphing that one frame may hold
const OVER = 'data-over="1"'; // the end is counted from the sheet: it has to be there
const shown = new Map(); // the parts' html by their ids
let slow = false;
let morphInto; // htmx's morph without the rest of its swap, which walks through the page four times more
htmx.registerExtension("pelagos", {
  init: (internal) => {
    morphInto = internal.morph;
  },
});

const nextFrame = () =>
  new Promise((done) => (document.hidden ? setTimeout(done) : requestAnimationFrame(() => setTimeout(done))));

function put(target, html) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  morphInto(target, parsed.content, true);
}

const inside = (part) => part.slice(part.indexOf(">") + 1, part.lastIndexOf("<"));
const isSeen = (element) => [element, ...element.children].some((each) => each.checkVisibility());

/** Morph the html of a whole view into `#view`. What is returned does what is left, after the view has been shown. */
export async function morph(html) {
  const [now, later] = [[], []];
  const rest = html.replace(PART, (_, id, part) => {
    const element = document.getElementById(id);
    if (!element) {
      shown.set(id, part);
      return part;
    }
    const waits = slow && element.dataset.apart === "later" && !html.includes(OVER) && !isSeen(element);
    if (shown.get(id) !== part) (waits ? later : now).push([id, part]);
    return `<${element.localName} id="${id}" data-apart></${element.localName}>`; // stands for what is there already
  });
  const view = document.getElementById("view");
  let spent = 0;
  let frame = 0;
  const timed = async (work) => {
    if (slow && frame > FRAME) {
      await nextFrame();
      frame = 0;
    }
    const start = performance.now();
    work();
    frame += performance.now() - start;
    spent += performance.now() - start;
  };
  const putPart = ([id, part]) => {
    put(document.getElementById(id), inside(part));
    shown.set(id, part);
  };
  for (const part of now) await timed(() => putPart(part));
  await timed(() => put(view, rest));
  slow = spent > LONG;
  return async () => {
    for (const part of later) {
      await nextFrame();
      if (document.getElementById(part[0])) putPart(part);
    }
  };
}
