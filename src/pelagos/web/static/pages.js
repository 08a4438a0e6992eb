// Small things of every page: dialogs, random bytes for the shuffle, copying the link.

export const root = new URL("../../", import.meta.url).pathname; // where the site begins

function hex(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function clientId() {
  return hex(16);
}

export function open(name) {
  const dialog = document.getElementById(name);
  if (dialog && !dialog.open) dialog.showModal();
}

/** Copies a field's text, or the button's own. */
async function copy(button) {
  const shown = document.getElementById(button.dataset.copy);
  const field = shown || Object.assign(document.createElement("textarea"), { value: button.dataset.copy });
  if (!shown) button.after(field);
  field.select();
  let done = false;
  try {
    await navigator.clipboard.writeText(field.value);
    done = true;
  } catch {
    done = document.execCommand("copy"); // plain http on a club's network has no clipboard
  }
  if (!shown) field.remove();
  if (done) button.textContent = button.dataset.done;
}

export function start() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]");
    if (opener) open(opener.dataset.open);
    const closer = event.target.closest("[data-close]");
    if (closer) closer.closest("dialog").close();
    const copier = event.target.closest("[data-copy]");
    if (copier) copy(copier);
    if (event.target instanceof HTMLDialogElement) event.target.close();
  });
  document.addEventListener("submit", (event) => {
    if (event.submitter?.formMethod === "get") return;
    for (const field of event.target.querySelectorAll("[data-bytes]")) field.value = hex(32);
    if (!event.target.matches("[data-plain]")) return;
    const button = event.submitter;
    if (button?.dataset.sent) event.preventDefault();
    else if (button) button.dataset.sent = "1";
  });
  addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("[data-sent]")) delete button.dataset.sent;
  });
}
