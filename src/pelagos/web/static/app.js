// Everything starts here, so that htmx and our modules load in one order.

import { start as startAid } from "./aid.js";
import { start as startChoose } from "./choose.js";
import { start as startCoach } from "./coach.js";
import { start as startCompiling } from "./compiling.js";
import { start as startEnd } from "./end.js";
import { start as startFocus } from "./focus.js";
import { start as startHint } from "./hint.js";
import { offer as offerPacks, start as startPacks } from "./packs.js";
import { start as startPad } from "./pad.js";
import { start as startPages } from "./pages.js";
import { start as startRecap } from "./recap.js";
import { start as startReplay } from "./replay.js";
import { start as startSettings } from "./settings.js";
import { start as startStream } from "./stream.js";
import { start as startTalk } from "./talk.js";

startSettings();
startPages();
const compiling = document.getElementById("compiling");
if (compiling) startCompiling(compiling);
if (document.body.dataset.coach) startCoach();
if (document.getElementById("pad")) startPad();
if (document.querySelector(".page-packs .pack-form")) startPacks();
for (const select of document.querySelectorAll("select[name='pack']")) offerPacks(select);
if (document.getElementById("view")) {
  startFocus();
  startChoose();
  startEnd();
  startHint();
  startRecap();
  startTalk();
  startAid();
  if (document.body.dataset.replay) startReplay();
  else startStream();
}
document.documentElement.dataset.ready = "1";
dispatchEvent(new Event("pelagos:ready"));
