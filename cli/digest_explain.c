#include "cli/digest_explain.h"

#include <stdio.h>

#include "base/text.h"
#include "model/evidence/cbor.h"
#include "model/evidence/digest.h"

static const struct {
    const char *word, *text;
} change_kinds[JCS_CHANGE_KINDS] = {
    [JCS_SPACE] = {"space", "white space dropped"},
    [JCS_NUMBER] = {"number", "number written anew"},
    [JCS_STRING] = {"string", "string escaped anew"},
    [JCS_MOVED] = {"moved", "member moved"},
};

static const char *const no_text = "made from CBOR: there is no text to compare it with";

/* ---- JSON under JCS: position by position ---- */

static void change_line(const struct digest_explain *e, const struct jcs_change *c,
                        struct buf *line)
{
    buf_clear(line);
    buf_addf(line, "  byte %zu  %s  ", c->in, change_kinds[c->kind].text);
    text_fit(line, span_sub(e->record, c->in, c->in_len), 30, false);
    if (c->kind != JCS_SPACE) {
        buf_puts(line, "  ->  ");
        text_fit(line, span_sub(e->canonical, c->out, c->out_len), 30, false);
        buf_addf(line, "  at %zu", c->out);
    }
    printf("%.*s\n", SPAN_ARG(buf_span(line)));
}

static void changes_text(const struct digest_explain *e, const struct jcs_report *report,
                         const struct jcs_changes *changes)
{
    struct buf line = {0};
    for (size_t i = 0; i < changes->count; i++)
        change_line(e, &changes->at[i], &line);
    if (changes->count == 0)
        puts("  nothing was changed: the text is canonical");
    for (int n = 0; n < JCS_NOTE_COUNT; n++)
        if (report->note[n].count)
            printf("  note  %s (%zu, first at byte %zu)\n", jcs_note_text((enum jcs_note)n),
                   report->note[n].count, report->note[n].first);
    buf_finish(&line);
}

static void changes_json(const struct jcs_report *report, const struct jcs_changes *changes,
                         struct json *j)
{
    json_array(j, "changes");
    for (size_t i = 0; i < changes->count; i++) {
        const struct jcs_change *c = &changes->at[i];
        json_object(j, NULL);
        json_word(j, "kind", change_kinds[c->kind].word);
        json_int(j, "offset", (int64_t)c->in);
        json_int(j, "length", (int64_t)c->in_len);
        json_int(j, "canonical_offset", (int64_t)c->out);
        json_int(j, "canonical_length", (int64_t)c->out_len);
        json_end(j);
    }
    json_end(j);
    json_array(j, "notes");
    for (int n = 0; n < JCS_NOTE_COUNT; n++) {
        if (!report->note[n].count)
            continue;
        json_object(j, NULL);
        json_word(j, "note", jcs_note_text((enum jcs_note)n));
        json_int(j, "count", (int64_t)report->note[n].count);
        json_int(j, "first", (int64_t)report->note[n].first);
        json_end(j);
    }
    json_end(j);
}

/* ---- CBOR: head by head ---- */

static void head_text(void *context, size_t at, struct span head, size_t depth, bool key,
                      struct span says)
{
    enum { DEEPEST = 16 };
    struct buf *line = context;
    int indent = 2 * (int)(depth < DEEPEST ? depth : DEEPEST);
    buf_clear(line);
    buf_addf(line, "  %04zx  %*s", at, indent, "");
    hex_encode(line, head);
    buf_addf(line, "%*s  ", head.len < 9 ? (int)(18 - 2 * head.len) : 0, "");
    text_safe(line, says);
    printf("%.*s%s\n", SPAN_ARG(buf_span(line)), key ? ":" : "");
}

static void head_json(void *context, size_t at, struct span head, size_t depth, bool key,
                      struct span says)
{
    struct json *j = context;
    struct buf hex = {0};
    hex_encode(&hex, head);
    json_object(j, NULL);
    json_int(j, "offset", (int64_t)at);
    json_string(j, "head", buf_span(&hex));
    json_int(j, "depth", (int64_t)depth);
    json_bool(j, "key", key);
    json_string(j, "item", says);
    json_end(j);
    buf_finish(&hex);
}

/* Which profiles of determinism the bytes already are, and where they first are not. */
static void profiles_text(const struct cbor_report *report)
{
    for (int p = 0; p < CBOR_PROFILE_COUNT; p++) {
        const struct cbor_verdict *v = &report->profile[p];
        if (v->ok)
            printf("  as it came  %s\n", cbor_profile_name((enum cbor_profile)p));
        else
            printf("  as it came  not %s: %s, at byte %zu\n",
                   cbor_profile_name((enum cbor_profile)p), cbor_flaw_text(v->why), v->at);
    }
}

static void profiles_json(const struct cbor_report *report, struct json *j)
{
    json_array(j, "profiles");
    for (int p = 0; p < CBOR_PROFILE_COUNT; p++) {
        const struct cbor_verdict *v = &report->profile[p];
        json_object(j, NULL);
        json_word(j, "profile", cbor_profile_name((enum cbor_profile)p));
        json_bool(j, "deterministic", v->ok);
        json_word(j, "flaw", v->ok ? NULL : cbor_flaw_text(v->why));
        json_int_or_null(j, "offset", (int64_t)v->at, !v->ok);
        json_end(j);
    }
    json_end(j);
}

/* ---- either ---- */

enum { SHOWN = 60 }; /* of a string in CBOR */

void digest_explain_text(const struct digest_explain *e, struct jcs *jcs)
{
    struct buf out = {0};
    struct cbor_report cbor;
    if (e->canon == CANON_JCS) {
        struct jcs_report report;
        struct jcs_changes changes = {0};
        if (jcs_explain(jcs, e->record, &out, &report, &changes))
            changes_text(e, &report, &changes);
        else
            printf("  %s\n", no_text);
        jcs_changes_finish(&changes);
    } else {
        cbor_heads(e->canonical, SHOWN, head_text, &out);
        if (!e->is_json && cbor_check(e->record, &cbor)) {
            profiles_text(&cbor);
            puts(span_equal(e->record, e->canonical)
                     ? "  nothing was changed: the bytes are canonical"
                     : "  encoded again: the bytes above are not those that came");
        }
    }
    buf_finish(&out);
}

void digest_explain_json(const struct digest_explain *e, struct jcs *jcs, struct json *j)
{
    struct buf out = {0};
    struct cbor_report cbor;
    if (e->canon == CANON_JCS) {
        struct jcs_report report;
        struct jcs_changes changes = {0};
        if (jcs_explain(jcs, e->record, &out, &report, &changes))
            changes_json(&report, &changes, j);
        else
            json_null(j, "changes");
        jcs_changes_finish(&changes);
    } else {
        json_array(j, "heads");
        cbor_heads(e->canonical, SHOWN, head_json, j);
        json_end(j);
        if (!e->is_json && cbor_check(e->record, &cbor)) {
            profiles_json(&cbor, j);
            json_bool(j, "encoded_again", !span_equal(e->record, e->canonical));
        }
    }
    buf_finish(&out);
}
