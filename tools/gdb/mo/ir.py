"""The data of ir/ as text. `names` says what a value is called: see Names."""

import struct

import gdb

from mo.memory import Garbage, Vector, clean, enumerator, optional, pieces, shown, string, string_view, variant

MAX_DIMS = 64  # AffineMap::kMaxDims
MAX_OPERANDS = 12
MAX_INSTS = 24
MAX_OPS = 40
NOWHERE = 0xFFFFFFFF  # the index of an id that is not valid
WIDTH = {"F32": 32, "F64": 64, "I1": 1, "I32": 32, "I64": 64, "Index": 64}


# ---- types and maps ----------------------------------------------------------------------------


@shown
def type_text(value):
    kind = enumerator(value["kind"])
    element = enumerator(value["element"]).lower()
    if kind == "Scalar":
        return element
    extents = pieces(Vector(value["shape"]), MAX_OPERANDS, lambda extent: str(int(extent)))
    return f"{kind.lower()}<{'x'.join(extents + [element])}>"


def _row_text(coefficients, constant):
    text = ""
    for d, c in enumerate(coefficients):
        if c == 0:
            continue
        times = "" if abs(c) == 1 else f" * {abs(c) if text else c}"
        sign = (" - " if c < 0 else " + ") if text else ("-" if c == -1 else "")
        text += f"{sign}d{d}{times}"
    if not text:
        return str(constant)
    return text if constant == 0 else f"{text} {'-' if constant < 0 else '+'} {abs(constant)}"


@shown
def map_text(value):
    dims, results = int(value["num_dims_"]), int(value["num_results_"])
    if dims > MAX_DIMS or results > MAX_DIMS:
        raise Garbage(f"no map: {dims} dims, {results} results")
    columns, rows = dims + 1, []
    if results > 0:
        cells = value["cells_"]["_M_ptr"]
        if int(cells) == 0:
            raise Garbage("no map: it has no cells")
        cells = Vector(cells.dereference())
        if len(cells) != results * columns:
            raise Garbage(f"no map: {len(cells)} cells for {results} rows of {columns}")
        numbers = [int(cell) for cell in cells.first(len(cells))]
        rows = [_row_text(numbers[r : r + dims], numbers[r + dims]) for r in range(0, len(numbers), columns)]
    return f"({', '.join(f'd{d}' for d in range(dims))}) -> ({', '.join(rows)})"


@shown
def loc_text(value):
    line, col = int(value["line"]), int(value["col"])
    return f"{line}:{col}" if line or col else "nowhere"


# ---- values ------------------------------------------------------------------------------------


class Names:
    """What the values of a function are called, as far as it is known which function that is.

    These are the names that the values would like: where two meet, the printed IR gives the later one a suffix.
    """

    def __init__(self, function=None):
        self._values = self._ops = None
        try:
            if function is not None:
                self._values, self._ops = Vector(function["values"]), Vector(function["ops"])
        except (Garbage, gdb.error):
            pass

    def row(self, index):
        if self._values is None or index >= len(self._values):
            return None
        return self._values[index]

    @shown
    def value(self, id):
        """%x, or %? #7 where only the number is known"""
        index = int(id["index"])
        if index == NOWHERE:
            return "%<none>"
        row = self.row(index)
        name = None if row is None else clean(string(row["name"], 60))
        return f"%{name}" if name else f"%? #{index}"

    @shown
    def numbered(self, id):
        """%x #7"""
        text = self.value(id)
        return text if "#" in text or "<" in text else f"{text} #{int(id['index'])}"

    @shown
    def op(self, id):
        """op #3 (%0)"""
        index = int(id["index"])
        if index == NOWHERE:
            return "no op"
        if self._ops is not None and index < len(self._ops):
            results = Vector(self._ops[index]["results"])
            if len(results) > 0:
                return f"op #{index} ({self.value(results[0])})"
        return f"op #{index}"

    def values(self, vector):
        return ", ".join(pieces(Vector(vector), MAX_OPERANDS, self.value))

    def type(self, id):
        row = self.row(int(id["index"]))
        return "?" if row is None else type_text(row["type"])

    def element(self, id):
        """"F32", or None where the type is not known"""
        row = self.row(int(id["index"]))
        return None if row is None else enumerator(row["type"]["element"])


@shown
def value_row_text(value):
    return f"%{clean(string(value['name'], 60))} : {type_text(value['type'])}"


# ---- scalar ops and bodies ---------------------------------------------------------------------


def _scalar_op(value):
    """Spelling and number of operands: from the table of the program, or as far as the enumerator tells."""
    name = enumerator(value)
    table = gdb.lookup_static_symbol("mo::(anonymous namespace)::kInfos")
    if table is None:
        return name.lower(), 3
    row = table.value()["_M_elems"][int(value.cast(gdb.lookup_type("int")))]
    return string_view(row["spelling"]), int(row["arity"])


def literal(bits, element):
    """A constant as MLIR writes it; its bits where the type is not known."""
    if element not in WIDTH:
        return f"{bits:#x}"
    if element == "I1":
        return "true" if bits & 1 else "false"
    if element in ("F32", "F64"):
        form, size = ("<f", 4) if element == "F32" else ("<d", 8)
        data = (bits & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        number = struct.unpack(form, data)[0]
        text = f"{number:.6e}"
        if number - number != 0 or struct.pack(form, float(text)) != data:
            text = f"0x{int.from_bytes(data, 'little'):0{2 * size}X}" if number - number != 0 else repr(number)
        return text
    width = WIDTH[element]
    bits &= (1 << width) - 1
    return str(bits - (1 << width) if bits >> (width - 1) else bits)


@shown
def inst_text(value, names):
    spelling, arity = _scalar_op(value["op"])
    operands = [names.value(value["operands"]["_M_elems"][k]) for k in range(min(arity, 3))]
    predicates = {"arith.cmpf": "mo::CmpFPredicate", "arith.cmpi": "mo::CmpIPredicate"}
    if spelling in predicates:
        operands.insert(0, enumerator(value["predicate"].cast(gdb.lookup_type(predicates[spelling]))).lower())
    elif spelling == "arith.constant":
        operands = [literal(int(value["immediate"]), names.element(value["result"]))]
    elif spelling == "linalg.index":
        operands = [str(int(value["immediate"]))]
    return f"{names.value(value['result'])} = {spelling} {', '.join(operands)} : {names.type(value['result'])}"


@shown
def body_text(value, names, indent=""):
    lines = [f"^bb0({names.values(value['args'])}):"]
    insts = Vector(value["insts"])
    lines += pieces(insts, MAX_INSTS, lambda i: f"  {inst_text(i, names)}", f"  ... {len(insts)} in all")
    lines.append(f"  linalg.yield {names.values(value['yields'])}")
    return f"\n{indent}".join(lines)


# ---- ops ---------------------------------------------------------------------------------------


@shown
def _operands(values, maps, first, names):
    """%x at (d0) -> (d0), ... : each operand with the map it is read or written through."""

    def one(k):
        through = map_text(maps[first + k]) if first + k < len(maps) else "<no map>"
        return f"{names.value(values[k])} at {through}"

    count = min(len(values), MAX_OPERANDS)
    return ", ".join([one(k) for k in range(count)] + (["..."] if count < len(values) else []))


@shown
def generic_text(value, names, indent=""):
    inputs, inits, maps = Vector(value["inputs"]), Vector(value["inits"]), Vector(value["maps"])
    iterators = pieces(Vector(value["iterators"]), MAX_DIMS, lambda i: enumerator(i).lower())
    return (
        f"linalg.generic [{', '.join(iterators)}]\n"
        f"{indent}  ins({_operands(inputs, maps, 0, names)})\n"
        f"{indent}  outs({_operands(inits, maps, len(inputs), names)})\n"
        f"{indent}  {body_text(value['body'], names, indent + '  ')}"
    )


def _flags(value, *which):
    return "".join(f" {flag}" for flag in which if int(value[flag].cast(gdb.lookup_type("unsigned char"))))


def _dense(value, names, results):
    bits = Vector(value["bits"])
    element = names.element(results[0]) if len(results) else None
    texts = pieces(bits, MAX_OPERANDS, lambda b: literal(int(b), element), f"... {len(bits)} in all")
    splat = int(value["splat"].cast(gdb.lookup_type("unsigned char")))
    return f"arith.constant dense<{', '.join(texts) if splat else '[' + ', '.join(texts) + ']'}>"


def _alloc(value):
    alignment = optional(value["alignment"])
    return "memref.alloc" + ("" if alignment is None else f" {{alignment = {int(alignment)}}}")


KINDS = {
    "mo::FillOp": lambda v, n, r: f"linalg.fill {n.value(v['value'])} into {n.value(v['init'])}",
    "mo::DenseOp": _dense,
    "mo::EmptyOp": lambda v, n, r: "tensor.empty",
    "mo::ToTensorOp": lambda v, n, r: f"to_tensor {n.value(v['memref'])}{_flags(v, 'restrict', 'writable')}",
    "mo::MaterializeOp": lambda v, n, r: f"materialize_in_destination {n.value(v['source'])} in"
    f"{_flags(v, 'restrict', 'writable')} {n.value(v['dest'])}",
    "mo::AllocOp": lambda v, n, r: _alloc(v),
    "mo::DeallocOp": lambda v, n, r: f"memref.dealloc {n.value(v['memref'])}",
    "mo::CopyOp": lambda v, n, r: f"memref.copy {n.value(v['source'])} to {n.value(v['target'])}",
    "mo::ReturnOp": lambda v, n, r: f"return {n.values(v['values'])}".rstrip(),
    "mo::ErasedOp": lambda v, n, r: "(erased)",
}


@shown
def op_text(value, names, indent=""):
    results = Vector(value["results"])
    _, held = variant(value["kind"])
    kind = held.type.name
    if kind == "mo::ScalarInst":
        return inst_text(held, names)
    given = f"{names.values(value['results'])} = " if len(results) else ""
    types = ", ".join(pieces(results, MAX_OPERANDS, names.type))
    text = generic_text(held, names, indent) if kind == "mo::GenericOp" else KINDS[kind](held, names, results)
    return given + text + (f" : {types}" if types and kind != "mo::GenericOp" else "")


# ---- functions ---------------------------------------------------------------------------------


@shown
def argument_text(value, names):
    text = f"{names.value(value['value'])}: {names.type(value['value'])}"
    writable = optional(value["writable"])
    if writable is not None:
        text += f" {{writable = {str(writable)}}}"
    return text + (" {result}" if int(value["is_result"].cast(gdb.lookup_type("unsigned char"))) else "")


@shown
def function_text(value):
    name, names = clean(string(value["name"], 60)), Names(value)
    arguments = ", ".join(pieces(Vector(value["args"]), MAX_OPERANDS, lambda a: argument_text(a, names)))
    results = ", ".join(pieces(Vector(value["result_types"]), MAX_OPERANDS, type_text))
    ops = Vector(value["ops"])
    lines = [f"func.func @{name}({arguments})" + (f" -> ({results})" if results else "") + " {"]
    for k in range(min(len(ops), MAX_OPS)):
        lines.append(f"  #{k:<3} {op_text(ops[k], names, '       ')}")
    if len(ops) > MAX_OPS:
        lines.append(f"  ...  {len(ops)} ops in all; `mo ir` prints them")
    return "\n".join(lines + ["}"])


@shown
def module_text(value):
    functions = pieces(Vector(value["functions"]), MAX_OPS, lambda f: "@" + clean(string(f["name"], 60)))
    return f"module of {', '.join(functions) or 'no function'}"
