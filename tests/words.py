#!/usr/bin/env python3
"""What the documents say, the binary does: verbs, options, help, errors, completion.

usage: words.py --strandline BINARY         (prints TAP)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = None
# Named in the man page beside a verb, though not its own options.
SHELLS = ("bash", "zsh", "fish")


def run(*args):
    return subprocess.run([BINARY, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})


def verbs():
    return re.findall(r"^  ([a-z]+)  ", run("--help").stdout, re.M)


def each_verb_has_help():
    for verb in verbs():
        shown = run(verb, "--help")
        assert shown.returncode == 0 and not shown.stderr, f"{verb} --help: {shown.returncode} {shown.stderr}"
        assert f"strandline {verb}" in shown.stdout, f"{verb} --help has no usage line:\n{shown.stdout}"
        assert "--help" in shown.stdout or "--json" in shown.stdout, f"{verb} --help names no options"
        assert max(map(len, shown.stdout.splitlines())) <= 100, f"{verb} --help has lines of more than 100 columns"


def the_man_page_has_each_verb():
    page = (ROOT / "docs/man/strandline.1").read_text()
    written = re.findall(r"^\.It Cm ([a-z]+)", page, re.M)
    missing = set(verbs()) - set(written)
    assert not missing, f"not in docs/man/strandline.1: {sorted(missing)}"
    assert not set(written) - set(verbs()), f"docs/man/strandline.1 has verbs that are not: {set(written) - set(verbs())}"


def the_man_page_has_no_other_options():
    page = (ROOT / "docs/man/strandline.1").read_text()
    written = set(re.findall(r"Fl -([a-z-]+)", page))
    known = set(re.findall(r"--([a-z-]+)", "".join(run(verb, "--help").stdout for verb in verbs())))
    assert written <= known | {"help", "version"}, f"docs/man/strandline.1 has options that are not: {sorted(written - known)}"


def the_readme_has_each_verb():
    page = (ROOT / "README.md").read_text()
    written = set(re.findall(r"^\| `([a-z]+)` ", page, re.M))
    assert written == set(verbs()), f"README.md and the binary differ in {sorted(written ^ set(verbs()))}"


def wrong_use_is_one_clear_line():
    wrong = [["nonsense"], ["--nonsense"], ["steps", "/nonexistent/x.strand"], ["check", "/nonexistent/x.log"]]
    wrong += [[verb, "--no-such-option"] for verb in verbs() if verb != "record"]
    for command in wrong:
        shown = run(*command)
        assert shown.returncode in (2, 4), f"{command}: ends with {shown.returncode}"
        assert not shown.stdout, f"{command}: prints on standard output: {shown.stdout[:200]}"
        lines = shown.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("strandline: "), f"{command}: {shown.stderr}"


def completion_knows_each_verb():
    for shell in SHELLS:
        script = run("completion", shell)
        assert script.returncode == 0, script.stderr
        missing = [verb for verb in verbs() if not re.search(rf"\b{verb}\b", script.stdout)]
        assert not missing, f"{shell} completion lacks {missing}"
        if shutil.which(shell):
            parsed = subprocess.run([shell, "-n"], input=script.stdout, text=True, capture_output=True)
            assert parsed.returncode == 0, f"{shell}: {parsed.stderr}"


def completion_offers_what_is_taken():
    """Each word offered for an option or a verb is one that its help, or the list it stands for, has."""
    script = run("completion", "bash").stdout
    lists = {"--format": run("formats").stdout, "explain": run("explain").stdout}
    lists |= dict.fromkeys(("--policy|*:-p", "--from"), run("policy", "list").stdout)
    cases = re.findall(r"^  (\S+?):(\S+)\) choice='([^']*)'", script, re.M)
    assert len(cases) > 10, script
    for verb, word, choice in cases:
        of = [verb] if verb != "*" else [v for v in verbs() if word in run(v, "--help").stdout]
        for known in [lists[word]] if word in lists else [run(v, "--help").stdout for v in of]:
            missing = [offered for offered in choice.split() if not re.search(rf"\b{re.escape(offered)}\b", known)]
            assert not missing, f"{verb} {word}: {missing} is offered, and not known"


def completion_completes():
    """In bash: the word before says which values there are."""
    script = run("completion", "bash").stdout
    for line, wanted in (("steps --color al", "always"), ("check -p fi", "fides"), ("check --fail-on cr", "critical"),
                         ("report x --as sa", "sarif"), ("export x --as ti", "timesketch"), ("policy comp", "compare"),
                         ("import --format claude-d", "claude-desktop"), ("explain PT0", "PT01"), ("verify --sch", "--schemas")):
        words = ["strandline", *line.split()]
        ask = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _strandline; echo \"${{COMPREPLY[@]}}\""
        said = subprocess.run(["bash", "-c", script + ask], text=True, capture_output=True, cwd="/")
        assert wanted in said.stdout.split(), f"{line}: {said.stdout}{said.stderr}"


def a_fresh_machine_gets_each_library():
    builds = "".join(path.read_text() for path in (ROOT / "meson.build", ROOT / "tests/meson.build"))
    needed = set(re.findall(r"dependency\('([^']+)'", builds)) - {"threads"}
    listed = set(re.findall(r"^(?:build|test)\|(?:on_linux )?has_lib (\S+?)[ |]", (ROOT / "tools/setup.sh").read_text(), re.M))
    assert needed == listed, f"meson.build and tools/setup.sh differ in {sorted(needed ^ listed)}"


CASES = [a_fresh_machine_gets_each_library, each_verb_has_help, the_man_page_has_each_verb, the_man_page_has_no_other_options, the_readme_has_each_verb,
         wrong_use_is_one_clear_line, completion_knows_each_verb, completion_offers_what_is_taken,
         completion_completes]


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strandline", required=True)
    BINARY = os.path.abspath(parser.parse_args().strandline)
    print(f"TAP version 13\n1..{len(CASES)}", flush=True)
    failed = 0
    for number, case in enumerate(CASES, 1):
        name = case.__name__.replace("_", " ")
        try:
            case()
            print(f"ok {number} - {name}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}")
            for line in traceback.format_exc().splitlines():
                print("# " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
