"""Arrow columns that break the rules of the C data interface, as a library with a mistake could give them."""

import collections
import ctypes
import struct

RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_keep = []


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))
GET_LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_LAST_ERROR),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def kept(value):
    """The value, which lives until the process ends, because a struct has only its address."""
    _keep.append(value)
    return value


#: How often structs of each kind were released. Nothing is freed: the structs and the buffers of this file are kept.
releases = collections.Counter()


@RELEASE
def release_schema(address):
    releases["schema"] += 1


@RELEASE
def release_array(address):
    releases["array"] += 1


@RELEASE
def release_stream(address):
    releases["stream"] += 1


def offsets(*numbers):
    return struct.pack(f"={len(numbers)}i", *numbers)


def schema(format=b"z", children=None, dictionary=None, **fields):
    """A schema; `children` is a list of schemas or None."""
    made = kept(Schema(format=kept(format), release=release_schema))
    if children is not None:
        made.n_children = len(children)
        made.children = kept((ctypes.POINTER(Schema) * len(children))(*[child and ctypes.pointer(child) for child in children]))
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def array(length=2, buffers=(None, offsets(0, 1, 3), b"abc"), dictionary=None, **fields):
    """An array; each buffer is bytes or a writable buffer, or None for NULL."""

    def address(buffer):
        if buffer is None:
            return None
        memory = (ctypes.c_char * max(len(buffer), 1)).from_buffer(buffer if isinstance(buffer, bytearray) else bytearray(buffer or b"\0"))
        return ctypes.addressof(kept(memory))

    addresses = kept((ctypes.c_void_p * len(buffers))(*map(address, buffers)))
    made = kept(Array(length=length, n_buffers=len(buffers), buffers=addresses, release=release_array))
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def released(made):
    made.release = RELEASE()
    return made


class Column:
    """An object with the PyCapsule interface over two structs."""

    def __init__(self, schema, array):
        self.structs = schema, array

    def renew(self):
        """Lets the column be read again. An array that has been read is marked as released."""
        schema, array = self.structs
        self.structs = schema, kept(self.copy) if hasattr(self, "copy") else array
        self.copy = Array.from_buffer_copy(self.structs[1])

    def __arrow_c_array__(self, requested_schema=None):
        names = b"arrow_schema", b"arrow_array"
        return tuple(_new_capsule(ctypes.addressof(made), name, None) for made, name in zip(self.structs, names))


class Chunked:
    """An object with the PyCapsule interface over a stream of arrays with one schema. With `error`, the stream fails
    after them. Without a schema it fails at once."""

    def __init__(self, schema, *arrays, error=...):
        self.schema, self.arrays, self.error = schema, list(arrays), error

    def __arrow_c_stream__(self, requested_schema=None):
        def get_schema(stream, out):
            if self.schema is None:
                return 22
            ctypes.memmove(out, ctypes.addressof(self.schema), ctypes.sizeof(Schema))
            return 0

        def get_next(stream, out):
            if not self.arrays and self.error is not ...:
                return 5
            made = self.arrays.pop(0) if self.arrays else released(array())
            ctypes.memmove(out, ctypes.addressof(made), ctypes.sizeof(Array))
            return 0

        message = None if self.error in (None, ...) else ctypes.addressof(kept(ctypes.create_string_buffer(self.error)))
        functions = kept((GET_SCHEMA(get_schema), GET_NEXT(get_next), GET_LAST_ERROR(lambda stream: message)))
        stream = kept(Stream(*functions, release=release_stream))
        return _new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)
