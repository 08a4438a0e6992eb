// What happened since the reader's turn: a tap shows it again, in the log where it is in sight, else on a sheet.

function inSight(log) {
  const box = log.getBoundingClientRect();
  return box.width > 0 && box.top >= 0 && box.top < innerHeight - 80 && log.checkVisibility();
}

/** The log's lines, as they stand now, without what is there once only. */
function fill(sheet, log) {
  const lines = log.querySelector("ol")?.cloneNode(true);
  if (!lines) return;
  for (const line of [lines, ...lines.querySelectorAll("[id]")]) line.removeAttribute("id");
  sheet.querySelector(".log-lines").replaceChildren(lines);
}

export function start() {
  document.addEventListener("click", (event) => {
    if (!event.target.closest("a.recap")) return;
    const log = document.getElementById("log");
    const sheet = document.getElementById("log-sheet");
    if (!log || !sheet) return;
    event.preventDefault();
    if (log.popover) {
      log.showPopover();
      return;
    }
    if (inSight(log)) {
      log.querySelector("[tabindex]")?.focus();
      return;
    }
    fill(sheet, log);
    sheet.showModal();
  });
}
