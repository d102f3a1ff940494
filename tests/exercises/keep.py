"""What must not be lost: the real body while something else is in its place, and what a learner wrote.

The real body is what the source file had before the exercise was started. It is looked for

1. in kept/ID/solution.inc, where `start` puts it before it writes the stub (git ignores kept/);
2. in the last commit, and then in older ones of the file: the newest whose body is neither the stub
   nor an attempt that was kept;
3. without git, in the file itself, unless the stub or an attempt stands there.

So it is found again after a clean build, in a dirty tree, after the stub was committed, and without
git as long as kept/ is there. Where it is nowhere, nothing is overwritten.
"""

import subprocess

import body
from table import HERE, ROOT, Refused

HISTORY = 200  # commits of the file that are looked at


def folder(exercise):
    return HERE / "kept" / exercise.id


def git(*arguments):
    """The output of a git command in this tree, or nothing: no git, no repository, no such object."""
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def is_repository():
    """Is this tree itself under git? One that only lies in somebody's repository is not."""
    top = git("rev-parse", "--show-prefix")
    return top is not None and top.strip() == "" and git("ls-files", "CMakePresets.json") != ""


def at_commit(exercise, commit):
    text = git("show", f"{commit}:{exercise.file}")
    try:
        return body.read(exercise, text) if text is not None else None
    except Refused:
        return None  # before the exercise was there


def attempts(exercise):
    """The learner's bodies that were kept, the oldest first."""
    return sorted(folder(exercise).glob("attempt-*.inc"), key=lambda path: int(path.stem.split("-")[1]))


def keep_attempt(exercise, text):
    """Keeps a body of the learner's; returns its file. One that is kept already is not kept twice."""
    kept = attempts(exercise)
    for path in kept:
        if body.text_of(path) == text:
            return path
    number = int(kept[-1].stem.split("-")[1]) + 1 if kept else 1
    path = folder(exercise) / f"attempt-{number}.inc"
    make_folder(exercise)
    body.write_file(path, text)
    return path


def keep_solution(exercise, text):
    make_folder(exercise)
    body.write_file(folder(exercise) / "solution.inc", text)


def make_folder(exercise):
    try:
        folder(exercise).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"cannot make {folder(exercise)}: {error.strerror}") from error


def solution(exercise):
    """The real body and where it was found; (None, None) where it cannot be told."""
    kept = folder(exercise) / "solution.inc"
    if kept.exists():
        return body.text_of(kept), str(kept.relative_to(ROOT))
    others = [body.stub(exercise)] + [body.text_of(path) for path in attempts(exercise)]

    def is_real(text):
        return text is not None and not any(body.same(text, other) for other in others)

    if not is_repository():
        current = body.read(exercise)
        return (current, "the file as it is") if is_real(current) else (None, None)
    for commit in ["HEAD"] + (git("log", f"-{HISTORY}", "--format=%h", "--", exercise.file) or "").split():
        text = at_commit(exercise, commit)
        if is_real(text):
            return text, "the last commit" if commit == "HEAD" else f"commit {commit}"
    return None, None


def needed_solution(exercise):
    """The real body and where it was found. Raises Refused where it cannot be had."""
    text, origin = solution(exercise)
    if text is None:
        raise Refused(
            f"the real body of {exercise.id} is nowhere to be found: not in {folder(exercise).relative_to(ROOT)}, "
            "and not in git. Take it from a fresh copy of the tree: " + exercise.file
        )
    return text, origin
