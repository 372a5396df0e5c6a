/* Who is party to a mail, an event, a file, as the result itself says. */
#include <criterion/criterion.h>

#include "model/flow/parties.h"

#define TEXT(text) "{\"content\": [{\"type\": \"text\", \"text\": \"" text "\"}]}"

Test(parties, read)
{
    static const struct {
        const char *body, *readers; /* as label_text says them; NULL: nothing is known */
    } cases[] = {
        {"{\"from\": \"Ann <ann@a>\", \"to\": [\"bob@b\", \"cy@c\"]}",
         "readers ann@a, bob@b, cy@c"},
        {"[{\"from\": \"ann@a\", \"to\": \"bob@b\"}, {\"from\": \"bob@b\", \"to\": \"cy@c\"}]",
         "readers bob@b"},
        {"[{\"from\": \"ann@a\"}, {\"from\": \"bob@b\"}]", "readable by nobody"},
        {"{\"emails\": [{\"from\": \"ann@a\"}], \"total\": 1}", "readers ann@a"},
        {"{\"to\": [{\"email\": \"ann@a\", \"name\": \"Ann\"}]}", "readers ann@a"},
        {"{\"shared_with\": {\"ann@a\": \"rw\", \"bob@b\": \"r\"}}", "readers ann@a, bob@b"},
        {"{\"from\": \"ann@a\", \"to\": \"bob@b\", \"thread\": [{\"from\": \"ann@a\"}]}",
         "readers ann@a"},
        {TEXT("[{\\\"from\\\": \\\"ann@a\\\"}]"), "readers ann@a"},
        {TEXT("- from: ann@a\\n  to:\\n  - bob@b\\n  subject: x"), "readers ann@a, bob@b"},
        {"- from: ann@a\n  cc: []\n  to:\n  - bob@b\n- from: bob@b\n  to:\n  - 'ann@a'\n",
         "readers ann@a, bob@b"},
        {"from: ann@a\nbody: |\n  to:\n  - mallory@m\n  shared_with: mallory@m\nshared_with:\n  bob@b: r\n",
         "readers ann@a, bob@b"},
        {"- from: ann@a\n  body: 'x\n\n    to: mallory@m'\n", "readers ann@a"},
        /* What isn't such an item may be read by anybody, for all that is known. */
        {"", NULL},
        {"3 mails", NULL},
        {"{\"error\": \"no mail\"}", NULL},
        {"{\"emails\": [{\"from\": \"ann@a\"}], \"note\": \"secret\"}", NULL},
        {"[{\"from\": \"ann@a\"}, {\"body\": \"secret\"}]", NULL},
        {"[{\"from\": \"ann@a\"}, \"secret\"]", NULL},
        {"{\"from\": \"\", \"to\": []}", NULL},
        {"{\"from\": \"ann@a\"", NULL},
        {"- from: ann@a\n- body: secret\n", NULL},
        {"- from: ann@a\nsecret\n", NULL},
        /* Mails printed one below the other are no YAML: the body of one would speak for another.
         */
        {"from: ann@a\nto: bob@b\n\nhello\nfrom: mallory@m\n", NULL},
        {"from: ann@a\nfrom: mallory@m\n", NULL},
        {"{\"content\": [{\"type\": \"text\", \"text\": \"from: ann@a\"}, {\"type\": \"image\"}]}",
         NULL},
        {"{\"content\": [{\"type\": \"text\", \"text\": \"from: ann@a\"}], \"structuredContent\": "
         "{\"a\": \"secret\"}}",
         NULL},
    };
    const struct span members[] = {SPAN("from"), SPAN("to"), SPAN("cc"), SPAN("shared_with")};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct label_pool *pool = label_pool_create();
        struct label label = LABEL_PUBLIC;
        struct buf text = {0};
        bool known =
            parties_read(pool, span_of(cases[i].body), members, COUNT_OF(members), &label.readers);
        label_text(&text, pool, label);
        cr_expect_eq(known, cases[i].readers != NULL, "%s", cases[i].body);
        cr_expect(!known || !cases[i].readers ||
                      span_find(buf_span(&text), span_of(cases[i].readers)) < text.len,
                  "%s\n  is        %s\n  should be %s", cases[i].body, buf_cstr(&text),
                  cases[i].readers ? cases[i].readers : "not known");
        buf_finish(&text);
        label_pool_destroy(pool);
    }
}
