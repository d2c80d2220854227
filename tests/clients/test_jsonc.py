"""JSON with comments is edited as text: what was added can be read, what was there stays, and taking away gives the text of before."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonc_documents import NEW, VALUES, documents

from clew.clients import jsonc, tree
from clew.errors import InvalidInput


def objects_in(value, path=()):
    """The paths of every object inside `value`, itself included."""
    if isinstance(value, dict):
        yield path
        for key, member in value.items():
            yield from objects_in(member, (*path, key))


def lists_in(value, path=()):
    """The paths of every list that is reached through objects alone."""
    if isinstance(value, list):
        yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from lists_in(member, (*path, key))


def with_member(value, path, new):
    """`value` with `new` at `path`, by plain means."""
    head, *rest = path
    return {**value, head: with_member(value.get(head, {}), rest, new) if rest else new}


@given(documents())
def test_every_document_is_read_as_what_it_says(document):
    text, value = document
    assert jsonc.read(text, ()) == value


@given(documents(), st.data())
def test_an_added_member_is_there_and_nothing_else_changed(document, data):
    text, value = document
    path = (*data.draw(st.sampled_from(list(objects_in(value)))), *data.draw(st.lists(NEW, min_size=1, max_size=3)))
    new = data.draw(VALUES)
    edited = jsonc.put(text, path, new)
    assert jsonc.read(edited, ()) == with_member(value, path, new)
    assert jsonc.put(edited, path, new) == edited
    words = iter(edited)
    assert all(letter in words for letter in text if not letter.isspace()), "what was there is still there, in its order"


@given(documents(), st.data())
def test_taking_away_what_was_added_gives_the_text_of_before(document, data):
    text, value = document
    holder = data.draw(st.sampled_from(list(objects_in(value))))
    names = data.draw(st.lists(NEW, min_size=1, max_size=3, unique=True))
    edited = text
    for name in names:
        edited = jsonc.put(edited, (*holder, name, "deep"), data.draw(VALUES))
    for name in data.draw(st.permutations(names)):
        edited = jsonc.drop(edited, (*holder, name))
    assert jsonc.put_back(edited, holder, text) == text


@given(documents(), st.data())
def test_an_appended_element_comes_and_goes_without_a_trace(document, data):
    text, value = document
    path = data.draw(st.sampled_from([*lists_in(value), ("new",), ("new", "list")]))
    before = jsonc.read(text, path) or []
    new = data.draw(VALUES)
    edited = jsonc.append(text, path, new)
    assert jsonc.read(edited, path) == [*before, new]
    edited = jsonc.drop(edited, (*path, len(before)))
    for cut in range(len(path), -1, -1):
        edited = jsonc.put_back(edited, path[:cut], text)
    assert edited == text


@given(documents(), st.data())
def test_a_replaced_value_leaves_everything_around_it(document, data):
    text, value = document
    path = data.draw(st.sampled_from(list(objects_in({"": value}))[1:]))[1:]
    if not path:
        return
    edited = jsonc.put(text, path, "clew")
    node = tree.walk(text, tree.parse(text), path)[-1]
    assert edited == text[: node.start] + '"clew"' + text[node.end :]


@given(documents(), st.data())
def test_dropping_any_member_drops_only_that(document, data):
    text, value = document
    holders = [path for path in objects_in(value) if tree.walk(text, tree.parse(text), path)[-1].members]
    if not holders:
        return
    path = data.draw(st.sampled_from(holders))
    name = data.draw(st.sampled_from(sorted(jsonc.read(text, path))))
    left = {key: member for key, member in jsonc.read(text, path).items() if key != name}
    assert jsonc.read(jsonc.drop(text, (*path, name)), path) == left


@given(st.text(max_size=40) | st.text('{}[]",:/*\\ \n01tn', max_size=25))
def test_any_text_is_read_or_refused_with_a_place(text):
    try:
        tree.parse(text)
    except InvalidInput as error:
        line, column = map(int, error.field.split(":"))
        assert 1 <= line <= text.count("\n") + 1
        assert 1 <= column <= len(text) + 1


@given(VALUES, st.sampled_from([None, 2, "\t"]))
def test_strict_json_reads_as_the_standard_library_reads_it(value, indent):
    text = json.dumps(value, indent=indent)
    assert tree.parse(text).value == json.loads(text)


SETTLED = [
    ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "k": [\n        true\n    ]\n}\n'),
    ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\ttrue\n\t]\n}'),
    ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "k": [\r\n    true\r\n  ]\r\n}\r\n'),
    ('{"a":1}', '{"a":1,"k":[true]}'),
    ('{ "a": 1 }', '{ "a": 1, "k": [true] }'),
    ('{\n  "a": 1, // mine\n}\n', '{\n  "a": 1, // mine\n  "k": [\n    true\n  ],\n}\n'),
    ('{\n  "a": 1 // mine\n  // "b": 2\n}\n', '{\n  "a": 1, // mine\n  // "b": 2\n  "k": [\n    true\n  ]\n}\n'),
    ('{"a": 1 // mine\n}', '{"a": 1, // mine\n  "k": [\n    true\n  ]\n}'),
    ("{}", '{\n  "k": [\n    true\n  ]\n}'),
    ("{ /* none yet */ }", '{ /* none yet */\n  "k": [\n    true\n  ]\n}'),
    ("", '{\n  "k": [\n    true\n  ]\n}\n'),
    (" \r\n", '{\n  "k": [\n    true\n  ]\n}\n'),
]


@pytest.mark.parametrize(("before", "after"), SETTLED)
def test_an_addition_is_written_as_the_file_is_written(before, after):
    assert jsonc.put(before, ("k",), [True]) == after
    assert jsonc.put_back(jsonc.drop(after, ("k",)), (), before) == before


REFUSED = [
    ('{\n  "a": 1\n  "b": 2\n}', "3:3", "a comma or } is expected here, but '\"' stands here"),
    ('{"a": 1', "1:8", "a comma or } is expected here, but the file ends"),
    ('{"a": }', "1:7", "a value is expected here, but '}' stands here"),
    ("{'a': 1}", "1:2", "a name in double quotes"),
    ('{"a" 1}', "1:6", "a colon is expected"),
    ('{"a": 1} x', "1:10", "nothing but comments may follow"),
    ('{"a": 1 /* b }', "1:9", "this comment does not end"),
    ('{"a": "b\n"}', "1:7", "a value is expected here"),
    ('{"a": 01}', "1:8", "a comma or }"),
    ("[,]", "1:2", "a value is expected"),
    ("// only a comment", "1:18", "a value is expected here, but the file ends"),
    ('{"a": ' + "1" * 5000 + "}", "1:7", "a number too long"),
    ("[" * 1000, "1:202", "nested deeper than 200 levels"),
]


@pytest.mark.parametrize(("text", "place", "problem"), REFUSED, ids=[problem for _, _, problem in REFUSED])
def test_what_cannot_be_read_is_refused_by_line_and_column(text, place, problem):
    with pytest.raises(InvalidInput) as caught:
        jsonc.put(text, ("k",), 1)
    assert caught.value.field == place
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ('{"hooks": []}', "1:11", "an object is needed here, but a list stands here"),
        ('{"hooks": null}', "1:11", "an object is needed here, but null stands here"),
        ('{"hooks": "x"}', "1:11", "an object is needed here, but a text stands here"),
        ("[]", "1:1", "an object is needed here, but a list stands here"),
        ('{"hooks": {},\n "hooks": {}}', "2:2", '"hooks" stands here a second time'),
        ('{"hooks": {"Stop": {}}}', "1:20", "a list is needed here"),
    ],
)
def test_a_way_that_leads_through_the_wrong_thing_is_refused(text, place, problem):
    with pytest.raises(InvalidInput) as caught:
        jsonc.append(text, ("hooks", "Stop"), 1)
    assert caught.value.field == place
    assert problem in caught.value.problem


def test_a_name_that_stands_twice_elsewhere_is_none_of_ours():
    assert jsonc.put('{"x": 1, "x": 2}', ("k",), 1) == '{"x": 1, "x": 2, "k": 1}'


def test_a_container_that_holds_something_is_not_put_back():
    text = '{"hooks": {"Stop": []}, "mine": 1}'
    assert jsonc.put_back(text, ("hooks",), "{}") == text
    assert jsonc.put_back('{"hooks": {/* mine */}}', ("hooks",), "{}") == '{"hooks": {/* mine */}}'
    assert jsonc.put_back('{"hooks": {/* new */}}', ("hooks",), '{"hooks": {/* old */ }}') == '{"hooks": {/* new */}}'
