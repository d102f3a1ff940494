"""The IR as the program prints it. This alone is asked of the program itself: commands may, printers may not."""

import difflib
import os
import sys

import gdb

from mo import scope, stops
from mo.memory import string, Vector


ANSWER = "mo_debug_string(mo::Function const&)"


def _asked(function):
    """What the program answers; a call that ends in a signal is undone."""
    # Looked up by its whole name: to pick one of the overloads, gdb would read most of the symbols there are.
    answer = gdb.lookup_global_symbol(ANSWER)
    if answer is None:
        raise gdb.GdbError("this program has no mo_debug_string")
    before = gdb.parameter("unwindonsignal")
    gdb.execute("set unwindonsignal on")
    try:
        return answer.value()(function).string()
    except gdb.error as error:
        if "signaled" in str(error):
            raise gdb.GdbError(
                "the function cannot be printed here, in the middle of a change; `p function` shows its fields"
            ) from None
        raise gdb.GdbError(f"the program does not answer: {error}") from None
    finally:
        gdb.execute(f"set unwindonsignal {'on' if before else 'off'}")


def function_text(function):
    return _asked(function)


def all_texts():
    """The text of every function that the pipeline works on, by name. Empty outside of it.

    Of the function at hand it is what the hook was given: bufferization shows what it has not written back yet.
    """
    module = stops.module_at_hand()
    if module is None:
        module = scope.module()
    functions = list(Vector(module["functions"])) if module is not None else []
    function = stops.function_at_hand()
    if function is None and not functions:
        function = scope.function()
    if function is not None:
        functions.append(function)
    return {string(function["name"]): function_text(function) for function in functions}


# ---- since the last stop -----------------------------------------------------------------------

_last = {}


def remember():
    """What `mo diff` compares with from now on; leaves it where the IR cannot be had."""
    try:
        texts = all_texts()
    except gdb.error:
        return
    _last.update(texts)


def forget():
    _last.clear()


def _wants_color():
    return sys.__stdout__.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _colored(line):
    code = {"+": 32, "-": 31, "@": 36}.get(line[:1])
    return f"\033[{code}m{line}\033[0m" if code else line


def difference():
    """A unified diff, "" where nothing has changed; None where there is nothing to compare with."""
    texts = all_texts()
    if not _last or not texts:
        return None
    lines = []
    for name, text in texts.items():
        before = _last.get(name, "")
        titles = (f"@{name} before", f"@{name} now")
        lines += difflib.unified_diff(before.splitlines(), text.splitlines(), *titles, lineterm="")
    if _wants_color():
        lines = [_colored(line) for line in lines]
    return "".join(line + "\n" for line in lines)
