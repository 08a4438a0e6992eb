"""Debian's Firefox, driven by WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/).

Headless, with a profile that is thrown away, and no way out but to this machine.
"""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import websocket

import debian

PATIENCE = 120
"""Seconds before a test gives up; nothing is measured by it."""
PREFERENCES = {
    # Whatever isn't on this machine is asked of a proxy that isn't there.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "toolkit.telemetry.server": "",
}
REPORT_POLICY = """() => addEventListener('securitypolicyviolation', refused =>
  console.error(`policy: ${refused.effectiveDirective} refuses ${refused.blockedURI} ` +
    `(${refused.sourceFile}:${refused.lineNumber})`))"""
"""Firefox tells consoles of these, but not BiDi."""
REDIRECTED = "Failed to load ‘’. A ServiceWorker intercepted the request"
"""Firefox says so of each redirect that a service worker answers with, and then follows it."""
POINT = """async (selector, number) => {
  const frame = () => new Promise(requestAnimationFrame);
  const seen = element => element.checkVisibility({ visibilityProperty: true });
  const place = () => {
    const element = [...document.querySelectorAll(selector)].filter(seen)[number];
    if (!element || element.disabled) return null;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return top && (element.contains(top) || top.contains(element) || top.closest('label')) ?
      [Math.floor(x), Math.floor(y)] : null;
  };
  const before = place();
  await frame();
  await frame();
  const after = place();
  return before && after && before.join() === after.join() ? after : null;
}"""
"""Where a pointer meets the nth visible element: it must lie still there, with nothing above it."""


class Refused(Exception):
    """Firefox couldn't do what it was asked."""


class Firefox:
    """A running Firefox; what it is asked, and what it tells of its pages."""

    def __init__(self, socket: websocket.WebSocket) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.wrong: list[str] = []
        """Errors of scripts, of the console, and of the pages' policy."""
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration=REPORT_POLICY)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command, and hear events until it is answered."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self._socket.recv())).get("id") != number:
            self._hear(message)
        if message["type"] == "error":
            raise Refused(f"{method}: {message['error']}: {message['message']}")
        return dict(message["result"])

    def _hear(self, event: dict[str, Any]) -> None:
        entry = event["params"]
        is_error = event["method"] == "log.entryAdded" and entry["level"] == "error"
        if is_error and not entry["text"].startswith(REDIRECTED):
            where = (entry.get("stackTrace") or {}).get("callFrames") or [{}]
            self.wrong.append(f"{entry['text']} ({where[0].get('url', 'no file')})")

    def open(
        self, language: str = "en", width: int = 1280, height: int = 860, script: str = ""
    ) -> Page:
        """A window of somebody who was never here; the script runs before each page's own."""
        person = self.ask("browser.createUserContext")["userContext"]
        window = self.ask("browsingContext.create", type="window", userContext=person)["context"]
        self.ask("emulation.setLocaleOverride", locale=language, contexts=[window])
        if script:
            declared = f"() => {{ if (location.protocol === 'http:') {{ {script} }} }}"
            self.ask("script.addPreloadScript", functionDeclaration=declared, contexts=[window])
        page = Page(self, window, person)
        page.resize(width, height)
        return page


class Page:
    """A window, or a frame in one."""

    def __init__(self, firefox: Firefox, context: str, person: str) -> None:
        self.firefox = firefox
        self.context = context
        self._person = person

    def close(self) -> None:
        """The window goes, with all that its person has kept."""
        self.firefox.ask("browser.removeUserContext", userContext=self._person)

    def go(self, address: str, wait: str = "complete") -> None:
        self.firefox.ask("browsingContext.navigate", context=self.context, url=address, wait=wait)

    def reload(self) -> None:
        self.firefox.ask("browsingContext.reload", context=self.context, wait="complete")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.firefox.ask("browsingContext.setViewport", context=self.context, viewport=size)

    def frame(self) -> Page:
        """The frame in this window, when there is one."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            tree = self.firefox.ask("browsingContext.getTree", root=self.context)
            for child in tree["contexts"][0]["children"] or []:
                return Page(self.firefox, child["context"], self._person)
            time.sleep(0.05)
        raise AssertionError(f"no frame at {self.address}: {self.text('body')}")

    def run(self, function: str, *arguments: Any) -> Any:
        """What a function in JavaScript gives for these arguments, both as JSON."""
        written = json.dumps(arguments)
        answer = self.firefox.ask(
            "script.callFunction",
            functionDeclaration=f"async () => JSON.stringify(await ({function})(...{written}))",
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise Refused(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def until(self, function: str, *arguments: Any) -> Any:
        """The same again and again, over all changes of page, until it gives something."""
        give_up = time.monotonic() + PATIENCE
        why = "gave nothing"
        while time.monotonic() < give_up:
            try:
                if given := self.run(function, *arguments):
                    return given
            except Refused as refused:  # the page has gone meanwhile
                why = str(refused)
            time.sleep(0.02)
        text = " / ".join(self.text("body").split("\n"))[:2000]
        raise AssertionError(f"{function} {arguments} at {self.address}: {why}: {text}")

    def wait(self, selector: str) -> None:
        self.until("selector => !!document.querySelector(selector)", selector)

    def count(self, selector: str) -> int:
        """How many of them are to be seen, as soon as there are any."""
        visible = "element.checkVisibility({ visibilityProperty: true })"
        matching = f"[...document.querySelectorAll(selector)].filter(element => {visible})"
        return int(self.until(f"selector => {matching}.length", selector))

    def text(self, selector: str) -> str:
        return str(self.run("selector => document.querySelector(selector)?.innerText", selector))

    def attribute(self, selector: str, name: str) -> str:
        script = "(selector, name) => document.querySelector(selector)?.getAttribute(name)"
        return str(self.run(script, selector, name))

    @property
    def address(self) -> str:
        return str(self.run("() => location.href"))

    def click(self, selector: str, number: int = 0) -> None:
        """Press the nth visible one as a hand would: where it lies, once it lies still."""
        x, y = self.until(POINT, selector, number)
        move = {"type": "pointerMove", "x": x, "y": y}
        steps = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        pointer = {"type": "pointer", "id": "hand", "actions": steps}
        self.firefox.ask("input.performActions", context=self.context, actions=[pointer])

    def picture(self, path: Path) -> None:
        data = self.firefox.ask("browsingContext.captureScreenshot", context=self.context)["data"]
        path.write_bytes(base64.b64decode(data))


def find() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def running() -> Iterator[Firefox]:
    """Firefox, from its start to its end."""
    binary = find()
    if binary is None:
        debian.install("firefox-esr", "the tests of the pages in Firefox")
        binary = find()
    if binary is None:
        pytest.fail("Firefox isn't here and can't be installed: apt-get install firefox-esr.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        words = [binary, "--headless", "--no-remote", "--profile", folder]
        words += ["--remote-debugging-port", "0", "about:blank"]
        with (profile / "said").open("w") as said:
            process = subprocess.Popen(words, stdout=said, stderr=said)
        try:
            where = address(process, profile)
            with closing(websocket.create_connection(where, suppress_origin=True)) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait()


def address(process: subprocess.Popen[bytes], profile: Path) -> str:
    """Where it listens: it writes that down when it does."""
    written = profile / "WebDriverBiDiServer.json"
    while not (written.exists() and written.read_text().endswith("}")):
        assert process.poll() is None, (profile / "said").read_text()
        time.sleep(0.05)
    server = json.loads(written.read_text())
    return f"ws://{server['ws_host']}:{server['ws_port']}/session"
