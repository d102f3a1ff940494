"""The table of exercises, and where this tree is."""

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Refused(Exception):
    """What a person asked for cannot be done; the text says why and what to do instead."""


@dataclass
class Wrong:
    """A planted wrong solution: it has to compile, and the test `caught_by` has to fail."""

    body: str  # its file in wrong/
    mistake: str
    caught_by: str
    needs: str = ""  # an instruction set ("avx512") without which the mistake cannot show

    def text(self):
        return (HERE / "wrong" / self.body).read_text()


@dataclass
class Exercise:
    number: int  # from 1
    id: str  # "compose-maps": also in the markers and the names of its files
    title: str
    file: str  # the source, from the root of the tree
    function: str  # where gdb breaks
    target: str  # the test program
    suite: str  # its tests there: "ComposeMaps"
    stub: list  # lines
    wrong: list  # of Wrong
    builds_on: list = field(default_factory=list)  # ids of exercises that its tests cannot do without

    @property
    def source(self):
        return ROOT / self.file

    @property
    def room(self):
        return self.file.split("/", maxsplit=1)[0]

    @property
    def filter(self):
        return self.suite + ".*"

    @property
    def page(self):
        return HERE / "pages" / f"{self.number:02}-{self.id}.md"

    def hints(self):
        """The three hints: the idea, the place, nearly the code."""
        text = (HERE / "hints" / f"{self.number:02}-{self.id}.md").read_text()
        return [part.strip() for part in text.split("\n## ")[1:]]

    def stub_body(self, indent):
        return "".join(f"{indent}{line}\n" if line else "\n" for line in self.stub)


def load():
    """All exercises in the order of the lessons. Raises Refused outside of a tree."""
    path = HERE / "exercises.json"
    for needed in (path, ROOT / "CMakePresets.json", ROOT / "ir"):
        if not needed.exists():
            raise Refused(
                f"{ROOT} is not a mini-opt tree (there is no {needed}): "
                "run tests/exercises/learn of your clone"
            )
    rows = json.loads(path.read_text())
    exercises = []
    for number, row in enumerate(rows, 1):
        row["wrong"] = [Wrong(**wrong) for wrong in row["wrong"]]
        exercises.append(Exercise(number=number, **row))
    return exercises


def find(exercises, name):
    """By number or id; the nearest id is named where there is none."""
    for exercise in exercises:
        if name in (str(exercise.number), exercise.id):
            return exercise
    if name.lstrip("-").isdigit():
        raise Refused(f"there is no exercise {name}: they are numbered 1 to {len(exercises)}")
    near = difflib.get_close_matches(name, [e.id for e in exercises], 1, 0.4)
    raise Refused(
        f"there is no exercise '{name}'" + (f": did you mean '{near[0]}'?" if near else "; see: learn list")
    )
