"""Builds the test program of an exercise, runs the tests of the exercise, and reads what they say."""

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from table import ROOT, Refused

SECONDS = 120  # for the tests of one exercise: an endless loop ends here


@dataclass
class Failure:
    test: str  # "ComposeMaps.TheInnerMapRunsFirst"
    text: str


@dataclass
class Outcome:
    """What the tests said. Passed: they all ran, and none failed."""

    ran: int = 0
    skipped: int = 0
    failures: list = field(default_factory=list)
    crash: str = ""  # how the program ended, where it did not come to its end

    @property
    def passed(self):
        return self.ran > 0 and not self.failures and not self.crash

    @property
    def failed_tests(self):
        return {failure.test for failure in self.failures}


def build(target, preset):
    """Builds one target. Returns the compiler's complaint, or "" where it is built."""
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise Refused(f"there is no {tool} here: tests/run.sh installs what is needed")
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").exists():
        print(f"Configuring {folder.relative_to(ROOT)} (once) ...", flush=True)
        done = subprocess.run(["cmake", "--preset", preset], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Refused(f"cmake --preset {preset} fails:\n{done.stdout}{done.stderr}")
    print(f"Building {target} in {folder.relative_to(ROOT)} ...", flush=True)
    done = subprocess.run(
        ["cmake", "--build", str(folder), "--target", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def program(target, preset):
    return ROOT / "build" / preset / "tests" / "exercises" / target


def run(path, test_filter, *options):
    """Runs the tests of one program that match the filter."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [str(path), f"--gtest_filter={test_filter}", f"--gtest_output=json:{report}", "--gtest_color=no"]
        command += options
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            return Outcome(crash=f"no end after {SECONDS} s, in {last_test((error.stdout or b'').decode())}")
        except OSError as error:
            raise Refused(f"cannot run {path}: {error.strerror}") from error
        if not report.exists():
            how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
            return Outcome(crash=f"the program ended with {how} in {last_test(done.stdout)}\n{done.stderr.strip()}")
        return read_report(json.loads(report.read_text()))


def last_test(output):
    started = [line.split("]", 1)[1].strip() for line in output.splitlines() if line.startswith("[ RUN")]
    return started[-1] if started else "no test"


def read_report(report):
    outcome = Outcome()
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            outcome.ran += 1
            if test.get("result") == "SKIPPED":
                outcome.skipped += 1
            for failure in test.get("failures", []):
                text = failure["failure"]
                outcome.failures.append(Failure(f"{suite['name']}.{test['name']}", message(text)))
    return outcome


def message(text):
    """A failure without the file and line of the test's helper, and without gtest's "Failed"."""
    lines = text.splitlines()
    while lines and (lines[0].rsplit(":", 1)[-1].isdigit() or lines[0] == "Failed" or lines[0].endswith(": Failure")):
        lines.pop(0)
    return "\n".join(lines).rstrip()


def complaint(output, lines=24):
    """What the compiler said, from its first error on."""
    text = output.splitlines()
    first = next((i for i, line in enumerate(text) if ": error:" in line or "FAILED" not in line and "error" in line), 0)
    shown = [line.replace(str(ROOT) + os.sep, "") for line in text[first : first + lines]]
    return "\n".join(shown)
