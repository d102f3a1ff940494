"""The commands `mo ...`."""

import gdb

from mo import decisions, scope, stops, text
from mo.memory import Garbage

HELP = """\
mo next     on to the next rewrite, before it happens; where the pass has no more, to its end
mo pass     on to the next pass, before it begins; after the last, to where the passes are done
mo ir       the function at hand as the printer of mini-opt shows it; mo ir @f: that one
mo diff     what has changed in the IR since the last stop
mo why      the decision behind the stop: its reason, both facts, and the plan
mo skip     leaves the rewrite at hand out; the result is valid all the same
mo step     back into the pass, to the line that asks for the rewrite; from there on with next and step
mo show     mo show %x, mo show #7: what the function knows of a value
mo break    mo break transposed-read, mo break @f, mo break %x: stops at each rewrite and each decision with that
            reason id, in that function, or about that value; several together must all hold
mo help     this text

next and pass start the program where it does not run yet. gdb's own commands work as ever, `continue` and
`finish` among them; `print` and `info locals` show maps, plans and ops legibly, `print/r` the raw fields.
"""


class _Group(gdb.Command):
    """Stepping through the passes of mini-opt; `mo help` lists the commands."""

    def __init__(self):
        super().__init__("mo", gdb.COMMAND_RUNNING, prefix=True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError(f"there is no `mo {argument.split()[0]}`; `mo help` lists what there is")
        gdb.write(HELP)


class _Command(gdb.Command):
    """One command: a function of its argument; what it raises is shown as an error."""

    def __init__(self, name, run, complete=None):
        line = next((line for line in HELP.splitlines() if line.startswith(f"mo {name} ")), None)
        self.__doc__ = line.split(maxsplit=2)[2] if line else "What other commands are made of."
        super().__init__(f"mo {name}", gdb.COMMAND_RUNNING)
        self._name, self._run, self._complete = name, run, complete

    def invoke(self, argument, from_tty):
        if self._name in ("skip", "break"):
            self.dont_repeat()
        try:
            self._run(argument.strip())
        except Garbage as garbage:
            raise gdb.GdbError(f"what is at hand here is not whole: {garbage}") from None

    def complete(self, text_so_far, word):
        return self._complete(word) if self._complete else gdb.COMPLETE_NONE


def _nothing(argument, name):
    if argument:
        raise gdb.GdbError(f"`mo {name}` takes no argument")


def _started():
    if not stops.is_running():
        raise gdb.GdbError("the program is not running: `mo next` or `mo pass` starts it")


def _check_not_done():
    frame = stops.hook()
    if frame is not None and frame.name() == stops.DONE:
        raise gdb.GdbError("the passes are done; `continue` lets mini-opt go on, `run` starts again")


def _go(*hooks):
    """On to one of the hooks, at most to where a pass fails or all are done.

    At the beginning of each pass the IR is kept for `mo diff`.
    """
    stops.check_program()
    _check_not_done()
    if stops.is_running():
        text.remember()
    else:
        text.forget()
    hooks = (*hooks, stops.FAILED, stops.DONE)
    hit = stops.run_until(stops.PASS_BEGINS, *hooks)
    while hit == stops.PASS_BEGINS and hit not in hooks:
        text.remember()
        hit = stops.run_until(stops.PASS_BEGINS, *hooks)
    stops.say_where()


def _next(argument):
    _nothing(argument, "next")
    _go(stops.REWRITE, stops.PASS_ENDS)


def _pass(argument):
    _nothing(argument, "pass")
    _go(stops.PASS_BEGINS)


def _ir(argument):
    _started()
    if not argument:
        function = stops.function_at_hand()
        if function is None:
            function = scope.function()
        if function is not None:
            return gdb.write(text.function_text(function))
        texts = text.all_texts()
        if not texts:
            raise gdb.GdbError("no function is at hand here: `mo pass` or `mo next` first")
        return gdb.write("".join(texts.values()))
    texts = text.all_texts()
    name = argument.lstrip("@")
    if name not in texts:
        there = ", ".join("@" + known for known in texts) or "none"
        raise gdb.GdbError(f"there is no function @{name} at hand; there is {there}")
    gdb.write(texts[name])


def _diff(argument):
    _nothing(argument, "diff")
    _started()
    lines = text.difference()
    if lines is None:
        raise gdb.GdbError("there is nothing to compare: `mo next` or `mo pass` first, and then again")
    gdb.write(lines or "nothing has changed since the last stop\n")


def _skip(argument):
    _nothing(argument, "skip")
    frame = stops.rewrite_at_hand()
    stops.set_true(frame, "skip")
    gdb.write(f"left out: {stops.string(stops.given(frame, 'rewrite')['what'])}; `mo next` goes on\n")


def _step(argument):
    _nothing(argument, "step")
    if stops.hook() is None:
        raise gdb.GdbError("`mo step` leads from a stop of `mo next`, `mo pass` or `mo break` into the pass")
    stops.back_into_the_pass()


def _why(argument):
    _nothing(argument, "why")
    _started()
    gdb.write(decisions.why())


def _show(argument):
    _started()
    gdb.write(decisions.show(argument))


def _help(argument):
    gdb.write(HELP)


def _at(argument):
    """What the breakpoints of `mo break` run."""
    stops.say_where()


def install():
    stops.install()
    _Group()
    _Command("next", _next)
    _Command("pass", _pass)
    _Command("ir", _ir)
    _Command("diff", _diff)
    _Command("why", _why)
    _Command("skip", _skip)
    _Command("step", _step)
    _Command("show", _show)
    _Command("break", decisions.stop_at, decisions.completions)
    _Command("help", _help)
    _Command("at", _at)
    # `continue` is a way to go on like the others: what comes after is compared with what is here.
    gdb.execute("define hook-continue\nmo keep\nend", to_string=True)
    _Command("keep", lambda argument: text.remember() if stops.is_running() else None)
