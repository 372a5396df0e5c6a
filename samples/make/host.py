"""Writes what the agent's own program keeps: prompts, text, calls, results.

`ClaudeCode` gives the lines of a project transcript, `Messages` one document in
the form of chat completions. Both are told the same things, so a story can be
written in either. Ids are made from the session's name and a counter.
"""

import hashlib
import json
import os

from wire import Clock, compact


class Transcript:
    """What both forms have in common: a clock and ids that never change."""

    def __init__(self, session, start=None, clock=None):
        self.session, self.count = session, 0
        self.clock = clock or Clock(start)

    def _hex(self, kind, length):
        self.count += 1
        seed = "%s/%s/%d" % (self.session, kind, self.count)
        return hashlib.sha256(seed.encode()).hexdigest()[:length]

    def think(self, seconds):
        self.clock.pass_ms(int(seconds * 1000))

    def turn(self, name, arguments, content, seconds=0.4, error=False, meta=None):
        """One call and its result."""
        self.think(2.1)
        use = self.use(name, arguments)
        self.think(seconds)
        self.result(use, content, error, meta)


def _uuid(digits):
    return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "8" + digits[17:20], digits[20:32]))


class ClaudeCode(Transcript):
    def __init__(self, session, start=None, clock=None, cwd="/home/sam/work", version="2.1.40"):
        super().__init__(session, start, clock)
        self.lines, self.parent = [], None
        self.id = _uuid(hashlib.sha256(session.encode()).hexdigest())
        self.cwd, self.version, self.message = cwd, version, None

    def _line(self, kind, message, more=None):
        if kind == "user":
            self.message = None
        uuid = _uuid(self._hex("line", 32))
        line = {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": self.cwd,
                "sessionId": self.id, "version": self.version, "gitBranch": "main", "type": kind,
                "message": message}
        line.update(more or {})
        line.update({"uuid": uuid, "timestamp": self.clock.stamp()})
        self.parent = uuid
        self.lines.append(compact(line))
        return uuid

    def _assistant(self, block, stop):
        if not self.message:        # the blocks of one answer are lines of their own under one id
            self.message = ("msg_01" + self._hex("msg", 22), "req_011" + self._hex("req", 20))
        message = {"id": self.message[0], "type": "message", "role": "assistant",
                   "model": "demo-model-1", "content": [block], "stop_reason": stop, "stop_sequence": None,
                   "usage": {"input_tokens": 900 + 37 * self.count, "output_tokens": 60 + self.count}}
        return self._line("assistant", message, {"requestId": self.message[1]})

    def snapshot(self):
        """A line of the program's own bookkeeping, as real transcripts begin with."""
        self.lines.append(compact({"type": "file-history-snapshot", "messageId": _uuid(self._hex("snap", 32)),
                                   "snapshot": {"trackedFileBackups": {}, "timestamp": self.clock.stamp()},
                                   "isSnapshotUpdate": False}))

    def attach(self, attachment):
        """What the program notes between messages, such as tools that came or went."""
        uuid = _uuid(self._hex("line", 32))
        self.lines.append(compact({"parentUuid": self.parent, "isSidechain": False, "attachment": attachment,
                                   "type": "attachment", "uuid": uuid, "timestamp": self.clock.stamp(),
                                   "userType": "external", "cwd": self.cwd, "sessionId": self.id,
                                   "version": self.version, "gitBranch": "main"}))
        self.parent = uuid

    def prompt(self, text):
        self._line("user", {"role": "user", "content": text})

    def say(self, text, stop="end_turn"):
        self._assistant({"type": "text", "text": text}, stop)

    def use(self, name, arguments):
        number = "toolu_01" + self._hex("use", 22)
        line = self._assistant({"type": "tool_use", "id": number, "name": name, "input": arguments}, "tool_use")
        return number, line

    def result(self, use, content, error=False, meta=None):
        """`meta` is the `_meta` of an MCP result; the program keeps it beside what the model sees."""
        number, line = use
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        block = {"tool_use_id": number, "type": "tool_result", "content": content}
        if error:
            block["is_error"] = True
        more = {"toolUseResult": content, "sourceToolAssistantUUID": line}
        if meta:
            more["mcpMeta"] = {"_meta": meta}
        self._line("user", {"role": "user", "content": [block]}, more)

    def write(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as out:
            out.write("\n".join(self.lines) + "\n")


class Messages(Transcript):
    """A list of chat messages, with the tools as the model was given them."""

    def __init__(self, session, start=None, clock=None, tools=(), model="demo-model-1"):
        super().__init__(session, start or "2026-01-01T00:00:00.000Z", clock)
        self.model, self.tools, self.messages = model, list(tools), []

    def system(self, text):
        self.messages.append({"role": "system", "content": text})

    def prompt(self, text):
        self.messages.append({"role": "user", "content": text})

    def say(self, text):
        self.messages.append({"role": "assistant", "content": text})

    def use(self, name, arguments):
        number = "call_" + self._hex("use", 24)
        self.messages.append({"role": "assistant", "content": None, "tool_calls": [
            {"id": number, "type": "function",
             "function": {"name": name, "arguments": compact(arguments)}}]})
        return number

    def result(self, use, content, error=False, meta=None):
        """This form has no place for `meta`."""
        text = content if isinstance(content, str) else compact(content)
        self.messages.append({"role": "tool", "tool_call_id": use,
                              "content": ("Error: " if error else "") + text})

    def write(self, folder, name):
        tools = [{"type": "function", "function": {"name": prefix + item["name"],
                                                   "description": item["description"],
                                                   "parameters": item["inputSchema"]}}
                 for prefix, item in self.tools]
        body = {"model": self.model, "messages": self.messages}
        if tools:
            body["tools"] = tools
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as out:
            json.dump(body, out, ensure_ascii=False, indent=1)
            out.write("\n")
