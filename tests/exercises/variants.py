"""A test program with another body in one function, built beside the tree, which is not touched.

The source file with the other body is compiled into an object of its own, by the command that the
build has for that file. Then the test program is linked again by its command, with that object ahead
of the libraries: everything that the room's archive would have taken from its own object of the file
is there already, so it stays in the archive. One compilation and one link, and as many of them side
by side as one likes.
"""

import json
import shlex
import subprocess
from pathlib import Path

import body
from table import ROOT, Refused


class Build:
    """A build directory in which the test programs of the exercises are built."""

    def __init__(self, folder, targets, suites=()):
        self.folder = Path(folder).resolve()
        if not (self.folder / "build.ninja").exists():
            raise Refused(f"{self.folder} is no build of this tree: run tests/run.sh first")
        self.targets = targets
        self.run(["cmake", "--build", str(self.folder), "--target", *targets, *suites], "the tests do not build")
        rows = json.loads((self.folder / "compile_commands.json").read_text())
        self.commands = {row["file"]: row["command"] for row in rows}
        self.links = {target: self.link_command(target) for target in [*targets, *suites]}

    def run(self, command, problem):
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Refused(f"cannot run {command[0]}: {error.strerror}") from error
        if done.returncode != 0:
            raise Refused(f"{problem}:\n{done.stdout}{done.stderr}")
        return done.stdout

    @staticmethod
    def output(target):
        """Where the build puts a test program: those of the exercises, or of a room's whole suite."""
        return f"tests/exercises/{target}" if target.startswith("exercises_") else f"tests/{target}"

    def program(self, target):
        return self.folder / self.output(target)

    def link_command(self, target):
        """The command that links the target, without what is done with the program afterwards."""
        lines = self.run(["ninja", "-t", "commands", target], f"no commands for {target}").splitlines()
        output = f"-o {self.output(target)}"
        for line in reversed(lines):
            for part in line.split(" && "):
                if output + " " in part:
                    return part
        raise Refused(f"{self.folder} has no command that links {target}")

    def holds(self, target, exercise):
        """Does the target link the room that the exercise is in? Elsewhere a stub cannot matter."""
        return f"libmo_{exercise.room}.a" in self.links[target]

    def compile(self, exercise, text, folder):
        """The object of the exercise's file with this body. Returns it, or raises Refused with what
        the compiler says."""
        source = folder / exercise.source.name
        source.write_text(body.replaced(body.source_text(exercise), exercise, text))
        if str(exercise.source) not in self.commands:
            raise Refused(f"{self.folder} does not compile {exercise.file}")
        words = shlex.split(self.commands[str(exercise.source)])
        words = [word for word in words if word != str(exercise.source)]
        object_file = folder / (exercise.source.name + ".o")
        words[words.index("-o") + 1] = str(object_file)
        # Warnings are errors, as in the build; its own folder comes first for quoted includes.
        self.run([*words, str(source)], "it does not compile")
        return object_file

    def link(self, target, object_file, folder):
        program = folder / target
        words = shlex.split(self.links[target])
        at = words.index("-o")
        words[at + 1] = str(program)
        words.insert(at, str(object_file))
        self.run(words, f"{target} does not link")
        return program
