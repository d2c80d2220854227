"""Which texts have the shape of a log, whatever wrote them."""

import pytest

from clew.compiler.logs import looks_like_log


def text_of(lines, end="\n"):
    return "".join(line + end for line in lines)


SHAPES = {
    "pytest": [f"tests/test_cart.py::test_{n} PASSED [ {n}%]" for n in range(20)],
    "npm": [f"npm WARN deprecated left-pad{n}@1.0.{n}: no longer kept" for n in range(10)],
    "go test": [x for n in range(8) for x in (f"=== RUN   TestCart{n}", f"--- PASS: TestCart{n} (0.0{n}s)")],
    "cargo": [f"   Compiling crate{n} v0.1.{n}" for n in range(12)],
    "docker build": [x for n in range(6) for x in (f"#{n} [{n}/6] RUN apt-get update", f"#{n} DONE 1.{n}s")],
    "apt": [f"Get:{n} http://deb.example/debian amd64 lib{n} 1.{n} [12 kB]" for n in range(9)],
    "syslog": [f"Dec  1 04:{n:02}:10 host sshd[{n}]: Accepted publickey" for n in range(9)],
    "json lines": [f'{{"level":"info","ts":1764563910.{n},"msg":"took {n}ms"}}' for n in range(9)],
    "access": [f'10.0.0.{n} - - [01/Dec/2026:04:00:{n:02} +0000] "GET /a HTTP/1.1" 200 7' for n in range(9)],
    "cmake": [f"[{n * 10:3}%] Building CXX object a/{n}.o" for n in range(10)],
    "maven": [f"[INFO] Downloading from central: a/{n}.jar" for n in range(8)],
    "level in the middle": [f"shop.cart - INFO - total of cart {n} is {n * 7}" for n in range(9)],
    "program first": [f"update-alternatives 2026-12-01 04:{n:02}:00: run with --quiet" for n in range(9)],
    "training": [f"epoch {n} loss 0.{n}7 after {n}s" for n in range(20)],
}
OTHERS = {
    "prose": ["The memory keeps what was decided. It was a long day, and nobody knew why.", "Then it rained."] * 9,
    "python": ["import os", "", "def total(lines):", "    for line in lines:", "        print(line)", "    return 12", "x = total(1)"] * 3,
    "markdown": ["# Title", "", "- one point", "- two points", "", "| a | b |", "|---|---|", "| 1 | 2 |"] * 3,
    "json": ["{", '  "a": 1,', '  "b": [', "    2,", "    3", "  ]", "}"] * 3,
    "csv": [f"{n},cart,{n * 7},open" for n in range(20)],
    "short": ["INFO ready"],
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_log_is_known_by_its_shape(name):
    assert looks_like_log(text_of(SHAPES[name]))
    assert looks_like_log(text_of(SHAPES[name], "\r\n"))


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_log_is_not_taken_for_one(name):
    assert not looks_like_log(text_of(OTHERS[name]))


def test_a_progress_bar_alone_is_a_log():
    assert looks_like_log("".join(f"\r{n}%" for n in range(20)))
