"""Which decision does this revert: a memory that undoes a commit is linked to what that commit decided, and to its reason.

python examples/which_decision_does_this_revert.py
"""

from clew import Clew, Draft, Source

SHA = "4f2a9c1d7be03355aa10c9e2f7718b6d0c4e9a21"


def main() -> None:
    """Three memories as an import of the history would bring them, one question."""
    with Clew(":memory:", project="shop") as clew:
        clew.remember_many(
            [
                Draft("Cache prices for an hour", "decision", "The vendor bills every call (#7).", source=Source(commit=SHA)),
                Draft("#7: the vendor's invoice doubled in May", "observation"),
                Draft("Ask the vendor for every price", "decision", f"This reverts commit {SHA}: customers saw stale prices."),
            ]
        )
        for node in clew.why("we ask the vendor for every price", max_hops=2).nodes:
            if node.memory is not None:
                print("  " * node.hop + node.memory.summary)


if __name__ == "__main__":
    main()
