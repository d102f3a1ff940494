"""The events of the passes (tools/debug_hook.h) as places to stop at."""

import linecache
import os
import re

import gdb

from mo.memory import Vector, clean, string, string_view

PASS_BEGINS, PASS_ENDS, FAILED = "mo_hook_pass_begins", "mo_hook_pass_ends", "mo_hook_pass_failed"
DONE = "mo_hook_passes_done"
REWRITE, REMARK, REWROTE = "mo_hook_rewrite", "mo_hook_remark", "mo_hook_rewrote"
LOOKS = "mo_hook_looks"  # not a stop: a question of the passes
HOOKS = (PASS_BEGINS, PASS_ENDS, FAILED, DONE, REWRITE, REMARK, REWROTE)

# What stands between a pass and its observers, besides tools/: not where a person wants to be.
PLUMBING = ("observer.cpp", "observer.h", "rewrite_log.cpp", "rewrite_log.h")


def is_running():
    return gdb.selected_inferior().pid != 0


def check_program():
    if gdb.current_progspace().filename is None:
        raise gdb.GdbError("no program is loaded: start gdb by tools/gdb/mini-opt-gdb, or use `file`")
    if gdb.lookup_global_symbol(REWRITE) is None:
        raise gdb.GdbError(
            "this program has no debug information of mini-opt: cmake --preset debug && cmake --build --preset debug"
            " --target mini-opt"
        )
    _Looks.be_there()


class _Looks(gdb.Breakpoint):
    """Bufferization shows each step to observers that look at functions: whoever debugs does."""

    _there = None

    @classmethod
    def be_there(cls):
        if (cls._there is None or not cls._there.is_valid()) and gdb.lookup_global_symbol(LOOKS) is not None:
            cls._there = cls(LOOKS, internal=True)

    def stop(self):
        set_true(gdb.newest_frame(), "looks")
        return False


# ---- where the program is ----------------------------------------------------------------------


def hook():
    """The frame of the hook that the program has stopped at, or None."""
    if not is_running():
        return None
    frame = gdb.newest_frame()
    return frame if frame.name() in HOOKS else None


def given(frame, name):
    """What the hook was given."""
    return frame.read_var(name).referenced_value()


def rewrite_at_hand():
    """The frame of mo_hook_rewrite; an error that says what to do where no rewrite is about to happen."""
    frame = hook()
    if frame is None or frame.name() != REWRITE:
        raise gdb.GdbError("no rewrite is at hand: `mo next` first")
    return frame


def function_at_hand():
    """The mo::Function that the hook was given, or None."""
    frame = hook()
    if frame is None or frame.name() not in (REWRITE, REWROTE):
        return None
    return given(frame, "before" if frame.name() == REWRITE else "after")


def module_at_hand():
    """The mo::Module that the hook was given, or None."""
    frame = hook()
    if frame is None or frame.name() not in (PASS_BEGINS, PASS_ENDS, FAILED, DONE):
        return None
    return given(frame, "module")


def set_true(frame, name):
    """Answers the hook: a bool& that it was given."""
    gdb.selected_inferior().write_memory(int(given(frame, name).address), b"\x01")


def remark_at_hand():
    """The mo::Remark of the hook, or None."""
    frame = hook()
    if frame is not None and frame.name() == REMARK:
        return given(frame, "remark")
    if frame is not None and frame.name() in (REWRITE, REWROTE):
        return given(frame, "rewrite")["because"].dereference()
    return None


def pass_frame():
    """The innermost frame of the pass itself; where no pass runs, the one that called the observers."""
    frame, outside = gdb.newest_frame(), None
    while frame is not None:
        symtab = frame.find_sal().symtab
        folder, name = ("", "") if symtab is None else os.path.split(symtab.fullname())
        if os.path.basename(folder) == "passes" and name not in PLUMBING:
            return frame
        if outside is None and name == "driver.cpp":
            outside = frame
        frame = frame.older()
    return outside or gdb.newest_frame()


def short_name(frame):
    """Sweep::fuse for mo::(anonymous namespace)::Sweep::fuse"""
    name = frame.name() or "?"
    if name == "operator()" and frame.function() is not None:
        try:
            whole = gdb.execute(f"demangle -- {frame.function().linkage_name}", to_string=True)
            name = "a lambda of " + re.sub(r"\(.*", "", whole.replace("(anonymous namespace)::", ""))
        except gdb.error:
            name = "a lambda"
    return re.sub(r"\bmo::|\(anonymous namespace\)::", "", name.strip())


def place(frame):
    """Two lines: where the frame is, and its line of the source."""
    sal = frame.find_sal()
    if sal.symtab is None:
        return short_name(frame)
    linecache.checkcache(sal.symtab.fullname())  # it may have been edited since
    line = linecache.getline(sal.symtab.fullname(), sal.line).rstrip("\n")
    return f"{short_name(frame)} at {os.path.basename(sal.symtab.filename)}:{sal.line}\n{sal.line}\t{line}"


# ---- saying so ---------------------------------------------------------------------------------


def _what_stopped(frame):
    name = frame.name()
    if name in (PASS_BEGINS, PASS_ENDS):
        run = given(frame, "run")
        verb = "begins" if name == PASS_BEGINS else "ends"
        return f"pass {int(run['number'])} {verb}: {string_view(run['pass'])}"
    if name == FAILED:
        run, errors = given(frame, "run"), Vector(given(frame, "diagnostics")["kept_"])
        return (
            f"pass {int(run['number'])} fails: what {string_view(run['pass'])} left does not verify; error 1 of"
            f" {len(errors)}, line {int(errors[0]['loc']['line'])}: {clean(string(errors[0]['message']))}"
        )
    if name == DONE:
        return "the passes are done; `continue` lets mini-opt go on"
    if name == REMARK:
        remark = given(frame, "remark")
        kind = str(remark["kind"]).rsplit("::", 1)[-1].lower()
        return (
            f"decision, {string_view(remark['pass'])} in @{clean(string(remark['function']))}: {kind}"
            f" [{string_view(remark['reason'])}] for line {int(remark['loc']['line'])}"
        )
    rewrite, function = given(frame, "rewrite"), function_at_hand()
    number = f"rewrite {int(frame.read_var('number'))}" if name == REWRITE else "rewrite done"
    return (
        f"{number}, {string_view(rewrite['pass'])} in @{clean(string(function['name']))}:"
        f" {clean(string(rewrite['what']))} [{string_view(rewrite['because']['reason'])}]"
    )


_stop = _said = 0
_also = []


def also_say(texts):
    """More that the next stop is to say."""
    _also.extend(texts)


def _count_stop(event):
    global _stop
    _stop += 1


def say_where():
    """Says what the program has stopped for, and selects the frame of the pass. Once per stop."""
    global _said
    frame = hook()
    if frame is None or _said == _stop:
        return
    _said = _stop
    gdb.write(_what_stopped(frame) + "\n")
    inner = pass_frame()
    inner.select()
    gdb.write(place(inner) + "\n")
    for text in _also:
        gdb.write(text + "\n")
    _also.clear()


# ---- going on ----------------------------------------------------------------------------------


def _silent(name):
    stop = gdb.Breakpoint(name, internal=True)
    stop.silent = True
    return stop


def run_until(*hooks):
    """Runs on, or starts the program, until one of the hooks; anything else that stops it is shown.

    Returns the name of the hook, or None.
    """
    check_program()
    stops = [_silent(name) for name in hooks]
    try:
        said = gdb.execute("continue" if is_running() else "run", to_string=True)
    finally:
        for stop in stops:
            stop.delete()
    frame = hook()
    if frame is None:
        gdb.write(said[said.find("Continuing.\n") + len("Continuing.\n") :] if "Continuing.\n" in said else said)
        return None
    return frame.name()


def back_into_the_pass():
    """Finishes the hook and what called it, up to the pass itself."""
    inner = pass_frame()
    callee = inner.newer()
    if callee is None:
        return
    returned = gdb.FinishBreakpoint(callee, internal=True)
    returned.silent = True
    said = gdb.execute("continue", to_string=True)
    if gdb.newest_frame() != inner:
        gdb.write(said)
    gdb.write(place(gdb.newest_frame()) + "\n")


def install():
    gdb.events.stop.connect(_count_stop)
    _Looks.be_there()
