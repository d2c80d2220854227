"""A chat server in a thread: it answers as Ollama and as OpenAI's kind do, or as badly as a test wants."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


class ChatServer:
    """`answers` holds what the model says, one after another, the last again and again: text, or bytes sent as the whole body.

    `requests` holds (path, headers, message) of each; `hold` it, and no answer comes until it is let go.
    """

    def __init__(self):
        self.requests, self.answers, self.status = [], [], 200
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
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.held.wait()
        body = said if isinstance(said, bytes) else json.dumps(self.shaped(request.path, said)).encode()
        try:
            request.wfile.write(f"HTTP/1.0 {self.status} Said\r\nLocation: {self.url}/elsewhere\r\n\r\n".encode() + body)
        except OSError:
            return  # the other end had enough

    def shaped(self, path, said):
        """A message in the form of the address."""
        message = {"role": "assistant", "content": said}
        return {"message": message, "done": True} if path == "/api/chat" else {"choices": [{"index": 0, "message": message}]}

    def settings(self, dialect="ollama", **more):
        """The environment that has this server asked."""
        return {"CLEW_EXTRACTOR": dialect, "CLEW_EXTRACTOR_URL": self.url, "CLEW_EXTRACTOR_MODEL": "small:7b", **more}
