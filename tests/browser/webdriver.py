"""Driving Chromium over the WebDriver protocol, with what Python brings along."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ENTER, ESCAPE, TAB, UP, DOWN = "\ue007", "\ue00c", "\ue004", "\ue013", "\ue015"


def find_programs():
    """(chromium, chromedriver), or None where one of the two is missing."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class WebDriverError(Exception):
    pass


class Browser:
    """One headless Chromium and its driver; `close` ends both."""

    def __init__(self, browser, driver):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Port 0: the driver picks one that is free, and says which.
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            self.base = f"http://127.0.0.1:{self._port()}"
            arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                         f"--user-data-dir={self.profile.name}"]
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": {"binary": browser, "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
            self.session = answer["sessionId"]
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip().rstrip(".").split()[-1])
        raise WebDriverError("chromedriver ended before it listened")

    def _call(self, method, path, body=None):
        if self.session:
            path = f"/session/{self.session}{path}"
        request = urllib.request.Request(self.base + path, method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise WebDriverError(json.load(error)["value"]["message"]) from None

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value of a function body, in the page."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments):
        """The first value of it that is true; an error where there is none within a minute."""
        end = time.monotonic() + 60
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise WebDriverError(f"never true: {script}")
            time.sleep(0.05)

    def press(self, *keys):
        """Each key goes down and up, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def element(self, selector):
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        return next(iter(found.values()))

    def click(self, selector):
        self._call("POST", f"/element/{self.element(selector)}/click", {})

    def hover(self, selector):
        origin = {"element-6066-11e4-a52e-4f735466cecf": self.element(selector)}
        self._call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}]}]})

    def screenshot(self):
        return base64.b64decode(self._call("GET", "/screenshot"))

    def console(self):
        """What the browser has to complain about since the last call."""
        return [entry for entry in self._call("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that were asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self._call("POST", "/se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def devtools(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self):
        if self.session:
            try:
                self._call("DELETE", "")
            except (OSError, WebDriverError):
                pass
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.profile.cleanup()
