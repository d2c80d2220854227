"""A model server in a thread: it answers as Ollama and as OpenAI do, or as badly as a test wants."""

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
    """`spoil` changes (status, content) of an answer; `requests` holds (path, headers, message) of each; `hold` stops it half way."""

    def __init__(self):
        self.requests = []
        self.dim, self.model = DIM, ""
        self.spoil = lambda status, content: (status, content)
        self.held = Event()
        self.held.set()

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
        """Answer one request."""
        message = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.requests.append((request.path, dict(request.headers), message))
        status, content = self.spoil(200, self.said(request.path, message["input"]))
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        try:
            request.wfile.write(f"HTTP/1.0 {status} Said\r\nLocation: {self.url}/elsewhere\r\n".encode())
            self.held.wait()
            request.wfile.write(b"\r\n" + body)
        except OSError:
            return  # the other end had enough

    def said(self, path, texts):
        """The vectors, as the address has them; OpenAI's in another order than asked, each with its place."""
        vectors = [vector(text, self.dim, self.model) for text in texts]
        if path == "/api/embed":
            return {"model": "m", "embeddings": vectors}
        return {"data": [{"index": at, "embedding": row} for at, row in reversed(list(enumerate(vectors)))]}

    def texts(self):
        """How many texts each request brought."""
        return [len(message["input"]) for _, _, message in self.requests]
