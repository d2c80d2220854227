"""What ordinary questions are about, so that recall can tell a question for this store from one for anybody.

A question about a recipe lies nearer to "recipe ingredients cook dish" than to any memory of a code base, however the words fall; one
about the memories does not. The idea is the cohort of speaker verification (Auckenthaler et al. 2000): a match counts by how far it
beats what strangers reach. A store that is itself about recipes wins against these few words, because its memories say more.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from heapq import nlargest
from math import sqrt
from operator import mul
from struct import Struct

from clew.lanes import dots
from clew.text import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from clew.embed.base import Embedder

# In plain English: a line of Spanish dishes lies near to every question in Spanish. A server is asked for 64 at a time (clew.embed.remote).
TOPICS = (
    "poem poetry verse rhyme haiku",
    "song lyrics melody singer album",
    "band concert guitar piano violin",
    "novel author book literature",
    "fairy tale bedtime story dragon princess",
    "film movie actor director",
    "theatre dance ballet opera",
    "painting painter artist museum sculpture",
    "joke funny riddle laugh",
    "photo portrait camera landscape",
    "recipe ingredients cook dish",
    "bake oven bread dough flour yeast",
    "egg milk butter cheese",
    "soup sauce onion garlic pasta",
    "roast chicken beef meat fish",
    "cake dessert chocolate sugar cookies",
    "apple banana fruit tomato vegetables",
    "wine beer coffee tea drink",
    "restaurant dinner breakfast meal",
    "vegetarian diet calories vitamin",
    "capital city of a country",
    "population country border continent",
    "mountain river lake ocean island",
    "desert jungle forest waterfall",
    "travel holiday hotel beach tourist",
    "flight airport train ticket passport",
    "weather rain snow sunny temperature",
    "earthquake storm flood volcano",
    "map Europe Africa Asia America",
    "currency euro dollar money price",
    "football match goal team league cup",
    "tennis basketball golf champion",
    "olympic medal record athlete sprint",
    "running marathon training exercise gym",
    "swim bicycle ski climb hiking",
    "chess cards board game puzzle",
    "doctor disease symptoms medicine",
    "headache back pain shoulder muscle",
    "heart blood bone brain lung",
    "sleep stress healthy habits",
    "garden plants flowers roses soil",
    "tree leaves seeds grow water",
    "dog cat puppy pet",
    "horse cow sheep farm",
    "bird fish insect whale lion",
    "planet star moon sun space",
    "physics atom gravity light speed",
    "chemistry element acid boiling water",
    "dinosaur fossil evolution species",
    "mathematician equation geometry triangle",
    "history war battle century",
    "king queen empire castle",
    "ancient Rome Greece Egypt pyramid",
    "president election parliament minister",
    "court police crime prison",
    "church god religion bible prayer",
    "philosophy meaning of life happiness",
    "inventor discovered first famous person born",
    "revolution independence treaty",
    "language translate Spanish French Italian",
    "school teacher pupil homework exam",
    "child baby mother father family",
    "wedding birthday gift party",
    "love letter romance friend",
    "Christmas Easter holiday tradition",
    "clothes shirt dress shoes fashion",
    "hair skin makeup beauty",
    "house furniture kitchen bathroom",
    "clean stain laundry wash",
    "knitting sewing wood craft",
    "car engine tyre driving",
    "ship boat sail fishing",
    "tower bridge tallest building",
    "newspaper television celebrity",
    "salary rent tax mortgage",
    "joyful conversation how are you today",
    "old age years birthday died",
    "gold silver diamond stone",
    "toys costume magic",
    "fire camping tent",
    "sonnet limerick ballad ode elegy acrostic villanelle",
    "stanza line rhyme scheme metaphor of the poem",
    "verse by Keats, Byron or Wordsworth",
    "Dickinson Whitman Frost Poe Plath Eliot",
    "verse by Homer, Dante or Kipling",
    "Shakespeare Hamlet Macbeth Romeo play",
    "nightingale raven swan rose autumn snow in a poem",
    "verses about love, the sea or winter",
    "recite the opening lines by heart",
    "cook lasagne or other pasta with tomato sauce",
    "sourdough starter and crust for a loaf of bread",
    "meringue, custard, pudding, brownies and pie",
    "pancakes waffles muffins doughnuts jam",
    "broth, gravy and stew made from chicken stock",
    "lentils, chickpeas and hummus",
    "tofu curry rice noodles sushi dumplings",
    "Mexican food, beans and peppers in a wrap",
    "fry eggs with melted cheese on toast",
    "mushrooms spinach garlic ginger asparagus potatoes",
    "salmon shrimp tuna bacon ham turkey lamb",
    "how to marinate, knead, whisk, simmer, fry or boil it",
    "oven temperature minutes bake roast until golden",
    "basil parsley cinnamon vanilla saffron pepper",
    "cups grams tablespoon of flour, butter and eggs",
    "substitute for buttermilk, cream or baking powder",
    "leftovers freeze fridge keep fresh",
    "what is the capital of this country",
    "the capital of Portugal, Norway, Poland or Hungary",
    "Mongolia Nepal Kazakhstan Vietnam Thailand",
    "Kenya Nigeria Ethiopia Morocco Senegal",
    "the capital of Peru, Chile or Ecuador",
    "Canada Ottawa Australia Canberra New Zealand Wellington",
    "which city was the former capital",
    "northernmost largest smallest country in the world",
    "Danube Thames Nile Amazon delta",
    "museum and cathedral, sights for a visitor in town",
    "repot and prune an orchid, cactus or houseplant",
    "toddler newborn infant crying nap",
    "leaking tap sink plumber ceiling paint",
    "elephant giraffe penguin dolphin fish",
    "ants mice wasps in the kitchen",
    "juggle knit origami tie a knot",
    "penalty referee offside striker scored",
    "Olympic champion won the final season",
    "funeral holiday wear suit dress",
    "thunder lightning rainbow tide moon",
    "first woman man in space president",
    "teeth vaccine fever sunburn diet",
)

LISTS = 80  # of the topics are lists of words, the rest phrases
NEAREST = 3  # topics whose cosines are averaged: one alone is luck
_FILE = os.path.join(os.path.dirname(__file__), "everyday.i8")
_FINGERPRINT_BYTES = 16
_NORM = Struct("<I")  # squared length of the row that follows
_known: dict[str, tuple[list[float], bytes]] = {}
_latest: dict[tuple[str, bytes], float] = {}


def nearness(embedder: Embedder, question: bytes) -> float:
    """Mean cosine, -1..1, of a question's vector with the topics it is nearest to; 0.0 for an empty vector. Standard library only."""
    if not question:
        return 0.0
    asked = embedder.fingerprint, question
    known = _latest.get(asked)
    if known is None:
        _latest.clear()  # the trail of a question asks what its recall asked a moment ago
        known = _latest[asked] = _nearness(embedder, question)
    return known


def _nearness(embedder: Embedder, question: bytes) -> float:
    size = sqrt(_squared(question))
    norms, vectors = _topics(embedder)
    cosines = [product / (size * norm) for product, norm in zip(_products(question, vectors), norms, strict=True)]
    best: float = sum(nlargest(NEAREST, cosines))
    return best / NEAREST


@cache
def words() -> tuple[str, ...]:
    """The terms of the first two words of each list: how many of them a store knows tells how much of the everyday world it speaks of."""
    return tuple(dict.fromkeys(term for topic in TOPICS[:LISTS] for word in topic.split()[:2] for term in index_terms(word)))


def packed(embedder: Embedder) -> bytes:
    """The content of `everyday.i8` for `embedder`: its fingerprint, then for each topic the squared length (u32) and the vector."""
    vectors = embedder.embed_many(TOPICS)
    return embedder.fingerprint.encode() + b"".join(_NORM.pack(_squared(v)) + v for v in vectors)


def learn(fingerprint: str, vectors: Sequence[bytes]) -> None:
    """Let `vectors` stand for the topics with the embedder of this fingerprint in this process: for one that is slow to ask."""
    _latest.clear()
    _known[fingerprint] = [sqrt(_squared(vector)) for vector in vectors], b"".join(vectors)


def _squared(vector: bytes) -> int:
    values: list[int] = memoryview(vector).cast("b").tolist()
    return sum(map(mul, values, values))


def _topics(embedder: Embedder) -> tuple[list[float], bytes]:
    """(lengths, vectors one after the other) of the topics: from the file if this embedder made it, else embedded once a process."""
    known = _known.get(embedder.fingerprint)
    if known is None:
        known = _known[embedder.fingerprint] = _unpacked(_stored(embedder.fingerprint) or packed(embedder), embedder.dim)
    return known


def _products(question: bytes, vectors: bytes) -> Sequence[float]:
    """Dot products with every vector; whole numbers below 2^24, so numpy in float32 has the same."""
    if "numpy" not in sys.modules:
        return dots(question, vectors)
    import numpy as np

    matrix = np.frombuffer(vectors, np.int8).reshape(-1, len(question)).astype(np.float32)
    products: list[float] = (matrix @ np.frombuffer(question, np.int8).astype(np.float32)).tolist()
    return products


def _stored(fingerprint: str) -> bytes:
    try:
        with open(_FILE, "rb") as file:
            content = file.read()
    except OSError:
        return b""
    return content if content.startswith(fingerprint.encode()) else b""


def _unpacked(content: bytes, dim: int) -> tuple[list[float], bytes]:
    norms, vectors = [], []
    for at in range(_FINGERPRINT_BYTES, len(content), _NORM.size + dim):
        norms.append(sqrt(_NORM.unpack_from(content, at)[0]))
        vectors.append(content[at + _NORM.size : at + _NORM.size + dim])
    return norms, b"".join(vectors)
