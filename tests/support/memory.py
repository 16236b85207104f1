"""How much memory a process takes to answer, and the bodies that take most, whatever their resource."""

import json
import os
import resource
from collections.abc import Callable, Mapping

from flask import Flask

from capomastro.documents.json_text import MAXIMUM_PARTS

ARRAYS, OBJECTS = b"[" * 28 + b"]" * 28, b'{"a":' * 28 + b"1" + b"}" * 28


def growth(app: Flask, path: str, body: bytes, query: str = "", **headers: str) -> tuple[int, int]:
    """The status of the answer, and the bytes by which a process grew at most while it answered."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            given = {"Content-Type": "application/json", **headers}
            response = app.test_client().post(path, query_string=query, data=body, headers=given)
            response.get_data()
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begun
            os.write(writing, json.dumps([response.status_code, grown * 1024]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        status, grown = json.loads(answer.read())
    os.wait()
    return status, grown


def shapes(member: str, most: int) -> Mapping[str, Callable[[], bytes]]:
    """What makes bodies of at most so many bytes whose member has an unlikely form, by what they are."""
    name = member.encode()
    head, named = b'{"%s":' % name, b'{"%s":{' % name
    escaped = b'{"\\u%04x%s":[' % (name[0], name[1:])
    share = most / 2**22

    def repeated(unit: bytes, begin: bytes = head + b"[", end: bytes = b"]}") -> bytes:
        parts = sum(map(unit.count, (b"[", b"]", b"{", b"}"))) + 1
        count = min((most - len(begin) - len(end)) // (len(unit) + 1), (MAXIMUM_PARTS - 20) // parts)
        return begin + b",".join([unit] * count) + end

    def counted(form: bytes, count: int, begin: bytes = head + b"[", end: bytes = b"]}") -> bytes:
        """So many different values, if there is room for all of 4 MiB."""
        return begin + b",".join(form % number for number in range(int(count * share))) + end

    record_head = head + b'{"game":"palazzo","schema_version":1,"rules_version":1,"players":2,"options":{},"moves":['
    return {
        "deep arrays": lambda: repeated(ARRAYS),
        "deep arrays and an escape": lambda: repeated(ARRAYS, escaped),
        "deep arrays, too many": lambda: b"".join([escaped, b",".join([ARRAYS] * (most // 57 - 1)), b"]}"]),
        "deep objects": lambda: repeated(OBJECTS),
        "deep objects and an escape": lambda: repeated(OBJECTS, escaped),
        "empty objects": lambda: repeated(b"{}"),
        "objects": lambda: repeated(b'{"a":1}'),
        "different objects": lambda: counted(b'{"%06x":1}', 160_000),
        "integers": lambda: repeated(b"1000"),
        "texts": lambda: counted(b'"%x"', 400_000),
        "names": lambda: counted(b'"%x":1', 249_000, named, b"}}"),
        "a name twice": lambda: counted(b'"%x":1', 248_000, named, b',"0":1}}'),
        "a name twice, escaped": lambda: counted(b'"%x":1', 248_000, named, b',"\\u0030":1}}'),
        "half a pair": lambda: counted(b'"%x"', 400_000, end=b',"\\ud800"]}'),
        "a fraction": lambda: counted(b'"%x"', 400_000, end=b",1.5]}"),
        "one text": lambda: head + b'"' + b"a" * (most - 20) + b'"}',
        "one text with a face": lambda: head + b'"\xf0\x9f\x98\x80' + b"a" * (most - 24) + b'"}',
        "escapes": lambda: head + b'"' + b"\\n" * (most // 2 - 10) + b'"}',
        "six bytes for a character": lambda: head + b'"' + b"\\u0001" * (most // 6 - 10) + b'"}',
        "one name": lambda: named + b'"' + b"a" * (most - 30) + b'":1}}',
        "blanks": lambda: b" " * (most - 2) + b"{}",
        "moves of nothing": lambda: repeated(b'{"x":[%s]}' % b",".join([b'"red-7"'] * 36), record_head),
        "not closed": lambda: repeated(OBJECTS, end=b""),
    }
