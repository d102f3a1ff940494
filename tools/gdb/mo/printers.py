"""Which text gdb shows for which type: what `print`, `info locals`, `finish` and an editor's windows use.

A printer looks at fields only, at a bounded number of them, and never calls into the program (memory.py).
"""

import gdb

from mo import ir, memory, passes, scope

PLAIN = {
    "mo::Type": ir.type_text,
    "mo::AffineMap": ir.map_text,
    "mo::Loc": ir.loc_text,
    "mo::Value": ir.value_row_text,
    "mo::Function": ir.function_text,
    "mo::Module": ir.module_text,
    "mo::Remark": passes.remark_text,
    "mo::Note": passes.note_text,
    "mo::PassRun": passes.pass_run_text,
}

# These name values: as the function around the selected frame calls them.
NAMING = {
    "mo::ValueId": lambda value, names: names.numbered(value),
    "mo::OpId": lambda value, names: names.op(value),
    "mo::Argument": ir.argument_text,
    "mo::ScalarInst": ir.inst_text,
    "mo::Body": ir.body_text,
    "mo::GenericOp": ir.generic_text,
    "mo::Op": ir.op_text,
    "mo::Rewrite": passes.rewrite_text,
    "mo::Proposal": passes.proposal_text,
    "mo::FusionPlan": passes.fusion_plan_text,
    "mo::FusionRefusal": passes.fusion_refusal_text,
    "std::variant<mo::FusionPlan, mo::FusionRefusal>": passes.verdict_text,
    "mo::BufferPlan": passes.buffer_plan_text,
    "mo::PlannedBuffer": passes.planned_buffer_text,
    "mo::InitDecision": passes.init_decision_text,
    "mo::TransferDecision": passes.transfer_decision_text,
    "mo::SnapshotDecision": passes.snapshot_text,
    "mo::Conflict": passes.conflict_text,
    "mo::Refusal": passes.buffer_refusal_text,
}


def text(value, name):
    memory.start()
    if name in PLAIN:
        return PLAIN[name](value)
    return NAMING[name](value, ir.Names(scope.function()))


def _is_summary():
    """Is this an argument in a line about a frame?"""
    return hasattr(gdb, "print_options") and gdb.print_options().get("summary", False)


def _on_one_line(shown):
    first = shown.split("\n")[0]
    return shown if len(shown) <= 48 else first[:45] + "..."


class Printer:
    def __init__(self, value, name):
        self._value, self._name = value, name

    def to_string(self):
        shown = text(self._value, self._name)
        return _on_one_line(shown) if _is_summary() else shown


def type_name(value):
    """What the tables above list a value under, or None."""
    type = value.type.strip_typedefs()
    if type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        type = type.target().strip_typedefs()
    name = type.unqualified().name
    return name if name in PLAIN or name in NAMING else None


def lookup(value):
    name = type_name(value)
    return None if name is None else Printer(value, name)


lookup.name = "mini-opt"


def _add_to(objfile):
    # In front of those of libstdc++, which has one for every std::variant.
    if lookup not in objfile.pretty_printers:
        objfile.pretty_printers.insert(0, lookup)


def _program_loaded(event):
    memory._enumerators.cache_clear()
    if event.new_objfile.filename == event.new_objfile.progspace.filename:
        _add_to(event.new_objfile)


def install():
    for objfile in gdb.objfiles():
        _add_to(objfile)
    gdb.events.new_objfile.connect(_program_loaded)
    for changed in (gdb.events.cont, gdb.events.stop, gdb.events.memory_changed, gdb.events.inferior_call):
        changed.connect(lambda event: scope.forget())
