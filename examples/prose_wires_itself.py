"""Prose that wires its own graph: notes go in as they were written, and `why` walks from a choice to its reasons. No model is asked.

python examples/prose_wires_itself.py
"""

from clew import Clew

NOTES = """
We decided to queue uploads in RabbitMQ because Redis lists dropped jobs when a worker died. Should we shard it later?

Redis lists dropped jobs when a worker died. Therefore we keep a copy of every upload for 7 days.

- The bucket `uploads-eu` costs 40 EUR a month.
"""


def main() -> None:
    """One text, four memories, two links."""
    with Clew(":memory:", project="uploads") as clew:
        kept = clew.remember_extracted(NOTES)
        for one in kept:
            print(f"#{one.memory.id} {one.memory.kind}: {one.memory.summary}")
        print("why a copy for 7 days?")
        for node in clew.why(kept[2].memory.id).nodes:
            if node.memory is not None:
                print("  " * node.hop + node.memory.summary)


if __name__ == "__main__":
    main()
