// Loaded before all else: a tap that comes sooner than the modules waits for them. If they don't
// come, the form is sent as it would be without script.
(() => {
  let waiting = null;
  const ready = () => document.documentElement.dataset.ready;
  addEventListener(
    "click",
    (event) => {
      const tapped = ready() ? null : event.target.closest("#act button.choice, #undo, button[type='button']");
      if (!tapped) return;
      event.preventDefault();
      if (!waiting)
        setTimeout(() => !ready() && waiting.type === "submit" && waiting.form.requestSubmit(waiting), 8000);
      waiting = tapped;
    },
    true,
  );
  addEventListener("pelagos:ready", () => {
    if (waiting?.isConnected) waiting.click();
    waiting = null;
  });
})();
