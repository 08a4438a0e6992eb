// At the first start: how far the games are compiled, until they are, and the way on for who waits for one.
import { root } from "./pages.js";

const PAUSE = 1000;

async function progress(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the server may be busy, or away: it is asked again
  }
}

export function start(line) {
  const awaited = document.querySelector("[data-awaited]")?.dataset.awaited ?? "";
  const table = document.body.dataset.table ?? "";
  const address = `${root}preparing?${new URLSearchParams({ game: awaited, table })}`;
  const bar = line.querySelector("progress");
  const text = line.querySelector(".compiling-text");

  async function look() {
    const news = await progress(address);
    if (news && awaited && news.there) return location.reload();
    if (news && !news.text && !awaited) return line.remove();
    if (news?.text) {
      bar.max = news.total;
      bar.value = news.done;
      if (text.textContent !== news.text) text.textContent = news.text;
      line.classList.toggle("is-awaited", Boolean(news.bot));
    }
    setTimeout(look, PAUSE);
  }
  look();
}
