"""Cases of what a person asks after an incident: each is answered within two keys of the flow, labelled or not."""
import json
import os
import pathlib
import re
import subprocess

from common import ROOT, SAMPLE, case, run

INCIDENT = ROOT / "samples/S01-github-leak"
KEYS_MOST = 2
SIZES = ((24, 80), (36, 120))

# The question, the keys at step 15 (none: it is on the first screen), what the screen must say of the incident as it is
# recorded, and of the same incident from servers that label nothing.
QUESTIONS = [
    ("is the record complete and unchanged?", "R",
     ["4 of 4 logs were read to their end", "the bytes held are those that were imported"], []),
    ("what does it not show?", "i", ["That a log ends is no proof that nothing followed", "what a server did behind its own door", "can't show: approvals of the person"], []),
    ("what does it not show, to be handed over?", "R G", ["that a log ends is no proof that nothing followed", "approvals of the person", "what a server did behind its own door"], []),
    ("what could not be read?", "i", ["each byte is accounted for", "it can't show: prompts"], []),
    ("what happened, in order, across all servers?", "", [r"\d+, .*call notes, search_notes", r"\d+, .*call github get_file_contents"],
     ["so nothing is denied"]),
    ("where did it go wrong?", "v", ["create_or_update_file has consequences", "whoever wrote to it may have chosen this"], ["no call below is denied"]),
    ("where did the context first turn untrusted?", "u", [r"selected step,? 6,", "is untrusted, public"], ["never turns untrusted"]),
    ("where did it first turn private?", "p", [r"selected step,? 8,", "the context turns private"], ["never turns private"]),
    ("why is it untrusted here?", "w", ["Why the context is untrusted at step 15", "TA.untrusted", r"6 result github list_issues"],
     ["No label makes the context untrusted", "came without any claim"]),
    ("which calls broke policy, worst first?", "f", [r"(?s)critical, PF01, 19.*high, EX01, 19"], [r"selected, \w+, [A-Z]+\d+,"]),
    ("what left, and to whom?", "x", [r"15, public ~, (untrusted private|UP), deny, completed", "3 calls send something out"], ["public ~"]),
    ("from where did this argument come?", "x", ["Where its text stood before", r"in /branch, from step \d+|in /owner, from step 5"], ["Where its text stood before"]),
    ("was it the user's own wish?", "w", ["no prompt was recorded"], ["no prompt was recorded"]),
    ("where did all of its text stand before?", "w G", [r"(?s)of this call \(\w+\):\n.?.?from \d"], [r"of this call"]),
    ("did definitions change, or instruct?", "d", ["none changed, none instructs"], []),
    ("which secrets moved?", "f", ["no secrets seen"], []),
    ("what authority was there, and what was used?", "d", [r"33 tools, 12 may write, used:? 7"], []),
    ("would another policy have stopped it?", "c", [r"fides, .*deny", r"additive now"], [r"fides, "]),
    ("would another label have stopped it?", "L Enter", ["as recorded, what if", "calls that policy denies, 3"], []),
    ("which other sessions saw this?", "O", [r"\btwin\b", "steps? of other sessions; all 10 looked at"], []),
    ("how does it differ from a good run?", "=", [r"5 steps alike, 19 differ", "the other: twin"], []),
    ("can it be handed over?", "R", ["Enter writes the report", "evidence references|no label in it names evidence"], []),
]


def without_labels(home):
    """The incident and its twin as servers would have written them that know of no labels."""
    def bare(value):
        if isinstance(value, dict):
            return {name: bare(inner) for name, inner in value.items() if name != "_meta"}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    for source in INCIDENT.glob("evidence/*.log"):
        for folder, log in (("evidence", source), ("twin", INCIDENT / "twin" / source.name)):
            cut = [line.partition("{") for line in log.read_text().splitlines()]  # the time, and the message
            lines = [before + json.dumps(bare(json.loads(brace + rest))) for before, brace, rest in cut if brace]
            path = pathlib.Path(home, "bare", folder, source.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n")
    return ["--session", "1", str(pathlib.Path(home, "bare/evidence/github.log")), str(pathlib.Path(home, "bare/evidence/notes.log")),
            str(pathlib.Path(home, "bare/twin/*.log"))]


def last_screen(binary, home, keys, operands, rows, columns):
    script = pathlib.Path(home, "keys.txt")
    script.write_text(keys + "\n" if keys else "")
    done = subprocess.run([binary, "--plain", "--script", str(script), *operands], cwd=home, capture_output=True, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, XDG_CONFIG_HOME=home, LINES=str(rows), COLUMNS=str(columns)))
    assert not done.stderr, f"{keys}: {done.stderr.decode()}"
    return re.sub(r" *\n *", "\n", done.stdout.decode().split("\n\n")[-2])


def unwrapped(screen):
    return " ".join(screen.split())


@case
def each_question_is_answered_within_two_keys(binary, home):
    labelled = ["--session", "1", "--evidence", str(INCIDENT / "evidence/records"), str(INCIDENT / "evidence/github.log"),
                str(INCIDENT / "evidence/notes.log"), str(INCIDENT / "twin/*.log")]
    bare = without_labels(home)
    wrong = []
    for question, keys, of_labelled, of_bare in QUESTIONS:
        assert len(keys.split()) <= KEYS_MOST, question
        for rows, columns in SIZES:
            for operands, answers in ((labelled, of_labelled), (bare, of_bare)):
                here = ":goto 15\n" if operands is bare and keys else ""  # each key on a line of its own, as a person types
                screen = last_screen(binary, home, here + keys.replace(" ", "\n"), operands, rows, columns)
                wrong += [f"{question} {keys or 'no key'} at {columns}x{rows}{' without labels' if operands is bare else ''}: no “{answer}” in\n{screen}"
                          for answer in answers if not re.search(answer, screen) and not re.search(answer, unwrapped(screen))]
    assert not wrong, f"{len(wrong)} answers are missing:\n" + "\n\n".join(wrong)


@case
def answers_that_only_some_records_hold(binary, home):
    samples = ROOT / "samples"
    for name, logs, keys, answer in (("S05-rendered-image", "*.jsonl", "w", "2 of 10 passages of its text stood in the user's own prompt"),
                                     ("S04-database-tokens", "*.log", "f", "secrets at step 11, 10"),
                                     ("S02-changed-description", "*.log", "d", "1 changed, attention 1 instructs"),
                                     ("S03-poisoned-definition", "*.log", "d", "attention 1 instructs"),
                                     ("S05-rendered-image", "*.jsonl", "d", "none is defined in this record")):
        operands = sorted(map(str, (samples / name).glob(logs)))
        screen = last_screen(binary, home, keys, operands, 36, 120)
        assert answer in screen, f"{name}, {keys}: {screen}"


@case
def a_line_of_a_definition_leads_to_its_step(binary, home):
    operands = sorted(map(str, (ROOT / "samples/S02-changed-description").glob("*.log")))
    for keys, step in (("d\ng\nj\nTab\nj\nEnter", 2), ("d\ng\nj\nTab\nj\nj\nEnter", 5)):  # "As defined at step 2"; a line that leads nowhere: the call
        screen = last_screen(binary, home, keys, operands, 36, 120)
        assert re.search(rf"selected step,? {step},", screen), f"{keys!r}: {screen}"


@case
def the_path_of_a_value_is_told(binary, home):
    for keys, path in (("v\nv\nTab\nG\nY", "/body:"), (":goto 6\n2\nTab\n/pixel\nY", "/content/0/text#/issues/0/user/login:"), ("w\nY", "that is of JSON")):
        screen = last_screen(binary, home, keys, SAMPLE, 36, 120)
        assert path in screen.splitlines()[-1], f"{keys!r}: {screen}"


@case
def a_suppressed_finding_says_so_and_why(binary, home):
    policy = pathlib.Path(home, "mine.json")
    policy.write_text(json.dumps({"schema": "strandline/policy/1", "name": "mine", "extends": "additive",
                                  "suppress": [{"code": "PF01", "reason": "the public repository is ours"}]}))
    screen = last_screen(binary, home, "f\nG", ["--policy", str(policy), *SAMPLE], 36, 120)
    assert "suppressed: github." in screen and "it does not count: the public repository is ours" in screen, screen
