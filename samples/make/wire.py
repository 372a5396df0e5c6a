"""Writes what stands on the wire between a host and its servers.

One `Host` is one agent session. Each `Server` of it writes a log of its own, in
the marked form that a recorder on stdio leaves behind:

    2026-05-26T09:12:04.120Z --> {…}     host to server
    2026-05-26T09:12:04.388Z <-- {…}     server to host
    2026-05-26T09:12:04.390Z !!! text    the server's stderr

Times come from one clock that only the story moves, and ids count from 0 in
each connection, so the same story always gives the same bytes.
"""

import datetime
import json
import os


def compact(value):
    """JSON as programs write it to a pipe: no spaces, UTF-8 left as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Clock:
    def __init__(self, start):
        self.now = datetime.datetime.fromisoformat(start.replace("Z", "+00:00"))

    def pass_ms(self, ms):
        self.now += datetime.timedelta(milliseconds=ms)

    def stamp(self):
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (self.now.microsecond // 1000)


class Host:
    """One agent session: a clock, a client name and the servers it talks to."""

    def __init__(self, start, client="demo-agent", version="1.4.0", roots=None):
        self.clock = Clock(start)
        self.client = {"name": client, "version": version}
        self.roots = roots
        self.servers = []

    def server(self, name, tools, **how):
        server = Server(self, name, tools, **how)
        self.servers.append(server)
        return server

    def think(self, seconds):
        """The model takes its time before the next call."""
        self.clock.pass_ms(int(seconds * 1000))

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for server in self.servers:
            path = os.path.join(folder, server.name + ".log")
            with open(path, "w", encoding="utf-8", newline="\n") as out:
                out.write("\n".join(server.lines) + "\n")


class Server:
    def __init__(self, host, name, tools, version="1.0.0", title=None, protocol="2025-11-25",
                 instructions=None, stderr=None, go_style=False):
        self.host, self.name, self.tools = host, name, tools
        self.info = {"name": name, "version": version}
        if title:
            self.info["title"] = title
        self.protocol, self.instructions, self.banner = protocol, instructions, stderr
        self.go_style = go_style        # order of keys: Go servers put the envelope first
        self.lines, self.next_id, self.server_id = [], 0, 0

    # -- single lines ------------------------------------------------------

    def _line(self, mark, text, ms):
        self.host.clock.pass_ms(ms)
        self.lines.append("%s %s %s" % (self.host.clock.stamp(), mark, text))

    def _to_server(self, message, ms=1):
        self._line("-->", compact(message), ms)

    def _to_host(self, message, ms=1):
        self._line("<--", compact(message), ms)

    def stderr(self, text, ms=3):
        self._line("!!!", text, ms)

    # -- requests and answers ----------------------------------------------

    def send(self, method, params=None, ms=1):
        """The host asks; gives the id to answer under."""
        number = self.next_id
        self.next_id += 1
        message = {"method": method}
        if params is not None:
            message["params"] = params
        message.update({"jsonrpc": "2.0", "id": number})
        self._to_server(message, ms)
        return number

    def answer(self, number, result, ms=180):
        if self.go_style:
            self._to_host({"jsonrpc": "2.0", "id": number, "result": result}, ms)
        else:
            self._to_host({"result": result, "jsonrpc": "2.0", "id": number}, ms)

    def fail(self, number, code, text, ms=40):
        self._to_host({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}, ms)

    def notify_host(self, method, params=None, ms=2):
        message = {"method": method}
        if params is not None:
            message["params"] = params
        message["jsonrpc"] = "2.0"
        self._to_host(message, ms)

    def ask_host(self, method, params, result, ms=4):
        """The server asks and the host answers (roots/list, elicitation, …)."""
        number = self.server_id
        self.server_id += 1
        message = {"method": method}
        if params is not None:
            message["params"] = params
        message.update({"jsonrpc": "2.0", "id": number})
        self._to_host(message, ms)
        self._to_server({"result": result, "jsonrpc": "2.0", "id": number}, ms)

    # -- the usual exchanges -----------------------------------------------

    def connect(self):
        capabilities = {"roots": {"listChanged": True}} if self.host.roots else {}
        number = self.send("initialize", {"protocolVersion": self.protocol,
                                          "capabilities": capabilities,
                                          "clientInfo": self.host.client}, ms=12)
        if self.banner:
            self.stderr(self.banner, ms=210)
        result = {"protocolVersion": self.protocol,
                  "capabilities": {"tools": {"listChanged": True}, "logging": {}},
                  "serverInfo": self.info}
        if self.instructions:
            result["instructions"] = self.instructions
        self.answer(number, result, ms=64)
        self._to_server({"method": "notifications/initialized", "jsonrpc": "2.0"}, ms=3)
        if self.host.roots:
            self.ask_host("roots/list", None, {"roots": self.host.roots})

    def list_tools(self, tools=None):
        if tools is not None:
            self.tools = tools
        self.answer(self.send("tools/list", {}, ms=5), {"tools": self.tools}, ms=22)

    def start(self):
        self.connect()
        self.list_tools()

    def ping(self, ms=900):
        self.answer(self.send("ping", ms=ms), {}, ms=2)

    def log(self, level, text):
        self.notify_host("notifications/message", {"level": level, "logger": self.name, "data": text})

    def call(self, tool, arguments, result, ms=240, progress=None):
        """One tools/call and its answer. `result` is a CallToolResult."""
        number = self.begin(tool, arguments, progress)
        if progress:
            self.notify_host("notifications/progress",
                             {"progressToken": progress, "progress": 1, "total": 2}, ms=ms // 2)
        self.answer(number, result, ms)
        return number

    def begin(self, tool, arguments, progress=None):
        params = {"name": tool, "arguments": arguments}
        if progress:
            params["_meta"] = {"progressToken": progress}
        return self.send("tools/call", params, ms=1)


# -- results and definitions -----------------------------------------------

TRUST = "io.modelcontextprotocol/trust-annotations"


def text_result(text, meta=None, error=False, structured=None):
    """A CallToolResult with one text block; a value that is no string is put as JSON."""
    if not isinstance(text, str):
        text = compact(text)
    result = {"content": [{"type": "text", "text": text}]}
    if structured is not None:
        result["structuredContent"] = structured
    if error:
        result["isError"] = True
    if meta:
        result["_meta"] = meta
    return result


def ifc(integrity, confidentiality):
    """The inline label of github-mcp-server."""
    return {"ifc": {"integrity": integrity, "confidentiality": confidentiality}}


def trust(untrusted=None, sensitive=None, evidence=None):
    """A trust annotation; None leaves a claim out, which is not the same as False."""
    annotation = {}
    if sensitive is not None:
        annotation["sensitive"] = sensitive
    if untrusted is not None:
        annotation["untrusted"] = untrusted
    if evidence is not None:
        annotation["evidenceRef"] = evidence
    return {TRUST: annotation}


def tool(name, description, properties=None, required=(), title=None, **hints):
    """A tool definition. `hints` are the MCP ones: readOnlyHint=True and so on.

    A property is written "type: what it is" or given as a schema."""
    schema = {"type": "object", "properties": {}}
    for key, value in (properties or {}).items():
        if isinstance(value, str):
            kind, _, words = value.partition(": ")
            value = {"type": kind, "description": words}
            if kind == "array":
                value["items"] = {"type": "string"}
        schema["properties"][key] = value
    if required:
        schema["required"] = list(required)
    definition = {"name": name}
    if title:
        definition["title"] = title
    definition["description"] = description
    definition["inputSchema"] = schema
    if hints or title:
        definition["annotations"] = dict({"title": title} if title else {}, **hints)
    return definition
