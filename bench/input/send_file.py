"""
A client of HTTP whose bodies are parts of files, sent by `sendfile`, so that it takes little CPU from the server beside it. Writes a line with its name, then answers each line of
standard input, `{"port", "method", "path", "headers", "body": null | {"file", "start", "end"}}`, with a line, `{"status", "text"}`. Each request has a connection of its own.
"""

import json
import os
import sys
from http.client import HTTPConnection


def ask(port, method, path, headers, body):
    connection = HTTPConnection("127.0.0.1", port)
    connection.putrequest(method, path, skip_accept_encoding=True)
    length = 0 if body is None else body["end"] - body["start"]
    for name, value in {**headers, "content-length": length}.items():
        connection.putheader(name, value)
    connection.endheaders()
    if length > 0:
        with open(body["file"], "rb") as file:
            at = body["start"]
            while at < body["end"]:
                sent = os.sendfile(connection.sock.fileno(), file.fileno(), at, body["end"] - at)
                if sent == 0:
                    raise EOFError(f"{body['file']} has only {at} bytes")
                at += sent
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return {"status": answer.status, "text": text}


print(json.dumps({"name": "sendfile of Python"}), flush=True)
for line in sys.stdin:
    print(json.dumps(ask(**json.loads(line))), flush=True)
