"""A model server in a thread: it answers as Ollama and as OpenAI's kind do, or as badly as a test wants."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from clew.embed import HashingEmbedder

DIM = 384


def vector(text, dim=DIM, model=""):
    """What the model makes of a text: the words' hashes, other ones for another model, and a part that all texts share."""
    words = HashingEmbedder(dim).embed(" ".join(model + word for word in text.split()))
    return [(value - 256 if value > 127 else value) / 127 + 0.5 * (at % 7 == 0) for at, value in enumerate(words or bytes(dim))]


class ModelServer:
    """Vectors and messages, in the form of the address that is asked for them.

    `answers` holds what the model says in a chat, one after another, the last again and again: text, or bytes sent as the whole body.
    `spoil` changes (status, content) of an answer; `requests` holds (path, headers, message) of each; `hold` stops it half way.
    """

    def __init__(self):
        self.requests, self.answers = [], []
        self.dim, self.model = DIM, ""
        self.spoil = lambda status, content: (status, content)
        self.held = Event()
        self.held.set()
        self.table = {
            "/api/embed": lambda asked: {"model": "m", "embeddings": self.vectors(asked)},
            "/v1/embeddings": lambda asked: {"data": self.shuffled(asked)},
            "/api/chat": lambda asked: self.said(lambda message: {"message": message, "done": True}),
            "/v1/chat/completions": lambda asked: self.said(lambda message: {"choices": [{"index": 0, "message": message}]}),
        }

    def __enter__(self):
        outer = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self):
                outer.answer(self)

            def log_message(self, *arguments):
                """Says nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._http.daemon_threads = False
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *error):
        self.held.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, request):
        """Answer one request; an address that is not in the table is nobody's."""
        message = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.requests.append((request.path, dict(request.headers), message))
        made = self.table.get(request.path)
        status, content = self.spoil(200, made(message)) if made else (404, b"")
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        try:
            request.wfile.write(f"HTTP/1.0 {status} Said\r\nLocation: {self.url}/elsewhere\r\n".encode())
            self.held.wait()
            request.wfile.write(b"\r\n" + body)
        except OSError:
            return  # the other end had enough

    def vectors(self, asked):
        """The vectors of the texts of a message."""
        return [vector(text, self.dim, self.model) for text in asked["input"]]

    def shuffled(self, asked):
        """The vectors in another order than asked, each with its place."""
        return [{"index": at, "embedding": row} for at, row in reversed(list(enumerate(self.vectors(asked))))]

    def said(self, shaped):
        """The next of the answers, in the form that `shaped` gives a message."""
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return said if isinstance(said, bytes) else shaped({"role": "assistant", "content": said})

    def texts(self):
        """How many texts each request brought."""
        return [len(message["input"]) for _, _, message in self.requests]
