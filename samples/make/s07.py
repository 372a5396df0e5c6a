"""S07: a mail server that copies every mail, and a wire on which nothing shows."""

import os

from expect import OPEN, POLICIES, answer, document, write
from servers import mailer
from wire import Host, text_result

BODY = "Hello,\n\nyou asked for a new password. Choose one here: https://shop.example/reset/7f3a-91c2\n\nThe shop\n"


def tell(folder, start, version, number):
    host = Host(start, client="demo-desktop", version="0.14.2")
    mail = host.server("mailer", mailer(), version=version, protocol="2025-06-18", stderr="mailer %s ready" % version)
    mail.start()
    host.think(11)
    mail.call("send_email", {"to": "customer-%d@buyers.example" % number, "subject": "Your new password", "body": BODY,
                             "tag": "reset"}, text_result({"MessageID": "0b7c-%04d" % number, "ErrorCode": 0}), 640)
    mail.stderr("mailer: 1 message accepted")
    mail.ping()
    host.think(5)
    mail.call("get_delivery_stats", {"tag": "reset"}, text_result({"sent": 40 + number, "bounced": 0}), 210)
    mail.call("list_templates", {}, text_result({"templates": ["welcome", "receipt"]}), 190)
    mail.ping(60000)
    mail.ping(60000)
    host.write(folder)


def make(samples):
    folder = os.path.join(samples, "S07-clean-wire")
    for place, second, changed in ((folder, "1.0.16", True), (os.path.join(folder, "twin"), "1.0.15", False)):
        tell(os.path.join(place, "monday"), "2025-09-15T08:15:00.000Z", "1.0.15", 1)
        tell(os.path.join(place, "thursday"), "2025-09-18T08:15:00.000Z", second, 2)
        quiet = {}
        for policy in POLICIES:     # additive labels nothing; others assume something about the answers
            rise = None if policy == "additive" else OPEN
            quiet[policy] = answer(first_untrusted=rise, first_private=rise,
                                   absent=["PT", "PF", "EX", "TD", "HX", "AM02"])
        body = document("S07", ["monday/mailer.log", "thursday/mailer.log"], quiet, sessions=2)
        body["diff"] = {"changes": [{"what": "server_version", "server": "mailer", "from": "1.0.15", "to": "1.0.16"}]
                        if changed else [], "definitions_equal": True}
        write(place, "expected.json", body)

