/* Claims: every shape on the wire, where it may stand, and what it says. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/flow/claim.h"
#include "tests/unit/files.h"

/* One line a claim: "shape block name=value problem", then the references, then the label that all
 * of it joins to. */
static void describe(struct span text, bool request, struct buf *out)
{
    struct arena arena = {0};
    struct claims claims;
    struct label_pool *pool = label_pool_create();
    struct label label = LABEL_PUBLIC, part;
    (request ? claims_find_request : claims_find)(text, &arena, &claims);
    for (size_t i = 0; i < claims.count; i++) {
        const struct claim *c = &claims.items[i];
        buf_addf(out, "%s %d %.*s %.*s=%.*s", claim_shape_word(c->shape), c->block,
                 SPAN_ARG(c->pointer), SPAN_ARG(c->name), SPAN_ARG(c->value));
        if (c->problem)
            buf_addf(out, " (%s)", c->problem);
        if (claim_label(pool, c, SPAN("m"), true, &part) == SENSE_MALFORMED)
            buf_puts(out, " closed");
        label = label_join(pool, label, part);
        buf_byte(out, '\n');
    }
    for (size_t i = 0; i < claims.evidence_count; i++) {
        const struct evidence_claim *e = &claims.evidence[i];
        buf_addf(out, "evidence %d %.*s %.*s|%.*s|%.*s|%.*s bad %u", e->block, SPAN_ARG(e->pointer),
                 SPAN_ARG(e->type), SPAN_ARG(e->digest), SPAN_ARG(e->canonicalization),
                 SPAN_ARG(e->schema), e->bad);
        if (e->problem)
            buf_addf(out, " (%s)", e->problem);
        buf_byte(out, '\n');
    }
    label_text(out, pool, label);
    label_pool_destroy(pool);
    arena_finish(&arena);
}

#define TRUST  "\"io.modelcontextprotocol/trust-annotations\""
#define SIGNED "{\"n\": 1, \"alg\": \"EdDSA\", \"sig\": \"00ff\"}"
#define AT     "/_meta/io.modelcontextprotocol~1trust-annotations"

static const struct {
    const char *result, *found;
} cases[] = {
    /* nothing */
    {"", "trusted, public"},
    {"annotations, but no JSON", "trusted, public"},
    {"{\"content\": [], \"x\": \"annotations\"}", "trusted, public"},
    {"{\"_meta\": {" TRUST ": {}}}", "trusted, public"},
    {"{\"_meta\": {" TRUST ": {\"untrusted\": true}}", "trusted, public"}, /* cut */
    /* trust-annotations, three states */
    {"{\"_meta\": {" TRUST ": {\"untrusted\": true, \"sensitive\": false}}}",
     "trust -1 " AT "/untrusted untrusted=true\n"
     "trust -1 " AT "/sensitive sensitive=false\n"
     "untrusted, public"},
    {"{\"_meta\":{\"io.modelcontextprotocol\\/trust-annotations\":{\"\\u0073ensitive\":true}}}",
     "trust -1 " AT "/sensitive sensitive=true\ntrusted, private (m)"},
    /* malformed, each closed on its own axis */
    {"{\"_meta\": {" TRUST ": {\"untrusted\": \"false\", \"sensitive\": null}}}",
     "trust -1 " AT "/untrusted untrusted=\"false\" (not a boolean) closed\n"
     "trust -1 " AT "/sensitive sensitive=null (not a boolean) closed\n"
     "untrusted, private (m)"},
    {"{\"_meta\": {" TRUST ": true}}",
     "trust -1 " AT " =true (not an object) closed\nuntrusted, private (m)"},
    /* blocks */
    {"{\"content\": [{\"type\": \"text\", \"text\": \"a\"}, {\"type\": \"text\", \"text\": \"b\", "
     "\"_meta\": {" TRUST ": {\"untrusted\": true}}}]}",
     "trust 1 /content/1" AT "/untrusted untrusted=true\nuntrusted, public"},
    /* places that the extension doesn't speak of */
    {"{\"contents\": [{\"uri\": \"a:b\", \"_meta\": {" TRUST ": {\"sensitive\": true}}}]}",
     "trust 0 /contents/0" AT "/sensitive sensitive=true (unspecified attachment)\n"
     "trusted, private (m)"},
    {"{\"structuredContent\": {\"_meta\": {" TRUST ": {\"untrusted\": true}}}}",
     "trust -1 /structuredContent" AT "/untrusted untrusted=true "
     "(unspecified attachment, inside data)\ntrusted, public"},
    {"{\"tools\": [{\"name\": \"t\", \"annotations\": {\"openWorldHint\": true}, \"_meta\": {" TRUST
     ": {\"untrusted\": true}}}]}",
     "trust -1 /tools/0" AT "/untrusted untrusted=true "
     "(unspecified attachment, on a tool definition)\ntrusted, public"},
    {"{" TRUST ": {\"sensitive\": true}}",
     "trust -1 /io.modelcontextprotocol~1trust-annotations/sensitive sensitive=true "
     "(unspecified attachment, inside data)\ntrusted, public"},
    /* evidence */
    {"{\"_meta\": {" TRUST ": {\"evidenceRef\": {\"type\": \"data-class.v1\", \"digest\": "
     "\"sha256:00\", \"canonicalization\": {\"a\": 1}}}}}",
     "evidence -1 " AT "/evidenceRef data-class.v1|sha256:00|{\"a\": 1}| bad 4\ntrusted, public"},
    {"{\"_meta\": {" TRUST ": {\"evidenceRef\": \"sha256:00\"}}}",
     "trust -1 " AT "/evidenceRef evidenceRef=\"sha256:00\" (not an object)\n"
     "evidence -1 " AT "/evidenceRef ||| bad 0\ntrusted, public"},
    {"{\"_meta\": {" TRUST ": {\"evidenceRef\": null}}}",
     "trust -1 " AT "/evidenceRef evidenceRef=null (not an object)\ntrusted, public"},
    {"{\"_meta\": {" TRUST ": {\"evidenceRef\": [7, null]}}}",
     "trust -1 " AT
     "/evidenceRef evidenceRef=[7, null] (a list, where one reference is specified)\n"
     "evidence -1 " AT "/evidenceRef/0 ||| bad 0\ntrusted, public"},
    {"{\"_meta\": {" TRUST ": {\"evidenceRef\": [{\"type\": \"a\"}, {\"type\": \"b\"}]}}}",
     "trust -1 " AT "/evidenceRef evidenceRef=[{\"type\": \"a\"}, {\"type\": \"b\"}] "
     "(a list, where one reference is specified)\n"
     "evidence -1 " AT "/evidenceRef/0 a||| bad 0\nevidence -1 " AT "/evidenceRef/1 b||| bad 0\n"
     "trusted, public"},
    /* _meta.ifc */
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"untrusted\", \"confidentiality\": \"private\"}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"untrusted\"\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality=\"private\"\nuntrusted, private (m)"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"trusted\", \"confidentiality\": [\"bob\", \"al\"]}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"trusted\"\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality=[\"bob\", \"al\"]\n"
     "trusted, readers al, bob"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"trusted\", \"confidentiality\": [\"al\", \"public\"]}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"trusted\"\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality=[\"al\", \"public\"]\ntrusted, public"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"trusted\", \"confidentiality\": []}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"trusted\"\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality=[]\ntrusted, readable by nobody"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"high\"}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"high\" (neither trusted nor untrusted) closed\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality= (missing) closed\n"
     "untrusted, private (m)"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"trusted\", \"confidentiality\": [\"al\", 7]}}}",
     "ifc -1 /_meta/ifc/integrity integrity=\"trusted\"\n"
     "ifc -1 /_meta/ifc/confidentiality confidentiality=[\"al\", 7] (a reader is not a string) "
     "closed\ntrusted, private (m)"},
    {"{\"_meta\": {\"ifc\": [{\"integrity\": \"untrusted\", \"confidentiality\": \"public\"}, "
     "{\"integrity\": \"trusted\", \"confidentiality\": \"private\"}]}}",
     "ifc -1 /_meta/ifc/0/integrity integrity=\"untrusted\"\n"
     "ifc -1 /_meta/ifc/0/confidentiality confidentiality=\"public\"\n"
     "ifc -1 /_meta/ifc/1/integrity integrity=\"trusted\"\n"
     "ifc -1 /_meta/ifc/1/confidentiality confidentiality=\"private\"\nuntrusted, private (m)"},
    {"{\"structuredContent\": {\"_meta\": {\"ifc\": {\"integrity\": \"trusted\"}}}}",
     "trusted, public"},
    /* JSONPath → label */
    {"{\"_meta\": {\"com.github.ifc/labels\": {\"$.a/b\": {\"integrity\": \"untrusted\", "
     "\"confidentiality\": \"public\"}, \"$.c\": 1}}}",
     "ifc_labels -1 /_meta/com.github.ifc~1labels/$.a~1b $.a/b={\"integrity\": \"untrusted\", "
     "\"confidentiality\": \"public\"}\n"
     "ifc_labels -1 /_meta/com.github.ifc~1labels/$.c $.c=1 (not an object) closed\n"
     "untrusted, private (m)"},
    /* SEP-1913 */
    {"{\"annotations\": {\"openWorldHint\": true, \"audience\": [\"user\"]}}",
     "sep1913 -1 /annotations/openWorldHint openWorldHint=true\nuntrusted, public"},
    {"{\"_meta\": {\"annotations\": {\"sensitivity\": \"pii\", \"attribution\": [\"crm\"]}}}",
     "sep1913 -1 /_meta/annotations/sensitivity sensitivity=\"pii\"\n"
     "sep1913 -1 /_meta/annotations/attribution attribution=[\"crm\"]\n"
     "trusted, private (m), class pii"},
    {"{\"content\": [{\"type\": \"text\", \"annotations\": {\"maliciousActivityHint\": true, "
     "\"sensitivity\": \"user\", \"priority\": 1}}]}",
     "sep1913 0 /content/0/annotations/maliciousActivityHint maliciousActivityHint=true\n"
     "sep1913 0 /content/0/annotations/sensitivity sensitivity=\"user\"\nuntrusted, public"},
    {"{\"_meta\": {\"annotations\": {\"sensitivity\": 3}}}",
     "sep1913 -1 /_meta/annotations/sensitivity sensitivity=3 (not a word) closed\n"
     "trusted, private (m)"},
    /* what is signed says nothing by itself */
    {"{\"_meta\": {\"r\": " SIGNED ", \"alg\": \"x\"}, \"structuredContent\": {\"s\": " SIGNED
     ", \"t\": [" SIGNED "]}, \"content\": [{\"_meta\": {\"u\": " SIGNED "}, \"v\": " SIGNED "}]}",
     "signed -1 /_meta/r r=" SIGNED "\nsigned -1 /structuredContent/s s=" SIGNED
     "\nsigned 0 /content/0/_meta/u u=" SIGNED "\ntrusted, public"},
    {"{\"_meta\": " SIGNED "}", "signed -1 /_meta _meta=" SIGNED "\ntrusted, public"},
    {"{\"_meta\": {\"r\": {\"signature\": \"int f(void)\"}}}", "trusted, public"},
};

static const struct {
    const char *params, *found;
} requests[] = {
    {"{\"name\": \"t\"}", "trusted, public"},
    {"{\"_meta\": 1, \"arguments\": \"sig\"}", "trusted, public"},
    {"{\"_meta\": {\"a/b\": " SIGNED "}, \"arguments\": {\"c\": " SIGNED ", \"d\": [" SIGNED "]}}",
     "signed -1 /params/_meta/a~1b a/b=" SIGNED "\nsigned -1 /params/arguments/c c=" SIGNED
     "\ntrusted, public"},
    {"{\"_meta\": {\"ifc\": {\"integrity\": \"trusted\", \"confidentiality\": \"public\"}, "
     "\"annotations\": {\"openWorldHint\": true}}, \"arguments\": {\"_meta\": {\"ifc\": 1}}}",
     "ifc -1 /params/_meta/ifc/integrity integrity=\"trusted\" (unspecified attachment)\n"
     "ifc -1 /params/_meta/ifc/confidentiality confidentiality=\"public\" (unspecified attachment)\n"
     "sep1913 -1 /params/_meta/annotations/openWorldHint openWorldHint=true (unspecified attachment)\n"
     "untrusted, public"},
};

Test(claim, shapes)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf out = {0};
        describe(span_of(cases[i].result), false, &out);
        cr_expect_str_eq(buf_cstr(&out), cases[i].found, "%s\n--- is\n%s\n--- should be\n%s",
                         cases[i].result, buf_cstr(&out), cases[i].found);
        buf_finish(&out);
    }
}

Test(claim, requests)
{
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        struct buf out = {0};
        describe(span_of(requests[i].params), true, &out);
        cr_expect_str_eq(buf_cstr(&out), requests[i].found, "%s\n--- is\n%s\n--- should be\n%s",
                         requests[i].params, buf_cstr(&out), requests[i].found);
        buf_finish(&out);
    }
}

/* Hostile nesting costs neither the stack nor more than a bounded number of claims. */
Test(claim, hostile)
{
    struct buf text = {0};
    struct arena arena = {0};
    struct claims claims;
    for (int i = 0; i < 20000; i++)
        buf_puts(&text, "{\"untrusted\": 1, " TRUST ":");
    buf_puts(&text, "1");
    buf_fill(&text, '}', 20000);
    claims_find(buf_span(&text), &arena, &claims);
    cr_assert(claims.count > 0 && claims.count <= 16);
    buf_clear(&text);
    buf_puts(&text, "{\"content\": [");
    for (int i = 0; i < 5000; i++)
        buf_puts(&text, "{\"_meta\": {" TRUST ": {\"untrusted\": true}}},");
    buf_puts(&text, "0]}");
    claims_find(buf_span(&text), &arena, &claims);
    cr_assert_eq(claims.count, 5000u);
    cr_assert_eq(claims.items[4999].block, 4999);
    buf_finish(&text);
    arena_finish(&arena);
}

Test(claim, records)
{
    static const struct {
        const char *type, *record, *label;
        enum claim_sense sense;
    } records[] = {
        {"ifc.fides.v1", "{\"integrity\": \"untrusted\", \"confidentiality\": \"public\"}",
         "untrusted, public", SENSE_LABEL},
        {"ifc.fides.v1", "{\"integrity\": \"trusted\", \"confidentiality\": \"secret\"}",
         "trusted, private (m)", SENSE_MALFORMED},
        {"ifc.fides.v1", "7", "untrusted, private (m)", SENSE_MALFORMED},
        {"data-class.v1", "{\"class\": \"public\"}", "trusted, public, public", SENSE_LABEL},
        {"data-class.v1", "{\"class\": \"confidential\", \"regulatory\": [\"hipaa\", \"gdpr\"]}",
         "trusted, private (m), confidential [gdpr, hipaa]", SENSE_LABEL},
        {"data-class.v1", "{\"class\": \"personal:gdpr\"}", "trusted, private (m), personal [gdpr]",
         SENSE_LABEL},
        {"data-class.v1", "{\"class\": \"unknown\"}", "trusted, private (m), class unknown",
         SENSE_LABEL},
        {"data-class.v1", "{\"klass\": \"public\"}", "trusted, private (m)", SENSE_MALFORMED},
        {"sequence", "{\"integrity\": \"untrusted\"}", "trusted, public", SENSE_NOTHING},
    };
    struct label_pool *pool = label_pool_create();
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        struct label label;
        struct buf text = {0};
        cr_expect_eq(record_label(pool, span_of(records[i].type), span_of(records[i].record),
                                  SPAN("m"), true, &label),
                     records[i].sense);
        label_text(&text, pool, label);
        cr_expect_str_eq(buf_cstr(&text), records[i].label);
        buf_finish(&text);
    }
    struct label label;
    cr_expect_eq(record_label(pool, SPAN("ifc.fides.v1"),
                              SPAN("{\"integrity\": \"trusted\", \"confidentiality\": [\"a\"]}"),
                              SPAN("m"), false, &label),
                 SENSE_MALFORMED, "no reader lists on the wire (16 June)");
    label_pool_destroy(pool);
}

/* The published worked cases: what `sensitive` comes to over result and blocks. */
Test(claim, worked_cases)
{
    struct buf text = {0}, result = {0};
    if (!files_read_shared("vectors/evidence/trust-annotations-worked-cases.json", &text))
        cr_skip_test("no shared vectors");
    struct span list, wire, meta, part, id;
    struct jsonr_items items;
    struct arena arena = {0};
    int seen = 0;
    cr_assert(jsonr_member(buf_span(&text), "cases", &list));
    for (jsonr_items_init(&items, list); jsonr_items_next(&items); seen++) {
        if (!jsonr_member(items.value, "wire", &wire))
            cr_assert(jsonr_member(items.value, "wire_jcs", &wire));
        cr_assert(jsonr_member(items.value, "id", &id));
        buf_clear(&result);
        if (jsonr_member(wire, "content_block_meta", &part)) {
            cr_assert(jsonr_member(wire, "result_meta", &meta));
            buf_addf(&result, "{\"_meta\": %.*s, \"content\": [{}, {\"_meta\": %.*s}]}",
                     SPAN_ARG(meta), SPAN_ARG(part));
        } else {
            cr_assert(jsonr_member(wire, "_meta", &meta));
            buf_addf(&result, "{\"_meta\": %.*s}", SPAN_ARG(meta));
        }
        struct claims claims;
        claims_find(buf_span(&result), &arena, &claims);
        bool sensitive = false,
             said = span_find(buf_span(&result), SPAN("\"sensitive\": true")) < result.len;
        for (size_t i = 0; i < claims.count; i++) {
            cr_assert_null(claims.items[i].problem);
            sensitive |= span_is(claims.items[i].name, "sensitive") &&
                         span_is(claims.items[i].value, "true");
        }
        cr_expect_eq(sensitive, said, "%.*s", SPAN_ARG(id));
        cr_expect_eq(claims.evidence_count, 1u, "%.*s", SPAN_ARG(id));
        cr_expect_eq(claims.evidence[0].bad, 0u);
    }
    cr_expect(seen >= 8);
    buf_finish(&text);
    buf_finish(&result);
    arena_finish(&arena);
}
