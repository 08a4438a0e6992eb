import { selected } from "../app/choose.js";

/** While a bid is chosen, the card that it is for is marked. */
document.addEventListener("pelagos:choose", () => {
  const bid = selected()?.closest(".pond .hand") ?? null;
  document.querySelector(".pond .offer")?.classList.toggle("wanted", bid !== null);
});
