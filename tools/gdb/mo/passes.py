"""The data of passes/ as text: plans, refusals, remarks."""

import gdb

from mo.ir import MAX_OPERANDS, NOWHERE, loc_text, map_text, type_text
from mo.memory import Garbage, Vector, clean, optional, pieces, reason_id, shown, string, string_view, variant

MAX_ROWS = 40


def _maps(value, *which):
    between = {
        "write": "producer loops -> element of the value",
        "read": "consumer loops -> element of the value",
        "loops": "consumer loops -> producer loops",
    }
    return "".join(f"\n  {name:6} {map_text(value[name])}    {between[name]}" for name in which)


# ---- fusion ------------------------------------------------------------------------------------


@shown
def fusion_plan_text(value, names):
    kept = pieces(Vector(value["kept_results"]), MAX_OPERANDS, lambda k: str(int(k)))
    text = (
        f"fuse result {int(value['result'])} of {names.op(value['producer'])} into {names.op(value['consumer'])}"
        f" at operand {int(value['operand'])}"
    )
    return text + _maps(value, "write", "read", "loops") + (f"\n  keeps results {', '.join(kept)}" if kept else "")


# What FusionRefusal::number counts.
NUMBERS = {
    "producer-has-reduction": "loop {} of the producer",
    "producer-reads-init": "init {} of the producer",
    "non-plain-read": "row {} of loops",
    "diagonal-read": "row {} of loops",
    "transposed-read": "row {} of loops",
    "loop-loses-extent": "loop {} of the consumer",
}
# The reasons that are asked for before the maps are composed.
WITHOUT_LOOPS = (
    "producer-not-generic",
    "producer-has-reduction",
    "producer-reads-init",
    "init-operand",
    "other-use",
    "write-not-permutation",
)


@shown
def fusion_refusal_text(value, names):
    reason = reason_id(value["reason"])
    text = (
        f"refused [{reason}]: {names.op(value['producer'])} into {names.op(value['consumer'])}"
        f" at operand {int(value['operand'])}"
    )
    if reason == "other-use":
        text += f"\n  other user: {names.op(value['other_user'])}, operand {int(value['other_operand'])}"
    if reason == "expensive-recompute":
        text += f"\n  each element would be computed {int(value['times'])} times"
    if reason in NUMBERS:
        text += f"\n  it is {NUMBERS[reason].format(int(value['number']))}"
    write = () if reason == "producer-not-generic" else ("write",)
    return text + _maps(value, *write, "read", *(() if reason in WITHOUT_LOOPS else ("loops",)))


@shown
def verdict_text(value, names):
    index, held = variant(value)
    return fusion_plan_text(held, names) if index == 0 else fusion_refusal_text(held, names)


# ---- bufferization -----------------------------------------------------------------------------


@shown
def conflict_text(value, names):
    def op(id, otherwise):
        return otherwise if int(id["index"]) == NOWHERE else names.op(id)

    return (
        f"contents of {names.value(value['contents'])}: defined by {op(value['definition'], 'the caller')},"
        f" read by {op(value['read'], 'the caller')}, destroyed by {names.op(value['write'])}"
    )


def _conflict(value, names):
    held = optional(value["conflict"])
    return "" if held is None else f"\n    {conflict_text(held, names)}"


@shown
def buffer_refusal_text(value, names):
    return f"refused [{reason_id(value['reason'])}]{_conflict(value, names)}"


def _buffer(id):
    index = int(id["index"])
    return "no buffer" if index == NOWHERE else f"buffer #{index}"


@shown
def init_decision_text(value, names):
    text = f"{names.op(value['op'])} result {int(value['init'])}: [{reason_id(value['reason'])}]"
    if optional(value["transfer"]) is not None:
        text += f" to {clean(string(value['destination'], 60))}"
    if int(value["copies_old_contents"].cast(gdb.lookup_type("unsigned char"))):
        text += ", the old contents copied"
    return f"{text}, {_buffer(value['buffer'])}{_conflict(value, names)}"


@shown
def transfer_decision_text(value, names):
    text = f"{names.value(value['source'])} to {_buffer(value['target'])} for {names.op(value['op'])}:"
    text += f" [{reason_id(value['reason'])}]"
    refusal = optional(value["refusal"])
    return text + ("" if refusal is None else f", {buffer_refusal_text(refusal, names)}")


@shown
def snapshot_text(value, names):
    return f"{names.op(value['op'])}: [snapshot]\n    {conflict_text(value['conflict'], names)}"


@shown
def planned_buffer_text(value, names):
    kind = str(value["kind"]).rsplit("::", 1)[-1]
    if not kind.isalpha():
        raise Garbage(f"no buffer: kind {kind}")
    text = f"{kind} %{clean(string(value['name'], 60))} : {type_text(value['type'])}"
    return text + f", {int(value['values'])} values"


@shown
def buffer_plan_text(value, names):
    lines = [str(value["mode"]).rsplit("::", 1)[-1]]

    def section(title, field, render):
        vector = Vector(value[field])
        if len(vector) > 0:
            lines.append(f"  {title}")
            rows = pieces(vector, MAX_ROWS, lambda v: render(v, names))
            lines.extend(f"    #{k:<2} {row}" for k, row in enumerate(rows))

    section("buffers", "buffers", planned_buffer_text)
    section("snapshots", "snapshots", snapshot_text)
    section("results of ops", "inits", init_decision_text)
    section("to where they are wanted", "transfers", transfer_decision_text)
    return "\n".join(lines)


# ---- what the observer hears -------------------------------------------------------------------


@shown
def clean_string(value):
    return clean(string(value))


@shown
def note_text(value, names=None):
    return f"{loc_text(value['loc'])}: note: {clean(string(value['message']))}"


@shown
def remark_text(value, names=None):
    kind = str(value["kind"]).rsplit("::", 1)[-1].lower()
    if not kind.isalpha():
        raise Garbage(f"no remark: kind {kind}")
    return (
        f"{loc_text(value['loc'])}: {string_view(value['pass'], 40)} {kind} [{string_view(value['reason'], 60)}]"
        f" @{clean(string(value['function'], 60))}: {clean(string(value['message']))}"
        + "".join(f"\n  holds: {ground}" for ground in pieces(Vector(value["grounds"]), MAX_OPERANDS, clean_string))
        + "".join(f"\n  {note}" for note in pieces(Vector(value["notes"]), MAX_OPERANDS, note_text))
    )


@shown
def rewrite_text(value, names):
    because = value["because"]
    reason = f" because [{string_view(because['reason'], 60)}]" if int(because) else ""
    return f"{string_view(value['pass'], 40)}: {clean(string(value['what']))}, {names.op(value['op'])}{reason}"


@shown
def pass_run_text(value, names=None):
    return f"pass {int(value['number'])} ({string_view(value['pass'], 40)})"


@shown
def proposal_text(value, names):
    return f"{clean(string(value['what']))}, {names.op(value['op'])}: {remark_text(value['because'])}"

