#!/usr/bin/env python3
"""Count the test cases of a meson test run.

usage: count.py testlog.json

The last line printed is `N passed, N failed, N skipped`: test cases, not programs. A program that
speaks TAP counts as the cases it reports, and each case that its plan promised and it did not report
(a crash, a timeout) is a failure; any other program is one case. What was skipped is named first,
with its reason. Exit status 1 where something failed, or nothing ran.
"""
import json
import re
import sys

POINT = re.compile(r"(not )?ok\b\s*\d*\s*-?\s*(.*?)(?:\s+#\s*(skip|todo)\S*\s*(.*))?$", re.I)
PLAN = re.compile(r"1\.\.(\d+)")


def cases(test):
    """(result, name, reason) of each case of one program."""
    points, promised = [], None
    for line in test.get("stdout", "").splitlines():
        if plan := PLAN.match(line):
            promised = int(plan[1])
        elif point := POINT.match(line):
            failed, name, directive, reason = point.groups()
            skipped = (directive or "").lower() == "skip"
            points.append(("skipped" if skipped else "failed" if failed else "passed", name, reason or ""))
    if promised is None and not points:
        result = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}.get(test["result"], "failed")
        return [(result, test["name"], "")]
    if promised == 0 and not points:
        points.append(("skipped", test["name"], "nothing to run"))
    missing = (promised or 0) - len(points)
    points += [("failed", test["name"], "did not report")] * max(missing, 0)
    if test["result"] not in ("OK", "SKIP") and not any(p[0] == "failed" for p in points):
        points.append(("failed", test["name"], test["result"]))
    return points


def main(path):
    try:
        with open(path, encoding="utf-8") as log:
            tests = [json.loads(line) for line in log]
    except FileNotFoundError:
        tests = []
    found = [(test["name"], *case) for test in tests for case in cases(test)]
    for test, result, name, reason in found:
        if result == "skipped":
            print(f"skipped: {test}: {name}" + (f" ({reason})" if reason else ""))
    if not found:
        print("nothing ran: names of tests and suites are in tests/meson.build")
    count = {r: sum(1 for f in found if f[1] == r) for r in ("passed", "failed", "skipped")}
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
