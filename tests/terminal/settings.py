"""Cases of what a person sets, scripts and keeps: settings, scripts, the place of last time, the clipboard, colours."""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import grammar
import hostile
from common import ROOT, ALTERNATE, SAMPLE, Skip, case, check_clean, copies_only, leave, run
from session import PATIENCE, Job, Pty, environment

GIVEN_BACK = b"\x1b[?1049l"
DRAWN = 800  # bytes, at least, of a whole screen


def shown(binary, home, *operands, rows=36, columns=120, **env):
    """The explorer in a terminal, its first screen drawn."""
    explorer = Pty([binary, *operands], home, rows, columns, **env)
    assert explorer.wait_for(lambda seen: len(seen) > DRAWN), explorer.seen
    explorer.drain(0.2)
    return explorer


def sent_by(explorer, *keys):
    """What the terminal is sent in answer to keys."""
    before = len(explorer.seen)
    explorer.keys(*keys, quiet=0.2)
    return explorer.seen[before:]


def plain(binary, home, script, *operands):
    """What --plain prints of a script, and how it ends: (output, errors, status)."""
    path = os.path.join(home, "keys.txt")
    pathlib.Path(path).write_text(script)
    wide = dict(os.environ, COLUMNS="300", XDG_CONFIG_HOME=home)
    done = subprocess.run([binary, "--plain", "--script", path, *operands], env=wide, cwd=home, capture_output=True, stdin=subprocess.DEVNULL)
    return done.stdout.decode(), done.stderr.decode(), done.returncode


def settings(home, text):
    folder = pathlib.Path(home) / "strandline"
    folder.mkdir(exist_ok=True)
    (folder / "explorer.conf").write_text(text)


def numbers(data):
    """The parameters of all SGR sequences: one list of numbers for each."""
    return [[int(n) for n in re.findall(r"\d+", sgr.decode())] for sgr in re.findall(rb"\x1b\[([0-9;:]*)m", data)]


def colours_of_256(data):
    """The colours that are set by their number among 256: {("38" or "48", number)}."""
    return {(kind.decode(), int(number)) for kind, number in re.findall(rb"([34]8)[;:]5[;:](\d+)", data)}


# --- scripts


@case
def what_fails_in_a_script_is_said_with_its_line(binary, home):
    path = os.path.join(home, "keys.txt")
    for script, line, words in (("j\n\n:nonsense 1\nv\n", 3, "no such command"), ("# goes\n:goto 9999\n", 2, "a step from 1 to"),
                                (":goto there\n", 1, "a step from 1"), ("&nonsense:x\nv\n", 1, "put quotes around"),
                                ("v\n:save-screen /nowhere/x\n:nonsense\n", 2, "can't write the screen"),
                                (":policy nosuch\n", 1, "nosuch"), ("v\nv Dwon\n", 2, "no key is called Dwon")):
        _, errors, status = plain(binary, home, script, *SAMPLE)
        assert errors.startswith(f"strandline: {path}:{line}: ") and words in errors, f"{script!r}: {errors!r}"
        assert status == 2 and errors.count("\n") == 1, f"{script!r}: {status}: {errors!r}"
    out, errors, status = plain(binary, home, "a two words Enter\nv\nw\n/github\n&tool:create_*\n:goto 2\n", *SAMPLE)
    assert status == 0 and not errors and "create_branch" in out, errors
    # A line is the whole filter, also where one is on that a person would correct.
    out, errors, _ = plain(binary, home, "&verdict:deny\n&tool:create_*\n", *SAMPLE)
    assert "only 6 of 22 steps: tool:create_*" in out.split("\n\n")[-2] and not errors, (out[-2000:], errors)
    # A filter that is not understood does not take the next line for its text.
    out, _, _ = plain(binary, home, "&nonsense:x\n:goto 2\n", *SAMPLE)
    assert "selected step, 2," in out, out[-2000:]
    for wrong in (os.path.join(home, "nosuch.txt"), home):
        done = run(binary, home, "--plain", "--script", wrong, *SAMPLE)
        assert done.returncode == 4 and done.stderr.decode().startswith(f"strandline: {wrong}: the script can't be read; "), done.stderr


@case
def a_script_that_fails_in_a_terminal_says_where(binary, home):
    script = pathlib.Path(home) / "k"
    script.write_text(":goto 3\n:nonsense\nj\n")
    explorer = shown(binary, home, "--script", str(script), *SAMPLE)
    assert f"{script}:2: no such command".encode() in explorer.seen, explorer.seen[-600:]
    leave(explorer, "a script that failed")
    script.write_text(":nonsense\nQ\n")
    explorer = Pty([binary, "--script", str(script), *SAMPLE], home)
    assert explorer.finish() == 2 and f"strandline: {script}:1: no such command".encode() in explorer.seen, explorer.seen[-600:]


@case
def each_verb_of_the_command_line_is_a_command_here(binary, home):
    verbs = re.findall(r"^  ([a-z]+)  ", run(binary, home, "--help").stdout.decode(), re.M)
    assert len(verbs) > 20, verbs
    outside = {"import", "digest", "export", "redact", "seal", "keygen", "scan", "merge", "formats", "completion"}
    for verb in verbs:
        out, errors, status = plain(binary, home, f":{verb}{' PT01' if verb == 'explain' else ''}\n", *SAMPLE)
        if verb in outside:
            assert status == 2 and f"run `strandline {verb}` in a shell" in errors, f"{verb}: {errors!r}"
        else:
            assert status == 0 and not errors, f"{verb}: {errors!r}"
    for line, title in ((":check", "Findings"), (":verify", "Evidence"), (":why 8", "Why"), ("f\n:why 8", "Why"), (":drop 8", "What if")):
        out, errors, _ = plain(binary, home, line + "\n", *SAMPLE)
        assert f"{title}, servers" in out.split("\n\n")[-2] and not errors, f"{line}: {out[-1500:]} {errors}"
    assert "step 8" in plain(binary, home, ":why 8\n", *SAMPLE)[0], "the step behind it counts"
    # What is typed behind a command that takes nothing is not passed over.
    for line in (":egress now", ":why 999", ":why there", ":findings PT01"):
        _, errors, status = plain(binary, home, line + "\n", *SAMPLE)
        assert status == 2 and errors, line


# --- settings


@case
def settings_that_are_wrong_are_named_and_the_others_hold(binary, home):
    for text, line, wrong, words in (("# mine\nkey nonsense v\n", 2, "nonsense", "name an action"), ("key why ]\nkey why Nosuchkey\n", 2, "Nosuchkey", "write keys as the help does"),
                                     ("colour nonsense 1\n", 1, "nonsense", "name a style"), ("colour untrusted 256\n", 1, "256", "numbers from 0 to 255"),
                                     ("\n\ncolour untrusted 1 2 blinking\n", 3, "blinking", "then bold, dim"), ("hue 5\nkey nonsense x\n", 1, "hue", "begin a line with")):
        settings(home, text + "key why ]\n")
        out, errors, _ = plain(binary, home, "j\n", *SAMPLE)
        said = f"{home}/strandline/explorer.conf:{line}: not understood: {wrong}; "
        assert said in out and words in out, f"{text!r}: {out[-600:]!r}"
        assert "] why" in out and not errors, f"{text!r}: the line after the wrong one does not hold: {out[-600:]!r}"


@case
def settings_that_cannot_be_read_are_not_passed_over(binary, home):
    path = pathlib.Path(home) / "strandline" / "explorer.conf"
    out, _, _ = plain(binary, home, "j\n", *SAMPLE)
    assert "explorer.conf" not in out, "without settings nothing is wrong"
    path.mkdir(parents=True)
    out, _, status = plain(binary, home, "j\n", *SAMPLE)
    assert f"{path}: the settings can't be read" in out and status == 0, out[-600:]


@case
def keys_that_are_set_take_effect(binary, home):
    explorer = shown(binary, home, *SAMPLE)
    assert b"no action on this key" in sent_by(explorer, "K")
    leave(explorer, "without settings")
    settings(home, "key why K F9\nkey next-violation )\n")
    explorer = shown(binary, home, *SAMPLE)
    why = sent_by(explorer, "K", "\x0c")
    assert b"list_issues" in why and b"no action" not in why and len(why) > DRAWN, why[-600:]
    sent_by(explorer, "q", "g")
    violation = sent_by(explorer, ")", "\x0c")
    assert b"create_branch" in violation, violation[-600:]
    assert b"no action on this key" in sent_by(explorer, "w"), "a key that is set takes the place of the one before"
    leave(explorer, "with settings")


@case
def colours_that_are_set_take_effect(binary, home):
    ours = {("38", 201), ("48", 57), ("38", 46)}
    explorer = shown(binary, home, *SAMPLE)
    assert not ours & colours_of_256(explorer.seen), "the test needs colours that are not in use"
    leave(explorer, "without settings")
    settings(home, "colour untrusted 201\ncolor deny-badge 46 57 bold\n")
    explorer = shown(binary, home, *SAMPLE)
    assert ours <= colours_of_256(explorer.seen), f"of {ours} there is {ours & colours_of_256(explorer.seen)}"
    leave(explorer, "with settings")


# --- what is kept


@case
def a_session_opens_where_it_was_left(binary, home):
    made = os.path.join(home, "case.strand")
    assert run(binary, home, "import", "-o", made, *SAMPLE).returncode == 0
    explorer = shown(binary, home, made)
    explorer.keys(":goto 5\r", "mk", ":goto 6\r", "anote of six\r", quiet=0.2)
    leave(explorer, "marking")
    explorer = shown(binary, home, made)
    assert b"step 6, where you were last" in explorer.seen, explorer.seen[-600:]
    explorer.keys("'k", quiet=0.2)
    explorer.keys("&tool:list_issues\r", quiet=0.2)
    leave(explorer, "filtering")
    out, errors, _ = plain(binary, home, "*\n' k\n:goto 6\n", made)
    first, *_ = out.split("\n\n")
    assert "the filter of last time is on" in first and "tool:list_issues" in first, first
    assert "selected step, 5," in first and "create_branch" not in first, first
    off, marked, noted = out.split("\n\n")[1:4]
    assert "create_branch" in off and "selected step, 5," in marked and "selected step, 6," in noted, out
    assert not errors, errors
    kept = run(binary, home, "sql", made, "select text from v_note").stdout.decode()
    assert "note of six" in kept, kept


@case
def half_a_filter_loses_no_place(binary, home):
    def at(script):
        return plain(binary, home, script, *SAMPLE)[0].split("\n\n")[-2]

    # "ver" is a word that few steps hold, "verdict:deny" is a filter; each is looked at between keys.
    one_by_one = lambda text: "\n".join("Space" if letter == " " else letter for letter in text)
    for step, text, nearest in ((17, "verdict:deny", 15), (20, "tool:create_*", 20), (7, "server:notes", 4)):
        said = at(f":goto {step}\n&\n{one_by_one(text)}\nEnter\n")
        assert re.search(f"selected step,? {nearest},", said), f"{text} from {step}: {said}"
        said = at(f":goto {step}\n&\n{one_by_one(text)}\nEsc\n")
        assert re.search(f"selected step,? {step},", said) and "22 steps" in said, f"{text} from {step}, and Esc: {said}"


@case
def what_is_searched_for_outlives_new_steps(binary, home):
    made, log = os.path.join(home, "case.strand"), os.path.join(home, "grows.log")
    lines = pathlib.Path(SAMPLE[0]).read_bytes().splitlines(keepends=True)
    pathlib.Path(log).write_bytes(b"".join(lines[:12]))
    importer = subprocess.Popen([binary, "import", "-q", "-o", made, "--follow", log], env=environment(home), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while run(binary, home, "sql", made, "select count(*) from v_step").stdout.split()[-1:] in ([], [b"0"]):
            assert time.monotonic() < end, "nothing was imported"
        explorer = shown(binary, home, made)
        explorer.keys("g", "/README\r", quiet=0.3)
        explorer.keys("&tool:get_*\r", "*", quiet=0.3)
        before = len(explorer.seen)
        explorer.keys("/fam", quiet=0.1)  # while it is typed nothing is taken away
        with open(log, "ab") as file:
            file.writelines(lines[12:20])
        explorer.drain(2.5)
        assert b"new steps" not in explorer.seen[before:], "the screen changed under what is typed"
        explorer.keys("\x1b", quiet=0.3)
        assert explorer.wait_for(lambda seen: b"new steps" in seen[before:]), explorer.seen[before:]
        after = sent_by(explorer, "n", "\x0c")
        assert b"nothing was searched for" not in after and b"no hits" not in after, after[-600:]
        assert b"the filter is on again" in sent_by(explorer, "*"), "a filter that is off for a moment is kept, too"
        leave(explorer, "a case that grows")
    finally:
        importer.terminate()
        importer.wait()


@case
def what_is_selected_is_read_aloud(binary, home):
    first, second = plain(binary, home, "f\nj\n", *SAMPLE)[0].split("\n\n")[-3:-1]
    assert "\nselected, high, PF01, 15," in first and "\nselected, high, PT01, 15," in second, first + second


@case
def the_hand_over_says_how_the_seal_stands(binary, home):
    made, key = os.path.join(home, "case.strand"), os.path.join(home, "key.pem")
    assert run(binary, home, "import", "-o", made, *SAMPLE).returncode == 0
    assert run(binary, home, "keygen", "-o", key).returncode == 0
    assert "the case is not sealed" in plain(binary, home, "R\n", made)[0]
    named = run(binary, home, "seal", made, "--key", key).stdout.decode().split()[-1]
    said = plain(binary, home, "R\n", made)[0]
    assert named in said and "good sealed 20" in said and "unchanged since." in said, said
    said = plain(binary, home, "a a note Enter\nR\n", made)[0]
    assert named in said and "failed sealed 20" in said and "changed since: notes changed" in said, said


@case
def a_step_says_where_else_it_was_recorded(binary, home):
    twice = [str(ROOT / "samples/S01-github-leak" / name) for name in ("host/transcript.jsonl", "evidence/github.log", "evidence/notes.log")]
    raw = plain(binary, home, ":goto 8\n5\n", *twice)[0].split("\n\n")[-2]
    assert "also in" in raw and "transcript.jsonl" in raw and "has the same text" in raw, raw


def copied_by(explorer, keys):
    """The text that keys, typed at once, put on the clipboard: only base64 is sent for it."""
    texts = []
    for copied in re.findall(rb"\x1b\]52;(.*?)(?:\x07|\x1b\\)", sent_by(explorer, keys), re.S):
        where, _, text = copied.partition(b";")
        assert where == b"c" and re.fullmatch(rb"[A-Za-z0-9+/]*={0,2}", text), copied[:200]
        texts.append(base64.b64decode(text, validate=True).decode())
    return texts


@case
def what_is_copied_is_of_the_step_under_the_cursor(binary, home):
    explorer = shown(binary, home, *SAMPLE)
    for step, word in ((15, "about-author"), (5, "OPEN"), (8, "family-plan"), (15, "about-author")):
        texts = copied_by(explorer, f":goto {step}\ry")
        assert len(texts) == 1 and word in texts[0], f"{step}: {texts}"
    texts = copied_by(explorer, ":goto 5\r\tG")
    texts = copied_by(explorer, "y")
    assert len(texts) == 1 and texts[0].startswith("state"), texts  # with the keys in the details, their line
    assert copied_by(explorer, "Y") == ["/state"]
    leave(explorer, "copying")


@case
def the_clipboard_gets_base64_of_a_bounded_size(binary, home):
    log = os.path.join(home, "long.log")
    hostile.write(log, hostile.LONG)
    steps = [json.loads(line) for line in run(binary, home, "steps", log, "--json").stdout.splitlines()]
    explorer, sizes = shown(binary, home, log), []
    for step in [step["step"] for step in steps if step["kind"] == "tool_result"][-len(hostile.LONG):]:
        for keys in ("2y", "5y", "\r5GyW", "yG", "yq"):
            sizes += map(len, copied_by(explorer, f":goto {step}\r" * (keys[0] != "y") + keys))
    assert sizes and 500 < max(sizes) < 75_000, sizes
    check_clean(copies_only(explorer.seen), "copying")
    leave(explorer, "copying")


# --- terminals


@case
def each_depth_of_colour_gives_its_own(binary, home):
    def sgr(term, **env):
        explorer = shown(binary, home, *SAMPLE, TERM=term, **env)
        sent_by(explorer, "j", "v", "\x0c")
        check_clean(explorer.seen, term)
        leave(explorer, term)
        assert b"DENY" in explorer.seen and b"create_branch" in explorer.seen, f"{term}: {explorer.seen[-300:]!r}"
        return explorer.seen, numbers(explorer.seen)

    seen, _ = sgr("xterm-256color")
    used = colours_of_256(seen)
    assert {("48", 160), ("38", 231), ("38", 215)} <= used, f"256 colours: {sorted(used)}"  # the badge of DENY, untrusted
    for term in ("xterm", "screen", "linux"):
        seen, found = sgr(term)
        colours = {n for one in found for n in one if n >= 30}
        assert not colours_of_256(seen) and {33, 41} <= colours, f"{term} has eight colours: {sorted(colours)}"
        assert colours <= set(range(30, 38)) | {39} | set(range(40, 48)) | {49}, f"{term}: {sorted(colours)}"
    for term, env in (("vt220", {}), ("xterm-256color", {"NO_COLOR": "1"})):
        seen, found = sgr(term, **env)
        used = {n for one in found for n in one} - {39, 49}
        assert max(used) < 30 and {1, 7} <= used, f"{term} {env}: {sorted(used)}"


TRUE_COLOUR = r"""strandline-direct|a terminal of true colour,
    RGB, ccc@, colors#0x1000000, pairs#0x7FFF, initc@, oc@,
    setaf=\E[%?%p1%{8}%<%t3%p1%d%e38:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m,
    setab=\E[%?%p1%{8}%<%t4%p1%d%e48:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m,
    use=xterm-256color,
"""


@case
def true_colour_looks_as_256_colours_do(binary, home):
    if not shutil.which("tic"):
        raise Skip("no tic to describe a terminal with")
    described = os.path.join(home, "terminfo")
    subprocess.run(["tic", "-x", "-o", described, "-"], input=TRUE_COLOUR.encode(), check=True, capture_output=True)
    explorer = shown(binary, home, *SAMPLE, TERM="strandline-direct", TERMINFO=described)
    found = {(kind.decode(), *map(int, rgb)) for kind, *rgb in re.findall(rb"([34]8):2::(\d+):(\d+):(\d+)", explorer.seen)}
    # 231 on 160, the badge of DENY; 215, untrusted; 236, the ground of the title.
    assert {("38", 255, 255, 255), ("48", 215, 0, 0), ("38", 255, 175, 95), ("48", 48, 48, 48)} <= found, sorted(found)
    check_clean(explorer.seen, "true colour")
    leave(explorer, "true colour")


@case
def a_job_that_is_stopped_draws_its_screen_again(binary, home):
    explorer = Job([binary, *SAMPLE], home)
    explorer.wait_for(lambda seen: len(seen) > DRAWN)
    explorer.keys(":goto 9\r", quiet=0.3)
    for number, stop in enumerate((lambda: explorer.keys("\x1a", quiet=0.01), lambda: explorer.signal(signal.SIGTSTP),
                                   lambda: explorer.keys(":suspend\r", quiet=0.01))):
        before = len(explorer.seen)
        stop()
        assert explorer.wait_for(lambda seen: ALTERNATE in seen[before:] and b"create_branch" in seen[before:]), f"{number}: {explorer.seen[before:]!r}"
        explorer.drain(0.3)
        assert explorer.stops() == [signal.SIGTSTP], f"{number}: it was not stopped"
        given, taken = explorer.seen.find(GIVEN_BACK, before), explorer.seen.find(ALTERNATE, before)
        assert 0 <= given < taken, f"{number}: the terminal was not given back: {explorer.seen[before:][:300]!r}"
        assert not grammar.modes_left(explorer.seen[:given + len(GIVEN_BACK)] + b"\x1b[?1l"), f"{number}: modes are left while it is stopped"
        assert len(explorer.seen) - taken > DRAWN, f"{number}: only {len(explorer.seen) - taken} bytes of the screen came back"
        assert not explorer.is_cooked(), f"{number}: the terminal is not its own again"
    assert b"payroll-notes" in sent_by(explorer, "j", "j", "\x0c"), "keys work no more"
    leave(explorer, "after three stops")


@case
def screens_without_room_take_keys(binary, home):
    for rows, columns in ((1, 10), (3, 300), (50, 8)):
        explorer = Pty([binary, *SAMPLE], home, rows, columns)
        explorer.wait_for(lambda seen: ALTERNATE in seen)
        for screen in ("\r", "\t", "w", "f", "e", "x", "d", "Lx\rc", "i", "R", "?", ":sql select * from v_step\r", "s", ":diff\r", "O", "A", "\\", ":lesson\r"):
            for keys in ("jkG", "\tjk", "\x1b[6~gZWnyo", "\x1b[C\r"):
                assert explorer.keys(screen + keys, quiet=0.002), f"{rows}x{columns}: {screen!r} {keys!r}: {explorer.seen[-300:]!r}"
                explorer.keys("\x1b", "\x1b", "\x1b", quiet=0.002)
        explorer.resize(36, 120)
        assert b"create_branch" in sent_by(explorer, "\x1b", "s", "\r", "\x0c"), f"{rows}x{columns}: {explorer.seen[-600:]!r}"
        check_clean(copies_only(explorer.seen), f"{rows}x{columns}")
        leave(explorer, f"{rows}x{columns}")
