"""The marked body of an exercise in the text of its source file.

      // exercise: compose-maps
      ...
      // end of exercise

A body is the text between these two lines, with its newlines. Everything else of the file is left
alone, whatever it looks like.
"""

import os
import tempfile

from table import Refused

END = "// end of exercise"


def begin(exercise):
    return f"// exercise: {exercise.id}"


def text_of(path):
    """The file as it is, line ends and stray bytes included."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def source_text(exercise):
    return text_of(exercise.source)


def split(text, exercise):
    """The text before the body, the body, the text after it, and the indentation of the markers."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.strip() == begin(exercise)]
    if len(starts) != 1:
        raise Refused(
            f"{exercise.file} has {'no line' if not starts else str(len(starts)) + ' lines'} "
            f"'{begin(exercise)}': the exercise cannot be found there. "
            f"Put the two comments back around the body (the other one is '{END}')"
        )
    start = starts[0] + 1
    for end in range(start, len(lines)):
        if lines[end].strip() == END:
            break
        if lines[end].strip().startswith("// exercise:"):
            end = len(lines)
            break
    else:
        end = len(lines)
    if end == len(lines):
        raise Refused(f"{exercise.file}: the line '{END}' of {exercise.id} is gone: put it back")
    indent = lines[start - 1][: len(lines[start - 1]) - len(lines[start - 1].lstrip())]
    return "".join(lines[:start]), "".join(lines[start:end]), "".join(lines[end:]), indent


def read(exercise, text=None):
    """The body that is in the tree, or in `text`."""
    return split(text if text is not None else source_text(exercise), exercise)[1]


def stub(exercise, text=None):
    """The stub as it stands in the file, indented as the markers are."""
    return exercise.stub_body(split(text if text is not None else source_text(exercise), exercise)[3])


def replaced(text, exercise, body):
    """The text of the file with another body."""
    before, _, after, _ = split(text, exercise)
    return before + body + after


def write(exercise, body):
    """Puts a body into the tree: the whole file or nothing of it."""
    write_file(exercise.source, replaced(source_text(exercise), exercise, body))


def write_file(path, text):
    """The new file takes the old one's place only once it is complete on the disk."""
    path = path.resolve()  # a link stays a link
    mode = path.stat().st_mode if path.exists() else 0o644
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode & 0o777)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def same(a, b):
    """Equal but for spaces at the ends of lines and of the body."""
    return [line.rstrip() for line in a.strip().splitlines()] == [line.rstrip() for line in b.strip().splitlines()]
