"""Which program the frames are about: found by looking at their variables, without a call."""

import gdb

FRAMES = 40  # how far out it is looked for
NAMES = {"mo::Function": ("function", "before", "after"), "mo::Module": ("module",)}


def _held(value, wanted):
    """`value`, if it is a `wanted` or refers to one."""
    type = value.type.strip_typedefs()
    if type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_PTR):
        if type.code == gdb.TYPE_CODE_PTR and int(value) == 0:
            return None
        type = type.target().strip_typedefs()
        if type.unqualified().name == wanted:
            return value.referenced_value()
        return None
    return value if type.unqualified().name == wanted else None


def variables(frame):
    """The symbols of the frame's variables and arguments, those of inner blocks first."""
    try:
        block = frame.block()
    except RuntimeError:  # code without debug information
        return []
    symbols = []
    while block is not None and not block.is_static and not block.is_global:
        symbols += [s for s in block if s.is_variable or s.is_argument]
        block = None if block.function else block.superblock
    return symbols


def variable(frame, name):
    """Its value, or None. (Frame.read_var would go on to look for a global of that name, in everything.)"""
    symbol = next((s for s in variables(frame) if s.name == name), None)
    return None if symbol is None else symbol.value(frame)


def _in_frame(frame, wanted):
    for name in NAMES[wanted]:
        value = variable(frame, name)
        held = None if value is None else _held(value, wanted)
        if held is not None:
            return held
    this = variable(frame, "this")
    if this is None or this.type.code != gdb.TYPE_CODE_PTR:
        return None
    for field in this.type.target().strip_typedefs().fields():
        if field.name in ("function_", "function", "module_"):
            held = _held(this.dereference()[field.name], wanted)
            if held is not None:
                return held
    return None


def _innermost(wanted, frame):
    for _ in range(FRAMES):
        if frame is None:
            return None
        try:
            held = _in_frame(frame, wanted)
            if held is not None and held.address is not None:
                return held
        except gdb.error:
            pass
        frame = frame.older()
    return None


def _selected():
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None


_known = (None, None)


def function():
    """The mo::Function of the selected frame or of the nearest one around it; None where there is none."""
    global _known
    frame = _selected()
    if frame is None:
        return None
    key = (frame.pc(), frame.level(), frame.read_register("rsp") if frame.level() == 0 else None)
    key = tuple(int(part) if part is not None else None for part in key)
    if _known[0] != key:
        _known = (key, _innermost("mo::Function", frame))
    return _known[1]


def module():
    """The mo::Module that the pipeline works on, or None."""
    frame = _selected()
    return None if frame is None else _innermost("mo::Module", frame)


def forget():
    global _known
    _known = (None, None)
