#include "model/seal/manifest.h"

#include <stdio.h>

#include "base/jsonr.h"
#include "base/slice.h"
#include "model/case/source.h"
#include "model/evidence/digest.h"
#include "model/evidence/jcs.h"
#include "model/seal/row_hash.h"

#define MANIFEST_SCHEMA "strandline/seal/1"

/* Everything a case holds that can't be made anew from its sources and rows. What replay derives
 * can; the seal and where the reviewer was last are no content. */
static const struct {
    const char *part, *sql;
} tables[] = {
    {"table meta", "SELECT * FROM main.meta ORDER BY key"},
    {"table source", "SELECT * FROM main.source ORDER BY id"},
    {"table account", "SELECT * FROM main.account ORDER BY source_id, kind, detail"},
    {"table diagnostic", "SELECT * FROM main.diagnostic ORDER BY id"},
    {"table session", "SELECT * FROM main.session ORDER BY id"},
    {"table session_source", "SELECT * FROM main.session_source ORDER BY session_id, source_id"},
    {"table server", "SELECT * FROM main.server ORDER BY id"},
    {"table connection", "SELECT * FROM main.connection ORDER BY id"},
    {"table step", "SELECT * FROM main.step ORDER BY id"},
    {"table step_source", "SELECT * FROM main.step_source ORDER BY step_id, event_id"},
    {"table definition", "SELECT * FROM main.definition ORDER BY id"},
    {"table claim", "SELECT * FROM main.claim ORDER BY id"},
    {"table record", "SELECT * FROM main.record ORDER BY id"},
    {"table evidence_ref", "SELECT * FROM main.evidence_ref ORDER BY id"},
    {"notes", "SELECT * FROM main.note ORDER BY id"},
};

/* ---- writing ---- */

static void add_member(struct buf *out, const char *key, struct span value)
{
    buf_addf(out, "\"%s\":", key);
    jsonr_quote(out, value);
}

static void add_digest(struct buf *out, const char *key, const uint8_t sha256[32])
{
    struct digest digest = {.algorithm = DIGEST_SHA256, .len = 32};
    struct buf text = {0};
    memcpy(digest.bytes, sha256, 32);
    digest_write(&text, &digest);
    add_member(out, key, buf_span(&text));
    buf_finish(&text);
}

static void begin_part(struct buf *out, struct span part, int64_t count)
{
    buf_puts(out, out->at[out->len - 1] == '[' ? "{" : ",{");
    add_member(out, "part", part);
    buf_addf(out, ",\"count\":%lld,", (long long)count);
}

static bool add_table(struct case_file *c, size_t which, struct hasher *hasher, struct buf *out,
                      struct err *err)
{
    struct stmt *stmt = db_prepare(case_db(c), span_of(tables[which].sql), err);
    struct digest digest;
    int64_t count = 0;
    int row = -1;
    if (!stmt)
        return false;
    bool ok = hasher_begin(hasher, DIGEST_SHA256, err);
    while (ok && (row = stmt_step(stmt, err)) > 0) {
        row_hash(hasher, stmt);
        count++;
    }
    stmt_finish(stmt);
    if (!ok || row < 0)
        return false;
    hasher_end(hasher, &digest);
    begin_part(out, span_of(tables[which].part), count);
    add_digest(out, "digest", digest.bytes);
    buf_byte(out, '}');
    return true;
}

/* What a seal is put under has to be true: nobody seals a case whose bytes have changed. */
static bool is_sound(struct case_file *c, int64_t id, const uint8_t *sha256, uint64_t bytes,
                     struct err *err)
{
    enum source_state state = SOURCE_CHANGED;
    if (sha256 && !source_compare(c, id, sha256, bytes, &state, err))
        return false;
    return state != SOURCE_CHANGED ||
           err_set(err, ERR_EVIDENCE, case_path(c), "'strandline verify' lists what changed",
                   "not sealed: the case's copy of a source is not what was imported");
}

/* The bytes that are held of a source. Where they can't be read they have no digest. `seal`: they
 * have to be what was imported. */
static bool add_source(struct case_file *c, int64_t id, struct span path, bool seal,
                       struct buf *out, struct err *err)
{
    uint8_t sha256[32];
    uint64_t bytes = 0;
    char part[40];
    bool readable = source_digest(c, id, sha256, &bytes, err);
    if ((!readable && err->kind != ERR_EVIDENCE) ||
        (seal && !is_sound(c, id, readable ? sha256 : NULL, bytes, err)))
        return false;
    snprintf(part, sizeof part, "source %lld", (long long)id);
    begin_part(out, span_of(part), (int64_t)bytes);
    add_member(out, "path", path);
    buf_byte(out, ',');
    if (readable)
        add_digest(out, "digest", sha256);
    else
        buf_puts(out, "\"digest\":null");
    buf_byte(out, '}');
    return true;
}

static bool add_sources(struct case_file *c, bool seal, struct buf *out, struct err *err)
{
    struct stmt *stmt = db_prepare(
        case_db(c), SPAN("SELECT id, path, sha256 IS NOT NULL FROM main.source ORDER BY id"), err);
    int row = -1;
    bool ok = stmt != NULL;
    while (ok && (row = stmt_step(stmt, err)) > 0)
        ok = add_source(c, stmt_int(stmt, 0), stmt_text(stmt, 1), seal && stmt_int(stmt, 2), out,
                        err);
    stmt_finish(stmt);
    return ok && row == 0;
}

static bool add_events(struct case_file *c, bool keep, struct manifest *manifest, seal_stop stop,
                       void *arg, struct err *err)
{
    struct chain_end *chain = &manifest->chain;
    struct buf *out = &manifest->text;
    bool readable = chain_make(c, keep, chain, stop, arg, err);
    if (!readable && err->kind != ERR_EVIDENCE)
        return false;
    begin_part(out, SPAN("events"), chain->events);
    if (readable) {
        add_digest(out, "digest", chain->last);
        buf_byte(out, ',');
        add_digest(out, "links", chain->links);
    } else {
        buf_puts(out, "\"digest\":null,\"links\":null");
    }
    buf_byte(out, '}');
    return true;
}

static void add_head(struct buf *out, const struct manifest_head *head)
{
    buf_byte(out, '{');
    add_member(out, "schema", SPAN(MANIFEST_SCHEMA));
    buf_byte(out, ',');
    add_member(out, "sealed_at", head->sealed_at);
    buf_byte(out, ',');
    add_member(out, "public_key", head->public_key);
    buf_byte(out, ',');
    add_member(out, "policy", head->policy);
    buf_byte(out, ',');
    add_member(out, "policy_digest", head->policy_digest);
    buf_puts(out, ",\"parts\":[");
}

static bool manifest_canonicalize(struct buf *text, struct err *err)
{
    struct jcs *jcs = jcs_create();
    struct jcs_report report;
    struct buf canonical = {0};
    bool ok = jcs_canonicalize(jcs, buf_span(text), &canonical, &report) ||
              jcs_fail(&report, "seal", err);
    jcs_destroy(jcs);
    buf_finish(text);
    *text = canonical;
    return ok;
}

bool manifest_make(struct case_file *c, const struct manifest_head *head, bool seal,
                   struct manifest *manifest, seal_stop stop, void *arg, struct err *err)
{
    struct hasher *hasher = hasher_create();
    struct buf *out = &manifest->text;
    *manifest = (struct manifest){0};
    add_head(out, head);
    bool ok = add_sources(c, seal, out, err) && add_events(c, seal, manifest, stop, arg, err);
    for (size_t i = 0; ok && i < COUNT_OF(tables); i++)
        ok = add_table(c, i, hasher, out, err);
    buf_puts(out, "]}");
    hasher_destroy(hasher);
    return ok && manifest_canonicalize(out, err);
}

void manifest_finish(struct manifest *manifest)
{
    buf_finish(&manifest->text);
}

/* ---- reading ---- */

static bool read_text(struct span object, const char *name, struct arena *arena, struct span *out)
{
    struct span value;
    struct buf text = {0};
    bool ok = jsonr_member(object, name, &value) && jsonr_string(value, &text, NULL);
    if (ok)
        *out = arena_copy(arena, buf_span(&text));
    buf_finish(&text);
    return ok;
}

static bool read_digest(struct span object, const char *name, uint8_t sha256[32])
{
    struct span value, text;
    struct digest digest;
    unsigned lints;
    bool ok = jsonr_member(object, name, &value) && jsonr_plain_string(value, &text) &&
              digest_parse(text, &digest, &lints) == DIGEST_OK && digest.len == 32;
    if (ok)
        memcpy(sha256, digest.bytes, 32);
    return ok;
}

/* The part of that name. */
static bool find_part(struct span manifest, struct span name, struct span *part)
{
    struct span parts, value;
    if (!jsonr_member(manifest, "parts", &parts) || !jsonr_is_array(parts))
        return false;
    struct jsonr_items items;
    jsonr_items_init(&items, parts);
    while (jsonr_items_next(&items))
        if (jsonr_member(items.value, "part", &value) && span_equal(value, name)) {
            *part = items.value;
            return true;
        }
    return false;
}

bool manifest_read(struct span text, struct arena *arena, struct manifest_head *head,
                   struct chain_end *chain)
{
    struct span schema, events, count;
    enum jsonr_fault fault;
    size_t at;
    return jsonr_valid(text, &fault, &at) && jsonr_member(text, "schema", &schema) &&
           jsonr_string_is(schema, MANIFEST_SCHEMA) &&
           read_text(text, "sealed_at", arena, &head->sealed_at) &&
           read_text(text, "public_key", arena, &head->public_key) &&
           read_text(text, "policy", arena, &head->policy) &&
           read_text(text, "policy_digest", arena, &head->policy_digest) &&
           find_part(text, SPAN("\"events\""), &events) && jsonr_member(events, "count", &count) &&
           jsonr_int(count, &chain->events) && read_digest(events, "digest", chain->last) &&
           read_digest(events, "links", chain->links);
}

/* ---- comparing ---- */

static void report_difference(struct seal_report *report, struct arena *arena, struct span part,
                              const char *what)
{
    struct seal_difference *d = &report->differences[report->difference_count++];
    struct span path = {NULL, 0};
    struct buf name = {0};
    read_text(part, "part", arena, &d->part);
    if (read_text(part, "path", arena, &path)) {
        buf_add(&name, d->part);
        buf_byte(&name, ' ');
        buf_add(&name, path);
        d->part = arena_copy(arena, buf_span(&name));
    }
    d->what = span_of(what);
    buf_finish(&name);
}

static size_t count_parts(struct span parts)
{
    struct jsonr_items items;
    size_t count = 0;
    jsonr_items_init(&items, parts);
    while (jsonr_items_next(&items))
        count++;
    return count;
}

/* The parts of `a` that `b` lacks, and with `changed` those it has otherwise. Both are in the same
 * order but for what came or went, so the search goes on where it last found something. */
static void compare_parts(struct span a, struct span b, const char *missing, const char *changed,
                          struct arena *arena, struct seal_report *report)
{
    struct jsonr_items mine, theirs;
    struct span name, other;
    jsonr_items_init(&mine, a);
    jsonr_items_init(&theirs, b);
    while (jsonr_items_next(&mine)) {
        struct jsonr_items ahead = theirs;
        bool found = false;
        if (!jsonr_member(mine.value, "part", &name))
            continue;
        while (!found && jsonr_items_next(&ahead))
            found = jsonr_member(ahead.value, "part", &other) && span_equal(name, other);
        if (!found)
            report_difference(report, arena, mine.value, missing);
        else if (changed && !span_equal(mine.value, ahead.value))
            report_difference(report, arena, mine.value, changed);
        if (found)
            theirs = ahead;
    }
}

void manifest_compare(struct span sealed, struct span now, struct arena *arena,
                      struct seal_report *report)
{
    struct span before, after;
    if (!jsonr_member(sealed, "parts", &before) || !jsonr_member(now, "parts", &after))
        return;
    report->parts = count_parts(before);
    report->differences =
        arena_array(arena, report->parts + count_parts(after), sizeof *report->differences);
    compare_parts(before, after, "gone", "changed", arena, report);
    compare_parts(after, before, "added since", NULL, arena, report);
}
