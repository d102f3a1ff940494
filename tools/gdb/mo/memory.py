"""Objects of the C++ library, read as they lie in memory.

Nothing is called in the program, everything is bounded, and what cannot be an object (it may not be made yet, or be
gone) raises Garbage instead of being believed.
"""

import functools

import gdb

MAX_COUNT = 1 << 24  # a vector that claims more elements is none
MAX_TEXT = 400  # characters of a string that are shown
MAX_PARTS = 3000  # objects that one printer looks at, however they nest

CONTROL = {c: f"\\x{c:02x}" for c in (*range(32), 127)}
CONTROL[ord("\n")] = "\\n"


class Garbage(Exception):
    """What lies there is no such object; the text says why."""


class _Budget:
    left = MAX_PARTS


def start():
    """Before each object that gdb prints by itself."""
    _Budget.left = MAX_PARTS


def shown(render):
    """Makes of a function to text one that always gives a text: where there is garbage, what is wrong with it."""

    @functools.wraps(render)
    def always_text(*arguments, **named):
        if _Budget.left <= 0:
            return "..."
        _Budget.left -= 1
        try:
            return render(*arguments, **named)
        except Garbage as garbage:
            return f"<{garbage}>"
        except gdb.error as error:  # memory that cannot be read, a value that was optimized out
            return f"<{str(error).lower()}>"

    return always_text


def read(pointer, count):
    """`count` bytes from `pointer`."""
    return bytes(gdb.selected_inferior().read_memory(int(pointer), count))


def clean(text):
    """On one line, without control characters."""
    return text.translate(CONTROL)


def _text(pointer, length, limit):
    if length > MAX_COUNT:
        raise Garbage(f"a string of {length} bytes")
    if length == 0:
        return ""
    text = read(pointer, min(length, limit)).decode("utf-8", "backslashreplace")
    return text if length <= limit else text + "..."


def string(value, limit=MAX_TEXT):
    """std::string"""
    return _text(value["_M_dataplus"]["_M_p"], int(value["_M_string_length"]), limit)


def string_view(value, limit=MAX_TEXT):
    return _text(value["_M_str"], int(value["_M_len"]), limit)


class Vector:
    """std::vector, as a sequence of gdb.Values. Elements are read when they are used."""

    def __init__(self, value):
        impl = value["_M_impl"]
        self._begin = impl["_M_start"]
        begin, end, room = (int(impl[m]) for m in ("_M_start", "_M_finish", "_M_end_of_storage"))
        size = self._begin.type.strip_typedefs().target().sizeof
        if not begin <= end <= room or (end - begin) % size != 0 or (begin == 0) != (room == 0):
            raise Garbage(f"no vector: from {begin:#x} to {end:#x}")
        self._count = (end - begin) // size
        if self._count > MAX_COUNT:
            raise Garbage(f"a vector of {self._count} elements")

    def __len__(self):
        return self._count

    def __getitem__(self, i):
        if not 0 <= i < self._count:
            raise IndexError(i)
        return (self._begin + i).dereference()

    def first(self, limit):
        return [self[i] for i in range(min(len(self), limit))]


def pieces(vector, limit, render, end="..."):
    """The texts of the first elements, and `end` where there are more."""
    texts = [render(element) for element in vector.first(limit)]
    return texts + ([end] if len(vector) > limit else [])


def optional(value):
    """What is in a std::optional, or None."""
    payload = value["_M_payload"]
    engaged = int(payload["_M_engaged"].cast(gdb.lookup_type("unsigned char")))
    if engaged > 1:
        raise Garbage(f"no optional: engaged {engaged}")
    return payload["_M_payload"]["_M_value"] if engaged else None


def variant(value):
    """Which alternative of a std::variant it holds, and the gdb.Value of it."""
    index = int(value["_M_index"].cast(gdb.lookup_type("unsigned char")))
    try:
        held = value.type.strip_typedefs().template_argument(index)
    except (gdb.error, RuntimeError):
        raise Garbage(f"no variant: alternative {index}") from None
    union = value["_M_u"]
    if union.address is not None:
        return index, union.address.cast(held.pointer()).dereference()
    # What a function returned is not in memory: take the bytes of the alternative.
    for _ in range(index):
        union = union["_M_rest"]
    storage = union["_M_first"]["_M_storage"]
    if storage.type.strip_typedefs().unqualified().name == held.strip_typedefs().name:
        return index, storage
    data = storage["_M_storage"]
    return index, gdb.Value(bytes(int(data[i]) & 0xFF for i in range(held.sizeof)), held)


@functools.lru_cache(maxsize=None)
def _enumerators(name):
    return {field.enumval: field.name.rsplit("::", 1)[-1] for field in gdb.lookup_type(name).fields()}


def enumerator(value):
    """The short name of an enumerator: "TransposedRead"."""
    number = int(value.cast(gdb.lookup_type("unsigned long")))
    name = _enumerators(str(value.type.strip_typedefs().unqualified())).get(number)
    if name is None:
        raise Garbage(f"no {value.type.unqualified().name}: {number}")
    return name


def reason_id(value):
    """The enumerator of a reason as its id: "transposed-read". A test holds the two against each other."""
    name = enumerator(value)
    return "".join(("-" if c.isupper() and i else "") + c.lower() for i, c in enumerate(name))
