#!/usr/bin/env python3
"""What `learn` does to a tree, on copies of this one that are never built."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TABLE = json.loads((HERE / "exercises.json").read_text())
FIRST = TABLE[0]

# In place of the test program: fails as long as the stub is in the first exercise.
FAKE_PROGRAM = f"""#!/usr/bin/env python3
import json, sys
report = next(a.split(":", 1)[1] for a in sys.argv if a.startswith("--gtest_output=json:"))
fails = {FIRST["stub"][-1]!r} in open({{source!r}}).read()
text = "cases.h:9\\nFailed\\nrule      a rule\\nexpected  1\\ngot       2\\n"
cases = [{{{{"name": n, "failures": [{{{{"failure": text}}}}] if fails else []}}}} for n in ("One", "Two")]
json.dump({{{{"testsuites": [{{{{"name": "Suite", "testsuite": cases}}}}]}}}}, open(report, "w"))
"""


class Tree(unittest.TestCase):
    """Each test has a copy of the tree's sources to itself."""

    under_git = True

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name) / "tree"
        ignore = shutil.ignore_patterns("kept", "__pycache__")
        shutil.copytree(HERE, self.root / "tests" / "exercises", ignore=ignore)
        for path in {row["file"] for row in TABLE} | {"CMakePresets.json"}:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)
        self.source = self.root / FIRST["file"]
        self.original = self.source.read_text()
        if self.under_git:
            self.git("init", "-q")
            self.commit()

    def git(self, *arguments):
        names = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(self.root), *names, *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def learn(self, *arguments, status=0, answer="", path=None):
        """Runs it and returns all that it says."""
        environment = dict(os.environ)
        if path:
            environment["PATH"] = f"{path}:{environment['PATH']}"
        done = subprocess.run(
            [sys.executable, str(self.root / "tests" / "exercises" / "learn"), *arguments],
            input=answer, capture_output=True, text=True, env=environment, cwd=self.folder.name, check=False,
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def edit(self, old, new):
        text = self.source.read_text()
        self.assertIn(old, text)
        self.source.write_text(text.replace(old, new, 1))

    def edit_body(self, line="  // mine"):
        """A learner's line in place of the stub."""
        self.edit("  " + FIRST["stub"][-1], line)

    def fake_build(self):
        """A build that is there, and test programs that look at the source."""
        tools = Path(self.folder.name) / "bin"
        tools.mkdir()
        program = self.root / "build" / "debug" / "tests" / "exercises" / FIRST["target"]
        program.parent.mkdir(parents=True)
        (self.root / "build" / "debug" / "build.ninja").write_text("")
        text = FAKE_PROGRAM.format(source=str(self.source))
        for path, script in ((tools / "cmake", "#!/bin/sh\n"), (tools / "ninja", "#!/bin/sh\n"), (program, text)):
            path.write_text(script)
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return tools


class UnderGit(Tree):
    def test_start_puts_the_stub_in_and_shows_the_task(self):
        said = self.learn("start", "1")
        self.assertIn(FIRST["stub"][-1], self.source.read_text())
        self.assertIn("## The task", said)

    def test_start_changes_nothing_but_the_body(self):
        self.edit("#include <cassert>", "#include <cassert> // an edit elsewhere")
        self.learn("start", "1")
        self.learn("solution", "1", "--apply", "--yes")
        self.assertEqual(self.source.read_text(), self.original.replace("<cassert>", "<cassert> // an edit elsewhere", 1))

    def test_line_ends_and_stray_bytes_elsewhere_stay(self):
        odd = self.source.read_bytes().replace(b"\n", b"\r\n").replace(b"<cassert>", b"<cassert> // \xff", 1)
        self.source.write_bytes(odd)
        self.learn("start", "1")
        self.learn("solution", "1", "--apply", "--yes")
        self.assertEqual(self.source.read_bytes(), odd)

    def test_check_says_what_else_is_not_the_real_body(self):
        tools = self.fake_build()
        later = next(row for row in TABLE if FIRST["id"] in row.get("builds_on", []))
        program = self.root / "build" / "debug" / "tests" / "exercises" / later["target"]
        if not program.exists():
            shutil.copy(program.parent / FIRST["target"], program)
        self.learn("start", "1")
        said = self.learn("check", later["id"], status=1, path=tools)
        self.assertIn(f"builds on 1 {FIRST['id']}, in which the stub stands", said)

    def test_starting_twice_is_starting_once(self):
        self.learn("start", "1")
        once = self.source.read_text()
        self.learn("start", "1")
        self.assertEqual(self.source.read_text(), once)

    def test_start_refuses_to_overwrite_edits(self):
        self.learn("start", "1")
        self.edit_body()
        mine = self.source.read_text()
        self.assertIn("learn reset 1", self.learn("start", "1", status=1))
        self.assertEqual(self.source.read_text(), mine)

    def test_start_refuses_where_the_real_body_was_edited_before(self):
        self.edit("return result;", "return result; // mine")
        mine = self.source.read_text()
        self.learn("start", "1", status=1)
        self.assertEqual(self.source.read_text(), mine)

    def test_reset_keeps_every_attempt(self):
        self.learn("start", "1")
        for attempt in ("  // one", "  // two"):
            self.edit_body(attempt)
            self.learn("reset", "1")
        kept = sorted((self.root / "tests/exercises/kept" / FIRST["id"]).glob("attempt-*.inc"))
        self.assertEqual([path.read_text().strip() for path in kept], ["// one", "// two"])
        self.assertIn(FIRST["stub"][-1], self.source.read_text())

    def test_solution_asks_first(self):
        self.learn("start", "1")
        self.assertIn("Not shown", self.learn("solution", "1", status=1, answer="\n"))
        self.assertNotIn("wrapping_mul(c, inner", self.learn("solution", "1", status=1))
        self.assertIn("wrapping_mul(c, inner", self.learn("solution", "1", answer="y\n"))
        self.assertIn(FIRST["stub"][-1], self.source.read_text())  # shown, not put in

    def test_solution_does_not_ask_where_the_tests_pass(self):
        tools = self.fake_build()
        self.learn("start", "1")
        self.edit_body("  // mine, and it passes")
        self.assertIn("From yours (-) to this (+)", self.learn("solution", "1", path=tools))

    def test_the_solution_is_put_back_and_the_attempt_kept(self):
        self.learn("start", "1")
        self.edit_body()
        self.learn("solution", "1", "--apply", "--yes")
        self.assertEqual(self.source.read_text(), self.original)
        self.assertEqual((self.root / f"tests/exercises/kept/{FIRST['id']}/attempt-1.inc").read_text().strip(), "// mine")

    def test_the_real_body_is_found_after_the_stub_was_committed_and_all_else_deleted(self):
        self.learn("start", "1")
        self.commit()
        shutil.rmtree(self.root / "tests/exercises/kept")
        self.assertIn("from commit", self.learn("solution", "1", "--apply", "--yes"))
        self.assertEqual(self.source.read_text(), self.original)

    def test_two_exercises_of_one_file_do_not_disturb_each_other(self):
        second = next(i for i, row in enumerate(TABLE[1:], 2) if row["file"] == FIRST["file"])
        self.learn("start", "1")
        self.learn("start", str(second))
        self.learn("solution", "1", "--apply", "--yes")
        self.assertIn(TABLE[second - 1]["stub"][-1], self.source.read_text())
        self.learn("solution", str(second), "--apply", "--yes")
        self.assertEqual(self.source.read_text(), self.original)

    def test_check_shows_the_first_failing_case(self):
        tools = self.fake_build()
        self.learn("start", "1")
        said = self.learn("check", "1", status=1, path=tools)
        self.assertIn("Suite.One\n\nrule      a rule\nexpected  1\ngot       2\n", said)
        self.assertNotIn("Suite.Two", said)
        self.assertIn("Suite.Two", self.learn("check", "1", "--all", status=1, path=tools))

    def test_check_says_solved(self):
        tools = self.fake_build()
        self.learn("start", "1")
        self.edit_body("  // mine, and it passes")
        self.assertIn("Solved: all 2 tests", self.learn("check", "1", path=tools))

    def test_list_and_next_ask_the_tests(self):
        tools = self.fake_build()
        self.learn("start", "1")
        self.assertIn("the stub: 2 of 2 tests fail", self.learn("list", path=tools))
        self.assertIn("learn check 1", self.learn("next", path=tools))
        self.edit_body("  // mine, and it passes")
        self.assertIn("your body: solved", self.learn("list", path=tools))
        self.assertIn("learn start 2", self.learn("next", path=tools))

    def test_hints_come_one_at_a_time(self):
        for k in (1, 2, 3):
            self.assertIn(f"Hint {k} of 3", self.learn("hint", "1", str(k)))
        self.assertIn("Hint 1 of 3", self.learn("hint", "1"))
        self.learn("hint", "1", "4", status=1)

    def test_bad_use_is_answered_in_words(self):
        self.assertIn("did you mean 'start'", self.learn("strat", "1", status=1))
        self.assertIn("did you mean 'compose-maps'", self.learn("start", "compose-map", status=1))
        self.assertIn("numbered 1 to", self.learn("start", "99", status=1))
        self.assertIn("needs the number", self.learn("check", status=1))
        self.assertIn("no option '--al'", self.learn("check", "1", "--al", status=1))
        self.assertIn("no preset 'fast'", self.learn("check", "1", "--preset=fast", status=1))

    def test_a_lost_marker_is_named_and_nothing_written(self):
        self.edit("// end of exercise", "")
        before = self.source.read_text()
        self.assertIn("end of exercise", self.learn("start", "1", status=1))
        self.assertEqual(self.source.read_text(), before)

    def test_outside_of_a_tree_it_says_so(self):
        lone = Path(self.folder.name) / "lone" / "tests" / "exercises"
        shutil.copytree(self.root / "tests" / "exercises", lone)
        for script in (lone / "learn", lone.parent / "learn"):
            if not script.exists():
                shutil.copy(lone / "learn", script)
            done = subprocess.run([sys.executable, str(script), "list"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("mini-opt tree", done.stderr)


class WithoutGit(Tree):
    under_git = False

    def test_the_body_comes_back_from_where_start_kept_it(self):
        self.learn("start", "1")
        self.edit_body()
        self.learn("reset", "1")
        self.learn("solution", "1", "--apply", "--yes")
        self.assertEqual(self.source.read_text(), self.original)

    def test_where_the_real_body_is_nowhere_nothing_is_overwritten(self):
        self.learn("start", "1")
        shutil.rmtree(self.root / "tests/exercises/kept")
        before = self.source.read_text()
        self.assertIn("nowhere to be found", self.learn("solution", "1", "--yes", status=1))
        self.assertIn("nowhere to be found", self.learn("reset", "1", status=1))
        self.assertEqual(self.source.read_text(), before)

    def test_edits_are_refused_and_kept_as_under_git(self):
        self.learn("start", "1")
        self.edit_body()
        self.learn("start", "1", status=1)
        self.learn("reset", "1")
        self.assertTrue((self.root / f"tests/exercises/kept/{FIRST['id']}/attempt-1.inc").exists())


class TheTable(unittest.TestCase):
    def test_every_exercise_has_its_page_and_three_hints(self):
        for number, row in enumerate(TABLE, 1):
            page = (HERE / "pages" / f"{number:02}-{row['id']}.md").read_text()
            hints = (HERE / "hints" / f"{number:02}-{row['id']}.md").read_text()
            for title in ("## What to know", "## A picture", "## The task", "## Break there", "## Once it works"):
                self.assertIn(title, page, row["id"])
            self.assertIn(f"tests/exercises/learn start {number}\n", page)
            self.assertIn(f"break {row['function']}\n", page)
            self.assertIn(f"--gtest_filter='{row['suite']}.*'", page)
            self.assertEqual(hints.count("\n## "), 3, row["id"])

    def test_the_readme_lists_every_exercise(self):
        readme = (HERE / "README.md").read_text()
        for number, row in enumerate(TABLE, 1):
            self.assertIn(f"| {number} | [{row['title']}](pages/{number:02}-{row['id']}.md) | `{row['file']}` |", readme)

    def test_every_file_belongs_to_an_exercise(self):
        names = {f"{number:02}-{row['id']}.md" for number, row in enumerate(TABLE, 1)}
        self.assertEqual({path.name for path in (HERE / "pages").iterdir()}, names)
        self.assertEqual({path.name for path in (HERE / "hints").iterdir()}, names)
        wrong = {wrong["body"] for row in TABLE for wrong in row["wrong"]}
        self.assertEqual({path.name for path in (HERE / "wrong").iterdir()}, wrong)

    def test_every_marked_body_is_an_exercise_and_the_other_way(self):
        marked = set()
        for room in ("ir", "passes", "codegen", "runtime", "tools"):
            for path in (ROOT / room).glob("*.[ch]*"):
                for line in path.read_text().splitlines():
                    if line.strip().startswith("// exercise: "):
                        marked.add((line.strip().removeprefix("// exercise: "), f"{room}/{path.name}"))
        self.assertEqual(marked, {(row["id"], row["file"]) for row in TABLE})

    def test_an_exercise_builds_on_earlier_ones_only(self):
        seen = []
        for row in TABLE:
            self.assertLessEqual(set(row.get("builds_on", [])), set(seen), row["id"])
            seen.append(row["id"])


if __name__ == "__main__":
    unittest.main()
