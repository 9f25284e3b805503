"""A headless Chromium that tests can drive: the few WebDriver commands they need, spoken over
HTTP.
"""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

AVAILABLE = all(shutil.which(program) for program in ("chromium", "chromedriver"))
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
KEYS = {"tab": "\ue004", "enter": "\ue007", "escape": "\ue00c", "space": " ", "down": "\ue015"}


class Browser:
    """One session of a chromedriver at an address."""

    def __init__(self, address, folder):
        self.address = address
        options = {
            "args": [*FLAGS, f"--user-data-dir={folder}"],
            "binary": shutil.which("chromium"),
        }
        logs = {"browser": "ALL"}
        wanted = {
            "capabilities": {
                "alwaysMatch": {
                    "goog:chromeOptions": options,
                    "goog:loggingPrefs": logs,
                    "browserName": "chrome",
                }
            }
        }
        self.address += "/session/" + self.post("/session", wanted)["sessionId"]

    def post(self, path, content=None):
        """The value that the driver answers."""
        request = urllib.request.Request(
            self.address + path,
            json.dumps(content or {}).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, path):
        """Open a file."""
        self.post("/url", {"url": path.resolve().as_uri()})

    def go(self, step):
        """Press the browser's button "back" or "forward"."""
        self.post(f"/{step}")

    def run(self, script, *arguments):
        """Value of a JavaScript function's body."""
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def resize(self, width, height):
        """Set the size of the window."""
        self.post("/window/rect", {"width": width, "height": height})

    def developer(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def press(self, *names):
        """Press keys, one after the other."""
        actions = [
            {"type": kind, "value": KEYS.get(name, name)}
            for name in names
            for kind in ("keyDown", "keyUp")
        ]
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def point_at(self, selector, click=False):
        """Move the pointer to the middle of an element."""
        place = (
            "const b = document.querySelector(arguments[0]); b.scrollIntoView({block: 'center'});"
            " const r = b.getBoundingClientRect();"
        )
        x, y = self.run(
            place + "return [r.x + r.width / 2, r.y + r.height / 2].map(Math.round)", selector
        )
        actions = [{"type": "pointerMove", "x": x, "y": y, "duration": 0}]
        actions += (
            [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")] if click else []
        )
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def complaints(self):
        """What the page wrote to the console as errors or warnings."""
        return [
            entry["message"]
            for entry in self.post("/se/log", {"type": "browser"})
            if entry["level"] in ("SEVERE", "WARNING")
        ]

    def quit(self):
        """End the session."""
        request = urllib.request.Request(self.address, method="DELETE")
        urllib.request.urlopen(request, timeout=30).close()


@contextmanager
def chromium(folder):
    """A Browser; everything it starts ends with the context."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    driver = subprocess.Popen(
        ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_port(port)
        browser = Browser(f"http://127.0.0.1:{port}", folder)
        try:
            yield browser
        finally:
            browser.quit()
    finally:
        driver.terminate()
        driver.wait(timeout=20)


def wait_for_port(port, seconds=30):
    """Return when something listens at a port."""
    end = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
