"""Reading a screenshot: a PNG of 8 bits a channel, without interlacing, as browsers write it."""

import struct
import zlib

_CHANNELS = {2: 3, 6: 4}  # by colour type


def _chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8:at + 8 + length]
        at += length + 12


def _paeth(left, up, corner):
    estimate = left + up - corner
    return min((left, up, corner), key=lambda value: abs(estimate - value))


def _unfilter(kind, row, above, step):
    if kind == 0:
        return row
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        predicted = {1: left, 2: above[i], 3: (left + above[i]) // 2, 4: _paeth(left, above[i], corner)}[kind]
        row[i] = (value + predicted) & 0xff
    return row


def pixels(data):
    """Rows of pixels, each (red, green, blue)."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    chunks = list(_chunks(data))
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if depth != 8 or colour not in _CHANNELS or interlace:
        raise ValueError(f"a PNG of another kind: depth {depth}, colour type {colour}")
    step = _CHANNELS[colour]
    raw = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    rows = []
    above = bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        above = _unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * step]), above, step)
        rows.append([tuple(above[x:x + 3]) for x in range(0, len(above), step)])
    return rows
