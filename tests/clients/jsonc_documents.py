"""Any JSON with comments, as hypothesis draws it: white space and comments anywhere, trailing commas, escapes, every line end."""

import json

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "hooks", "mcpServers", "Stop", "ü", 'q"', "\n", "😀", ""])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=6)
)
VALUES = st.recursive(SCALARS, lambda kids: st.lists(kids, max_size=3) | st.dictionaries(NAMES, kids, max_size=3), max_leaves=6)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=3)
NEW = st.sampled_from(["clew", "SessionStart", "Ä new", "a-b"])


@st.composite
def trivia(draw, newline):
    """White space and comments, in any mixture a person could leave behind."""
    parts = [" ", "\t", newline, newline + "    ", "/* a { , ] */", '// b } " ,' + newline, ""]
    return "".join(draw(st.lists(st.sampled_from(parts), max_size=3)))


@st.composite
def written(draw, value, newline):
    """`value` as JSON with comments: trivia anywhere, trailing commas, escapes."""
    gap = trivia(newline)
    if not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    members = []
    for key in value:
        label = json.dumps(key, ensure_ascii=draw(st.booleans())) + draw(gap) + ":" + draw(gap) if isinstance(value, dict) else ""
        members.append(draw(gap) + label + draw(written(value[key] if isinstance(value, dict) else key, newline)) + draw(gap))
    comma = "," + draw(gap) if members and draw(st.booleans()) else draw(gap) if not members else ""
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + ",".join(members) + comma + closing


@st.composite
def documents(draw):
    """(text, value) of a whole file."""
    value, newline = draw(OBJECTS), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    kind = draw(st.sampled_from(["free", "tight", "2", "4", "tab"]))
    if kind == "free":
        return draw(trivia(newline)) + draw(written(value, newline)) + draw(trivia(newline)), value
    how = {"tight": {"separators": (",", ":")}, "2": {"indent": 2}, "4": {"indent": 4}, "tab": {"indent": "\t"}}[kind]
    return json.dumps(value, ensure_ascii=False, **how).replace("\n", newline) + draw(st.sampled_from(["", newline])), value
