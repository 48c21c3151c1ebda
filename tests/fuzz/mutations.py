"""How a file or a text is broken."""

import random
import struct

_HOSTILE = [
    b"-1", b"0", b"1e400", b"-0.0", b"nan", b"99999999999999999999", b"true", b"null", b"[", b"]", b"{", b"}",
    b"(", b")", b",", b";", b"...", b"\x00", b"\xff\xfe", b"\xe2\x88\x92", b"'", b'"', b"\\", b"\n", b"\r", b"\t",
    b"|O",
    b"<f8", b">i2", b"|V2", b"<U9999999", b"\x1b[31m", b"PK\x03\x04", b"PK\x05\x06", b"1" * 400,
    b"[" * 300, b"0." * 30, b"shape", b"BF16", b"F64", b"data_offsets", b"__metadata__", b"tensor(", b"dtype=",
]  # fmt: skip


def broken(seed: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """The seed after one to four mutations."""
    content = bytearray(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        _mutate(content, others, chance)
    return bytes(content)


def _mutate(content: bytearray, others: list[bytes], chance: random.Random) -> None:
    """Break something somewhere."""
    if not content:
        content += chance.choice(others)[:64]
    at = chance.randrange(len(content))
    length = min(len(content) - at, chance.choice((1, 1, 2, 4, 8, 40)))
    kind = chance.randrange(9)
    if kind == 0:
        content[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        content[at : at + length] = chance.randbytes(length)
    elif kind == 2:
        del content[at : at + length]
    elif kind == 3:
        content[at:at] = content[at : at + length] * chance.choice((1, 2, 30))
    elif kind == 4:
        del content[at:]
    elif kind == 5:
        content[at : at + length] = chance.choice(_HOSTILE)
    elif kind == 6:
        content[at:at] = chance.choice(_HOSTILE)
    elif kind == 7:
        number = chance.choice((0, 1, 255, 2**15, 2**31 - 1, 2**32 - 1, 2**63 - 1, chance.getrandbits(32)))
        packed = struct.pack(chance.choice("<>") + chance.choice("HIQ"), number & 0xFFFF if number < 2**16 else 0xFFFF)
        packed = struct.pack("<Q", number)[: len(packed)]
        content[at : at + len(packed)] = packed
    else:
        other = chance.choice(others)
        start = chance.randrange(len(other))
        content[at : at + length] = other[start : start + chance.choice((4, 20, 200))]
