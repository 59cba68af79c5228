"""The types that the stubs promise are those of the values."""

import ast
import inspect
import types
import typing
from pathlib import Path

import pytest

import textcodec
from textcodec import _textcodec

STUBS = Path(textcodec.__file__).with_name("_textcodec.pyi")


def classes():
    """The classes of the stubs, with their properties and the types of these."""
    tree = ast.parse(STUBS.read_text(encoding="utf-8"))
    names = {"_E": textcodec.Encoding | textcodec.Charset, **vars(typing), **vars(_textcodec), "_bytes": bytes}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.annotation, ast.Name):
            if node.annotation.id == "TypeAlias" and ast.unparse(node.value).startswith("Literal["):
                names[node.target.id] = eval(ast.unparse(node.value), names)
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            properties = {
                member.name: eval(ast.unparse(member.returns), names)
                for member in node.body
                if isinstance(member, ast.FunctionDef) and [ast.unparse(name) for name in member.decorator_list] == ["property"]
            }
            properties |= {
                member.target.id: eval(ast.unparse(member.annotation), names)
                for member in node.body
                if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
            }
            found[node.name] = properties
    return found


def parts(value, annotation):
    """The parts of a union of types, of which `value` is one; the values that a `Literal` has; or the type itself."""
    origin = typing.get_origin(annotation)
    if origin in (types.UnionType, typing.Union):
        return {part for one in typing.get_args(annotation) for part in parts(value, one)}
    if origin is typing.Literal:
        return {value} & set(typing.get_args(annotation))
    if origin in (tuple, list):
        (element, *_) = typing.get_args(annotation)
        return {origin} if type(value) is origin and all(parts(it, element) for it in value) else set()
    if annotation is None:
        annotation = type(None)
    return {annotation} if type(value) is annotation else set()


def objects():
    """Objects of every class, whose properties have every type that they can have."""
    koi8, cp037 = textcodec.lookup("koi8-r"), textcodec.Charset("cp037")
    yield from (koi8, textcodec.lookup("utf-8"), cp037, textcodec.Charset("gbk"))
    yield from (textcodec.decode(b"a", koi8), textcodec.decode(b"a", cp037))
    yield from (textcodec.html(b"a"), textcodec.decode_as(b"a", "atob"))
    for charset in (koi8, cp037):
        yield from (textcodec.IncrementalDecoder(charset), textcodec.IncrementalEncoder(charset))
    stream = textcodec.ContextDecoder("html", "gbk")
    yield stream
    ended = textcodec.ContextDecoder("html", "gbk")
    ended.decode(b"a", True)
    yield ended
    texts = [b"", b"a", b"caf\xe9", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "é ".encode() * 200 + b"\xff", "Привет, как дела?".encode("koi8-r"), "это".encode("utf-32")]
    for data in texts:
        detection = textcodec.detect(data)
        yield detection
        yield from detection.candidates
    yield from textcodec.check("\ufeff☃\r\n\n".encode() + b"\xff", to="latin1")
    yield from textcodec.check(b"caf\xe9", "auto")
    for text in ("cafÃ©\nSÓ…\nIt\x92s", "right"):
        repaired = textcodec.repair(text)
        yield repaired
        yield from repaired.changes
        yield from repaired.steps
    yield textcodec.fix("\ufeffa")
    yield textcodec.repair("caf\ufffdÃ©", ambiguous=True)


def test_every_property_of_the_stubs_has_values_of_each_of_its_types():
    stubs, seen = classes(), {}
    for value in objects():
        name = type(value).__name__
        for attribute, annotation in stubs[name].items():
            found = getattr(value, attribute)
            matching = parts(found, annotation)
            assert matching, f"{name}.{attribute} is {found!r}, and the stubs say {annotation}"
            seen.setdefault((name, attribute), (annotation, set()))[1].update(matching)
    # The types without objects above are those of Arrow and of codecs.
    missing = {name for name in stubs if stubs[name] and not any(name == of for of, _ in seen)}
    assert missing == {"ChunkedArray"}
    for (name, attribute), (annotation, found) in seen.items():
        if typing.get_origin(annotation) in (types.UnionType, typing.Union):
            wanted = {part for part in typing.get_args(annotation) if typing.get_origin(part) is not typing.Literal}
            assert wanted <= found | {tuple, list}, f"no {name}.{attribute} has each of the types {annotation}"


def test_every_public_attribute_is_in_the_stubs():
    tree = ast.parse(STUBS.read_text(encoding="utf-8"))
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        declared = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
        declared |= {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)}
        found = getattr(_textcodec, node.name)
        public = {name for name in vars(found) if not name.startswith("_")} - {"n_fields", "n_sequence_fields", "n_unnamed_fields"}
        assert public == {name for name in declared if not name.startswith("_")}, node.name


def parameters_of_stub(function):
    """The name, the kind and the default of each parameter of a function in the stubs."""
    arguments = function.args
    names = [*arguments.posonlyargs, *arguments.args]
    for number, name in enumerate(names):
        default = arguments.defaults[number - len(names)] if number >= len(names) - len(arguments.defaults) else None
        yield name.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, default
    for name, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield name.arg, inspect.Parameter.KEYWORD_ONLY, default


def test_every_function_of_the_stubs_has_the_parameters_and_the_defaults_of_the_package():
    tree = ast.parse(STUBS.read_text(encoding="utf-8"))
    owners = [(_textcodec, tree), *((getattr(_textcodec, node.name), node) for node in tree.body if isinstance(node, ast.ClassDef))]
    checked = 0
    for owner, node in owners:
        overloads = {}
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and "property" not in {ast.unparse(name) for name in member.decorator_list}:
                overloads.setdefault(member.name, []).append(member)
        for name, stubs in overloads.items():
            if name == "__len__" or name.startswith("_arrow_") or name == "_charset_of_codec":
                continue
            function = owner if name == "__new__" else getattr(owner, name)
            actual = inspect.signature(function).parameters
            declared = set()
            for stub in stubs:
                for parameter, kind, default in parameters_of_stub(stub):
                    if parameter in ("cls", "self"):
                        declared.add(parameter)
                        continue
                    declared.add(parameter)
                    place = f"{getattr(owner, '__name__', owner)}.{name}, {parameter}"
                    assert parameter in actual, place
                    # With overloads, a label can be left out where there is a charset.
                    if len(stubs) == 1:
                        assert (default is None) == (actual[parameter].default is inspect.Parameter.empty), place
                        assert kind is actual[parameter].kind, place
                    if default is not None:
                        assert ast.literal_eval(default) == actual[parameter].default, place
                    checked += 1
            assert declared - {"cls", "self"} == set(actual) - {"self"}, name
    assert checked > 150, checked
