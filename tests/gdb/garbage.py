"""Sourced by gdb at a stop: every printer on memory that holds no object, in every way that comes to mind."""

import random

import gdb
from mo import printers

ROOM = 4096
AT = int(gdb.parse_and_eval(f"((unsigned long (*)(unsigned long))malloc)({ROOM})"))


def word(offset):
    return (AT + offset).to_bytes(8, "little")


def filled_with(word_at):
    return b"".join(word_at(k) for k in range(ROOM // 8))


random.seed(1)
FILLS = {
    "zeros": bytes(ROOM),
    "0xff": b"\xff" * ROOM,
    "0x7f": b"\x7f" * ROOM,
    "0x01": b"\x01" * ROOM,
    "pointers to itself": filled_with(lambda k: word(0)),
    "pointers that ascend": filled_with(lambda k: word(64 * k % ROOM)),
    "vectors of what is here": filled_with(lambda k: word(k % 3 * 1920)),
    "small numbers": bytes(random.randrange(3) for _ in range(ROOM)),
    "anything": bytes(random.randrange(256) for _ in range(ROOM)),
}


def show(name):
    return str(gdb.Value(AT).cast(gdb.lookup_type(name).pointer()).dereference())


printed, longest = 0, 0
for data in FILLS.values():
    gdb.selected_inferior().write_memory(AT, data)
    for name in (*printers.PLAIN, *printers.NAMING):
        text = show(name)
        printed += len(text) > 0
        longest = max(longest, len(text))
print("printed", printed, "of", len(FILLS) * (len(printers.PLAIN) + len(printers.NAMING)))
print("longest", "bounded" if longest < 60000 else longest)

gdb.selected_inferior().write_memory(AT, FILLS["0xff"])
print("map:", show("mo::AffineMap"))
print("type:", show("mo::Type"))
print("verdict:", show("std::variant<mo::FusionPlan, mo::FusionRefusal>"))
