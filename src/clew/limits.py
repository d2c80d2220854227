"""Every bound a user can meet, in one table, so that an error can name the limit it enforces."""

TEXT_BYTES = 1 << 20  # summary + detail of one memory, UTF-8 bytes
SUMMARY_CHARS = 500  # one line; longer text belongs into the detail
TAGS = 64  # tags on one memory
TAG_CHARS = 100
METADATA_KEYS = 64
METADATA_BYTES = 64 << 10  # the JSON text of one memory's metadata
POINTERS = 64  # code locations on one memory
QUESTION_BYTES = 8 << 10  # the part of a question that is searched; the rest cannot change which memory is best
RECALL_LIMIT = 1_000  # hits one recall may ask for
REASON_CHARS = 2_000
ID_MAX = (1 << 53) - 1  # the largest integer every JSON client keeps exactly
DIGEST_PREFIX = 6  # hex digits that may stand for a whole digest
LABEL_CHARS = 200  # a project's name
PACK_CHARS = (400, 100_000)  # the budgets a pack may be given
OPENING_CHARS = 2_900  # of an opening pack, unless a budget is given: the smallest inline limit measured in a client is 3,000
WHERE_BYTES = 8 << 10  # the text form of a predicate
WHERE_DEPTH = 32  # parentheses and nots within one another
WHERE_PARTS = 500  # comparisons and values of one predicate
HOPS = 10  # links between a seed and the end of a trail
TRAIL_LIMIT = 500  # memories on one trail

# Of what the compiler is given.
TOKENS_MAX = 10_000_000  # of a budget
FRAGMENTS = 1_024  # of one request
FRAGMENT_BYTES = 1 << 20  # UTF-8 bytes of one fragment's content
MEDIA_BASE64 = 4 << 20  # characters of one attachment
MEDIA_TOTAL = 64 << 20  # characters of all of them

# Words that more than one floor must know.
FRAGMENT_KINDS = ("text", "code", "log", "diff", "json", "markdown", "screenshot", "memory", "tool_result")
COUNTERS = ("heuristic", "cl100k", "o200k")  # of tokens
FRAME = "clew-memory"  # the tag around all that is told of memories; text that comes back to us is known by it

# Settings of CLEW_EMBED that more than one floor must know.
SERVED = ("ollama", "openai-compatible")  # embedders that ask a server
QUALITY = "quality"  # questions and new memories by the table, read anew by a transformer
