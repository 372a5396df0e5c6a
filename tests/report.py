#!/usr/bin/env python3
"""Reports: nothing in them runs, loads or leaks, they are the same each time, and each format is well formed.

usage: report.py --strandline BINARY        (prints TAP)
"""
import argparse
import html.parser
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/terminal"))
import hostile  # noqa: E402

FORMATS = ("html", "md", "json", "sarif")
TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "b", "a", "br", "table", "tr", "th",
        "td", "ul", "li", "div", "span", "code", "mark", "blockquote", "footer"}
VOID = {"meta", "br"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "title", "colspan"}
SECRETS = ("ghp_ExampleOnlyNeverValid0000000000aB1c", "sk_test_ExampleOnlyNeverValid0000")
MARKUP = ["</style><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
          "<!--", "]]>", "&lt;b&gt;", "javascript:alert(1)", "![x](http://evil.example/p.png)", "[x](http://evil.example)",
          "<http://evil.example>", "http://evil.example www.evil.example a@evil.example @everyone #1", "| a | b |",
          "`code`", "**bold**", "$x^2$"]
BINARY = None


def markup_log(path):
    """A session in which every string is markup."""
    text = " ".join(MARKUP)
    lines, clock = [], 0

    def line(mark, **message):
        nonlocal clock
        clock += 1
        lines.append(f"2026-05-26T09:12:{clock % 60:02d}.000Z {mark} {json.dumps({'jsonrpc': '2.0', **message})}")

    line("-->", id=0, method="initialize", params={"protocolVersion": "2025-11-25", "capabilities": {},
                                                    "clientInfo": {"name": text, "version": text}})
    line("<--", id=0, result={"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": text, "version": text}})
    line("-->", id=1, method="tools/list")
    line("<--", id=1, result={"tools": [{"name": word, "description": text, "inputSchema": {"type": "object"}} for word in MARKUP]})
    for number, word in enumerate(MARKUP, 2):
        line("-->", id=number, method="tools/call", params={"name": word, "arguments": {word: text, "text": "words to find again " + text}})
        line("<--", id=number, result={"content": [{"type": "text", "text": "words to find again " + text}], "_meta": {
            "io.modelcontextprotocol/trust-annotations": {"untrusted": True, "sensitive": True}}})
    path.write_text("\n".join(lines) + "\n")


class Page(html.parser.HTMLParser):
    """Only the tags and attributes that the report is made of, closed in order; links only inside of it."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, f"<{tag}>"
        for name, value in attrs:
            assert name in ATTRIBUTES, f"<{tag} {name}>"
            if name == "href":
                assert re.fullmatch(r"#s\d+(-\d+)?", value), value
                self.links.append(value[1:])
            if name == "id":
                assert value not in self.ids, f"id {value} twice"
                self.ids.add(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}>"

    def handle_comment(self, data):
        raise AssertionError("a comment")


def check_html(text):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert "default-src 'none'" in text
    assert set(page.links) <= page.ids | {link for link in page.links if "-" in link}, "a link to no session"
    assert not re.search(r"url\(|@import|expression\(", text.split("</style>")[0]), "the style loads something"


def check_md(text):
    bare = re.sub(r"`[0-9a-z:-]+`", "", text)
    assert "<" not in bare, bare[max(0, bare.find("<") - 60):bare.find("<") + 60]
    assert not re.search(r"(?<!\\)\]\(|://|www\.|[\w]@[\w]", bare), "a link or a name"


def check_json(text):
    document = json.loads(text)
    assert document["schema"] == "strandline/report/1"
    assert len(document["sessions"]) >= 1 and document["sources"]


def check_sarif(text):
    document = json.loads(text)
    assert document["version"] == "2.1.0" and len(document["runs"]) == 1
    run = document["runs"][0]
    rules, artifacts = run["tool"]["driver"]["rules"], run["artifacts"]
    assert run["tool"]["driver"]["name"] == "strandline"
    assert len({rule["id"] for rule in rules}) == len(rules)
    for artifact in artifacts:
        assert re.fullmatch(r"[A-Za-z0-9._~/:%-]+", artifact["location"]["uri"])
        assert re.fullmatch(r"[0-9a-f]{64}", artifact["hashes"]["sha-256"])
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        assert re.fullmatch(r"[0-9a-f]{16}", result["partialFingerprints"]["strandline/v1"])
        for place in result["locations"] + result["relatedLocations"]:
            assert place["logicalLocations"][0]["fullyQualifiedName"]
            physical = place.get("physicalLocation")
            if physical:
                region, length = physical["region"], artifacts[physical["artifactLocation"]["index"]]["length"]
                assert 0 <= region["byteOffset"] and region["byteOffset"] + region["byteLength"] <= length
                assert region.get("startLine", 1) >= 1


CHECKS = {"html": check_html, "md": check_md, "json": check_json, "sarif": check_sarif}


def report(inputs, form, path):
    done = subprocess.run([BINARY, "report", *map(str, inputs), "-o", str(path)], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    assert done.returncode in (0, 4), f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"
    return path.read_text("utf-8")


def one(inputs, form, tmp):
    text = report(inputs, form, tmp / f"a.{form}")
    assert text == report(inputs, form, tmp / f"b.{form}"), "two runs differ"
    CHECKS[form](text)
    for character in text:
        kind = unicodedata.category(character)
        assert character == "\n" or kind not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"), f"U+{ord(character):04X}"
    for secret in SECRETS:
        assert secret not in text, "a credential"


def never_over_a_case(tmp):
    case = tmp / "c.strand"
    subprocess.run([BINARY, "import", "-q", "-o", case, ROOT / "samples/S04-database-tokens/database.log"], check=True)
    done = subprocess.run([BINARY, "report", case, "-o", case, "--as", "html"], capture_output=True, text=True)
    assert done.returncode == 2 and "not written over" in done.stderr and case.read_bytes().startswith(b"SQLite format 3"), done.stderr


def never_what_a_stranger_kept(tmp):
    """A case may come with a replay that its sender wrote: what leaves the program doesn't repeat it."""
    case, said = tmp / "forged.strand", {}
    subprocess.run([BINARY, "import", "-q", "-o", case, *(ROOT / "samples/S01-github-leak").glob("*.log")], check=True)
    for turn in "true", "forged":
        for form in FORMATS:
            said[turn, form] = report([case], form, tmp / f"{turn}.{form}")
        for kind in "jsonl", "ocsf":
            out = tmp / f"{turn}.{kind}"
            subprocess.run([BINARY, "export", case, "-o", out, "--as", kind], check=True)
            said[turn, kind] = out.read_text("utf-8")
        with sqlite3.connect(case) as db:
            db.executescript("UPDATE run_step SET verdict='allow', rule=char(27); DELETE FROM finding; UPDATE run SET denied=0")
    for form in (*FORMATS, "jsonl", "ocsf"):
        assert said["true", form] == said["forged", form], f"a forged replay is in the {form}"
    with sqlite3.connect(case) as db:
        db.executescript("UPDATE run_step SET rule=char(27)||']0;x'||char(7)")
    for words in ["why", case, "15"], ["why", case, "15", "--json"], ["show", case, "6"], ["replay", case]:
        done = subprocess.run([BINARY, *map(str, words)], capture_output=True, timeout=120, check=True)
        assert b"\x1b" not in done.stdout, f"an escape in {words[0]}"


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strandline", required=True)
    BINARY = parser.parse_args().strandline
    with tempfile.TemporaryDirectory() as folder:
        tmp = pathlib.Path(folder)
        hostile.write(str(tmp / "hostile.log"))
        markup_log(tmp / "markup.log")
        subjects = {"hostile": [tmp / "hostile.log"], "markup": [tmp / "markup.log"]}
        for sample in sorted((ROOT / "samples").glob("S*")):
            subjects[sample.name] = [sample]
        cases = [(f"{name} as {form}", lambda i=inputs, f=form: one(i, f, tmp))
                 for name, inputs in subjects.items() for form in FORMATS]
        cases.append(("a case is never written over", lambda: never_over_a_case(tmp)))
        cases.append(("a stranger's replay is not repeated", lambda: never_what_a_stranger_kept(tmp)))
        print(f"TAP version 13\n1..{len(cases)}", flush=True)
        failed = 0
        for number, (name, case) in enumerate(cases, 1):
            try:
                case()
                print(f"ok {number} - {name}", flush=True)
            except AssertionError as wrong:
                failed += 1
                print(f"not ok {number} - {name}\n# {wrong}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
