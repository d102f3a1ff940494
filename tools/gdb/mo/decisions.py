"""Stopping at decisions, and saying what is behind one."""

import difflib
import re

import gdb

from mo import ir, printers, scope, stops
from mo.memory import Vector, clean, start, string, string_view, variant

# ---- mo break ----------------------------------------------------------------------------------


def reasons():
    """Every reason id: constant data of the program, there before it runs."""
    stops.check_program()
    return gdb.parse_and_eval("(const char*)mo_debug_reasons").string().split()


def completions(word):
    return [reason for reason in reasons() if reason.startswith(word)]


def _did_you_mean(word, known):
    near = difflib.get_close_matches(word, known, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"there is {', '.join(known)}"


def _mentions(text, value):
    """Does the text name the value? %r stands for %r#0 and %r#1 too."""
    return re.search(rf"{re.escape(value)}(?![\w$.-])", text) is not None


class _Terms:
    """What a `mo break` asks for."""

    def __init__(self, words):
        self.words = words

    def hold(self, remark, what):
        for word in self.words:
            if word.startswith("@"):
                fits = clean(string(remark["function"])) == word[1:]
            elif word.startswith("%"):
                fits = _mentions(f"{what} {string(remark['message'], 1 << 16)}", word)
            else:
                fits = string_view(remark["reason"]) == word
            if not fits:
                return False
        return True


class _AtRemarks(gdb.Breakpoint):
    """The half of a `mo break` that is listed: stops at decisions, unless it stopped before that rewrite."""

    def __init__(self, terms):
        super().__init__(stops.REMARK)
        self.silent, self.commands = True, "mo at"
        self.terms, self.asked = terms, set()

    def stop(self):
        remark = stops.given(gdb.newest_frame(), "remark")
        return self.terms.hold(remark, "") and _key(remark) not in self.asked


class _AtRewrites(gdb.Breakpoint):
    """The other half: stops before rewrites, as long as the listed one is there and enabled."""

    def __init__(self, listed):
        super().__init__(stops.REWRITE, internal=True)
        self.silent, self.commands = True, "mo at"
        self.listed = listed

    def stop(self):
        if not self.listed.is_valid() or not self.listed.enabled:
            return False
        rewrite = stops.given(gdb.newest_frame(), "rewrite")
        because = rewrite["because"].dereference()
        if not self.listed.terms.hold(because, string(rewrite["what"])):
            return False
        self.listed.asked.add(_key(because))
        return True


def _key(remark):
    return (string_view(remark["reason"]), string(remark["function"]), string(remark["message"], 1 << 16))


_halves = []


def _not_there(word, module):
    """What is wrong with @function or %value, if it is not in the module; None otherwise."""
    functions = list(Vector(module["functions"]))
    if word.startswith("@"):
        known = ["@" + clean(string(function["name"])) for function in functions]
    else:
        word = word.split("#")[0]
        rows = [row for function in functions for row in Vector(function["values"])]
        known = sorted({"%" + clean(string(row["name"])) for row in rows})
    return None if word in known else f"there is no {word} here; {_did_you_mean(word, known)}"


class _AtFirstPass(gdb.Breakpoint):
    """Names could not be checked before there was a program: where one is not there, this says so at once."""

    def __init__(self, listed):
        super().__init__(stops.PASS_BEGINS, internal=True)
        self.silent, self.commands = True, "mo at"
        self.listed = listed

    def stop(self):
        frame = gdb.newest_frame()
        if not self.listed.is_valid() or int(stops.given(frame, "run")["number"]) != 1:
            return False
        names = [word for word in self.listed.terms.words if word[0] in "@%"]
        wrong = [_not_there(word, stops.given(frame, "module")) for word in names]
        stops.also_say([text for text in wrong if text is not None])
        return any(wrong)


def _check(word):
    """That there is such a thing, as far as that can be told by now."""
    if word[0] not in "@%":
        if word not in reasons():
            raise gdb.GdbError(f"there is no reason '{word}'; {_did_you_mean(word, reasons())}")
        return
    module = scope.module() if stops.is_running() else None
    wrong = None if module is None else _not_there(word, module)
    if wrong is not None:
        raise gdb.GdbError(wrong)


def stop_at(argument):
    words = argument.split()
    if not words or any(word in ("@", "%") for word in words):
        raise gdb.GdbError("mo break REASON-ID, mo break @function or mo break %value; tab completes reason ids")
    stops.check_program()
    for word in words:
        _check(word)
    # gdb does not survive that a breakpoint is deleted while it deletes another: those left over go now.
    for half in [half for half in _halves if not half.listed.is_valid()]:
        _halves.remove(half)
        half.delete()
    listed = _AtRemarks(_Terms(words))
    _halves.append(_AtRewrites(listed))
    if any(word[0] in "@%" for word in words):
        _halves.append(_AtFirstPass(listed))
    gdb.write(f"stops at rewrites and decisions: {' '.join(words)}\n")


# ---- mo why ------------------------------------------------------------------------------------

DECISIONS = (
    "mo::FusionPlan",
    "mo::FusionRefusal",
    "std::variant<mo::FusionPlan, mo::FusionRefusal>",
    "mo::InitDecision",
    "mo::TransferDecision",
    "mo::Refusal",
)


def _decision(value):
    """The value if it is a decision, what it points to if that is one, else None."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        if int(value) == 0:
            return None
        value = value.dereference()
    return value if printers.type_name(value) in DECISIONS else None


def _held(frame):
    """Names and values of the decisions that the frame holds."""
    # A variable that is declared further down is not made yet.
    line = frame.find_sal().line
    made = [s for s in scope.variables(frame) if s.is_argument or s.line < line]
    found = [(s.name, s.value(frame)) for s in made if s.name != "this"]
    this = scope.variable(frame, "this")
    if this is not None:
        held = this.dereference()
        found += [(field.name, held[field.name]) for field in held.type.strip_typedefs().fields() if field.name]
    decisions = [(name, _decision(value)) for name, value in found]
    return [(name, value) for name, value in decisions if value is not None]


def why():
    lines = []
    remark = stops.remark_at_hand()
    if remark is not None:
        start()
        lines.append(printers.text(remark, "mo::Remark"))
    frame = gdb.selected_frame() if remark is None else stops.pass_frame()
    texts = {}
    for name, value in _held(frame):
        texts.setdefault(printers.text(value, printers.type_name(value)), name)  # `plan` points into `verdict`
    lines += [f"{name} = {text}" for text, name in texts.items()]
    if not lines:
        raise gdb.GdbError("nothing is decided here: stop at a rewrite (`mo next`) or in plan_fusion first")
    return "\n".join(lines) + "\n"


# ---- mo show -----------------------------------------------------------------------------------


def _is(id, index):
    return int(id["index"]) == index


def _names(value, index):
    """Is there a ValueId with this index anywhere in the value: an op's data, whatever its kind?"""
    type = value.type.strip_typedefs()
    if type.name == "mo::ValueId":
        return _is(value, index)
    if type.name in ("std::vector<mo::ValueId, std::allocator<mo::ValueId> >",):
        return any(_is(id, index) for id in Vector(value))
    if type.name == "mo::Body":
        insts = Vector(value["insts"])
        return _names(value["yields"], index) or any(_names(inst, index) for inst in insts)
    if type.name == "mo::ScalarInst":
        return any(_is(value["operands"]["_M_elems"][k], index) for k in range(3))
    if type.code == gdb.TYPE_CODE_STRUCT and (type.name or "").startswith("mo::"):
        return any(_names(value[field.name], index) for field in type.fields() if field.name)
    return False


def _roles(function, index):
    """"argument 0", "defined by op #3: ...", "named in op #5: ..." of the value with this index."""
    roles = [f"argument {k}" for k, a in enumerate(Vector(function["args"])) if _is(a["value"], index)]
    names = ir.Names(function)
    for k, op in enumerate(Vector(function["ops"])):
        defines = _names(op["results"], index)
        _, held = variant(op["kind"])
        if not defines and held.type.name == "mo::GenericOp":
            body = held["body"]
            defines = _names(body["args"], index) or any(_is(i["result"], index) for i in Vector(body["insts"]))
        if defines or _names(held, index):
            start()
            roles.append(f"{'defined by' if defines else 'named in'} op #{k}: {ir.op_text(op, names).splitlines()[0]}")
    return roles


def show(argument):
    function = scope.function()
    if function is None:
        raise gdb.GdbError("no function is at hand here: `mo next` first")
    rows = Vector(function["values"])
    if re.fullmatch(r"#?\d+", argument):
        wanted = [int(argument.lstrip("#"))]
        if wanted[0] >= len(rows):
            raise gdb.GdbError(f"there is no value #{wanted[0]}; the function has {len(rows)}")
    elif re.fullmatch(r"%\S+", argument):
        wanted = [k for k, row in enumerate(rows) if string(row["name"]) == argument[1:]]
        if not wanted:
            known = sorted({"%" + string(row["name"]) for row in rows})
            raise gdb.GdbError(f"there is no {argument} here; {_did_you_mean(argument, known)}")
    else:
        raise gdb.GdbError("mo show %x or mo show #7")
    lines = []
    for index in wanted[:8]:
        lines.append(f"#{index} {ir.value_row_text(rows[index])}, line {int(rows[index]['loc']['line'])}")
        lines += ["  " + role for role in _roles(function, index)]
    return "\n".join(lines) + "\n"
