#!/usr/bin/env python3
"""The recipes in the rooms' READMEs ("Adding ...", "To add ...", "How to add"): each names a test that fails when a step is
forgotten, or a commit that followed it; and what it names is there."""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ["ir", "passes", "codegen", "runtime", "tools"]


def recipes(room):
    """Title and text of each section on adding something."""
    parts = (ROOT / room / "README.md").read_text().split("\n## ")[1:]
    return [part.split("\n", 1) for part in parts if re.match(r"Adding|To add|How to add", part)]


def tests_named(text):
    return re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text)


def commits_named(text):
    return re.findall(r"`git show ([0-9a-f]{7,40})`", text)


class Recipes(unittest.TestCase):
    def test_every_room_has_one(self):
        for room in ROOMS:
            self.assertTrue(recipes(room), room)

    def test_every_recipe_names_what_proves_it(self):
        for room in ROOMS:
            for title, text in recipes(room):
                self.assertTrue(tests_named(text) + commits_named(text), f"{room}: {title}")

    def test_the_tests_that_are_named_exist(self):
        sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.cpp"))
        there = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_[FP])?\((\w+),\s*(\w+)\)", sources)}
        for room in ROOMS:
            for title, text in recipes(room):
                self.assertEqual(set(tests_named(text)) - there, set(), f"{room}: {title}")

    def test_the_commits_that_are_named_exist(self):
        def git(*arguments):
            return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)

        if git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
            self.skipTest("no git history here")
        for room in ROOMS:
            for title, text in recipes(room):
                for commit in commits_named(text):
                    self.assertEqual(git("cat-file", "-e", commit).returncode, 0, f"{room}: {title}: {commit}")


if __name__ == "__main__":
    unittest.main()
