"""What a benchmark is handed: damaged lines are named, and nothing is measured of the rest."""

import json
import sys

import pytest

from benchmarks import convergence, fingerprint
from benchmarks.rows import NUMBER, TEXT, rows
from clew.errors import InvalidInput

FIELDS = {"s": NUMBER, "k": TEXT}
PAIR = {"a": "x failed", "b": "x failed", "same": True, "kind": "k"}
CALL = {"s": 1, "t": 2.0, "i": 0, "k": "user"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"not json", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b"[]", "is no object but list"),
        (b'{"s": 1}', "'k' is to be str, not None"),
        (b'{"s": "1", "k": "f"}', "'s' is to be int or float, not '1'"),
    ],
)
def test_a_line_of_another_form_is_named_with_its_file(tmp_path, line, says):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b'{"s": 1, "k": "f"}\n\n' + line)
    with pytest.raises(InvalidInput, match=r"trace\.jsonl, line 3") as caught:
        rows(path, FIELDS)
    assert says in str(caught.value)


def test_sound_lines_come_back_in_order_without_blank_ones(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_text('{"s": 1, "k": "f"}\n\n{"s": 2.5, "k": "g", "more": []}\n')
    assert [row["s"] for row in rows(path, FIELDS)] == [1, 2.5]


@pytest.mark.parametrize(
    ("bench", "row", "content"),
    [
        (fingerprint, PAIR, json.dumps(PAIR | {"same": "yes"})),
        (fingerprint, None, "\n"),
        (fingerprint, None, None),
        (convergence, CALL, "nope"),
        (convergence, CALL, json.dumps({"s": 1})),
        (convergence, None, "{}"),
    ],
)
def test_a_benchmark_ends_with_one_line_of_error_and_writes_nothing(tmp_path, monkeypatch, capsys, bench, row, content):
    path, out = tmp_path / "handed.jsonl", tmp_path / "out.json"
    if content is not None:
        path.write_text((json.dumps(row) + "\n" if row and bench is fingerprint else "") + content)
    if row is CALL:
        (tmp_path / "references.jsonl").write_text(json.dumps(CALL))
    monkeypatch.setattr(sys, "argv", ["bench", str(path), "--json", str(out)])
    assert bench.main() == 2
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 1
    assert not out.exists()
