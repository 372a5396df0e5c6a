"""Writes a HAR: HTTP as a proxy between a host and a remote server saw it."""

import json
import os

from wire import Clock, compact

REASON = {200: "OK", 201: "Created", 202: "Accepted", 401: "Unauthorized", 404: "Not Found"}


def _pairs(headers):
    return [{"name": name, "value": value} for name, value in headers.items()]


class Har:
    def __init__(self, start, origin):
        self.clock, self.origin, self.entries = Clock(start), origin, []

    def exchange(self, method, path, status, answer=None, body=None, headers=None, answer_headers=None, sse=False,
                 wait=80, origin=None):
        """One request and its response; values that are no strings are put as JSON."""
        started = self.clock.stamp()
        self.clock.pass_ms(wait)
        request_headers = {"host": (origin or self.origin).split("//")[1], "user-agent": "demo-remote/0.1.9",
                           "accept": "application/json, text/event-stream"}
        request_headers.update(headers or {})
        request = {"method": method, "url": (origin or self.origin) + path, "httpVersion": "HTTP/1.1", "cookies": [],
                   "headers": None, "queryString": [], "headersSize": -1, "bodySize": 0}
        if body is not None:
            text = body if isinstance(body, str) else compact(body)
            kind = "application/x-www-form-urlencoded" if isinstance(body, str) else "application/json"
            request_headers["content-type"] = kind
            request["bodySize"] = len(text.encode())
            request["postData"] = {"mimeType": kind, "text": text, "params": []}
        request["headers"] = _pairs(request_headers)
        text, kind = "", ""
        if answer is not None:
            text = answer if isinstance(answer, str) else compact(answer)
            kind = "text/event-stream" if sse else "text/plain" if isinstance(answer, str) else "application/json"
            if sse:
                text = "event: message\ndata: %s\n\n" % text
        response_headers = dict({"content-type": kind} if kind else {}, **(answer_headers or {}))
        self.entries.append({
            "startedDateTime": started, "time": wait, "request": request,
            "response": {"status": status, "statusText": REASON[status], "httpVersion": "HTTP/1.1", "cookies": [],
                         "headers": _pairs(response_headers), "redirectURL": "", "headersSize": -1,
                         "bodySize": len(text.encode()),
                         "content": {"size": len(text.encode()), "mimeType": kind, "text": text}},
            "cache": {}, "timings": {"send": 0, "wait": wait, "receive": 0}})
        self.clock.pass_ms(15)

    def write(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        body = {"log": {"version": "1.2", "creator": {"name": "demo-proxy", "version": "2.0"}, "entries": self.entries}}
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as out:
            json.dump(body, out, ensure_ascii=False, indent=1)
            out.write("\n")
