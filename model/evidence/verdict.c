#include "model/evidence/verdict.h"

#include "base/jsonr.h"
#include "base/text.h"

/* ---- words ---- */

static const struct {
    const char *word, *text;
    bool failed;
} verdict_verdicts[EVIDENCE_VERDICT_COUNT] = {
#define X(id, word, failed, text) {word, text, failed},
    EVIDENCE_VERDICTS(X)
#undef X
};

const char *evidence_verdict_word(enum evidence_verdict verdict)
{
    return verdict_verdicts[verdict].word;
}

const char *evidence_verdict_text(enum evidence_verdict verdict)
{
    return verdict_verdicts[verdict].text;
}

bool evidence_verdict_failed(enum evidence_verdict verdict)
{
    return verdict_verdicts[verdict].failed;
}

bool evidence_verdict_find(struct span word, enum evidence_verdict *verdict)
{
    for (size_t i = 0; i < EVIDENCE_VERDICT_COUNT; i++)
        if (span_is(word, verdict_verdicts[i].word)) {
            *verdict = (enum evidence_verdict)i;
            return true;
        }
    return false;
}

const char *evidence_reason_text(enum evidence_reason reason)
{
    static const char *const texts[EVIDENCE_REASON_COUNT] = {
#define X(id, text) text,
        EVIDENCE_REASONS(X)
#undef X
    };
    return texts[reason];
}

/* ---- the reference ---- */

static struct ref_field read_field(struct span json, const char *name, struct arena *arena)
{
    struct ref_field field = {.state = REF_ABSENT, .text = SPAN_EMPTY, .raw = SPAN_EMPTY};
    if (!jsonr_member(json, name, &field.raw) || jsonr_type(field.raw) == JSONR_NULL)
        return field;
    field.state = REF_MALFORMED;
    if (!jsonr_is_string(field.raw))
        return field;
    if (!jsonr_plain_string(field.raw, &field.text)) {
        struct buf decoded = {0};
        jsonr_string(field.raw, &decoded, NULL);
        field.text = arena_copy(arena, buf_span(&decoded));
        buf_finish(&decoded);
    }
    if (field.text.len)
        field.state = REF_TEXT;
    return field;
}

void evidence_ref_read(struct span json, struct arena *arena, struct evidence_ref *ref)
{
    json = span_trim(json);
    *ref = (struct evidence_ref){.object = jsonr_is_object(json) &&
                                           jsonr_valid(json, &(enum jsonr_fault){0}, &(size_t){0})};
    if (!ref->object)
        return;
    ref->duplicate = jsonr_duplicate(json, NULL);
    ref->type = read_field(json, "type", arena);
    ref->digest = read_field(json, "digest", arena);
    ref->canonicalization = read_field(json, "canonicalization", arena);
    ref->schema = read_field(json, "schema", arena);
    ref->schema_version = read_field(json, "schema_version", arena);
    ref->ref = read_field(json, "ref", arena);
}

/* ---- schemas ---- */

struct schema_requirement {
    struct span schema, member;
    struct schema_requirement *next;
};

struct schemas {
    struct arena arena;
    struct schema_requirement *first, *last; /* in the order in which they came */
};

struct schemas *schemas_create(void)
{
    return NEW(struct schemas);
}

void schemas_destroy(struct schemas *schemas)
{
    if (!schemas)
        return;
    arena_finish(&schemas->arena);
    mem_free(schemas);
}

static void schemas_require(struct schemas *schemas, struct span name, struct span member)
{
    struct schema_requirement *r = arena_alloc(&schemas->arena, sizeof *r);
    *r = (struct schema_requirement){arena_copy(&schemas->arena, name),
                                     arena_copy(&schemas->arena, member), NULL};
    if (schemas->last)
        schemas->last->next = r;
    else
        schemas->first = r;
    schemas->last = r;
}

static bool bad_schemas(struct err *err, const char *what)
{
    return err_set(err, ERR_USAGE, "schemas",
                   "write {\"NAME\": {\"required_fields\": [\"member\", …]}}", "%s", what);
}

bool schemas_read(struct schemas *schemas, struct span json, struct err *err)
{
    enum jsonr_fault fault;
    size_t at;
    if (!jsonr_valid(json, &fault, &at))
        return bad_schemas(err, jsonr_fault_text(fault));
    json = span_trim(json);
    if (!jsonr_is_object(json))
        return bad_schemas(err, "not an object of schemas");
    struct buf name = {0}, member = {0};
    bool ok = true;
    struct jsonr_items items, fields;
    jsonr_items_init(&items, json);
    while (ok && jsonr_items_next(&items)) {
        struct span required;
        ok = jsonr_member(items.value, "required_fields", &required) && jsonr_is_array(required);
        if (!ok)
            break;
        buf_clear(&name);
        jsonr_name(items.name, &name, NULL);
        jsonr_items_init(&fields, required);
        while (ok && jsonr_items_next(&fields)) {
            buf_clear(&member);
            ok = jsonr_string(fields.value, &member, NULL);
            if (ok)
                schemas_require(schemas, buf_span(&name), buf_span(&member));
        }
    }
    buf_finish(&name);
    buf_finish(&member);
    return ok || bad_schemas(err, "a schema's required_fields is not an array of names");
}

/* Is the requirement one of the schema that the reference declares: NAME, or NAME/VERSION? */
static bool concerns(const struct schema_requirement *r, const struct evidence_ref *ref)
{
    struct span schema = ref->schema.text, version = ref->schema_version.text;
    if (span_equal(r->schema, schema))
        return true;
    return r->schema.len == schema.len + 1 + version.len && version.len &&
           span_starts_with(r->schema, schema) && r->schema.at[schema.len] == '/' &&
           span_ends_with(r->schema, version);
}

/* The member of that name, which is data and may hold anything. */
static bool find_member(struct span object, struct span name, struct span *value)
{
    struct jsonr_items items;
    bool found = false;
    jsonr_items_init(&items, object);
    while (jsonr_items_next(&items))
        if (jsonr_name_is(items.name, name)) {
            *value = items.value;
            found = true;
        }
    return found;
}

static bool verdict_names(struct span array, struct span name)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return false;
    jsonr_items_init(&items, array);
    while (jsonr_items_next(&items))
        if (jsonr_is_string(items.value) &&
            jsonr_name_is(span_sub(items.value, 1, items.value.len - 2), name))
            return true;
    return false;
}

/* A member is redacted when it says so itself, or the record lists it. */
static bool is_redacted(struct span record, struct span name, struct span value)
{
    struct span mark, listed;
    if (jsonr_is_object(value) && jsonr_member(value, "_redacted", &mark) &&
        jsonr_type(mark) == JSONR_TRUE)
        return true;
    return jsonr_member(record, "redacted_fields", &listed) && verdict_names(listed, name);
}

static bool differs(const struct ref_field *field, struct span record, const char *member)
{
    struct span declared;
    return field->state == REF_TEXT && jsonr_member(record, member, &declared) &&
           jsonr_is_string(declared) &&
           !jsonr_name_is(span_sub(declared, 1, declared.len - 2), field->text);
}

/* Does the record fit the schema that the reference declares, as far as that can be known here? */
static enum evidence_reason verdict_check_schema(const struct evidence_ref *ref, struct span record,
                                                 const struct schemas *schemas, struct span *member)
{
    if (!jsonr_is_object(record) || ref->schema.state != REF_TEXT)
        return EVIDENCE_REASON_NONE;
    if (differs(&ref->schema, record, "schema"))
        return EVIDENCE_REASON_SCHEMA_DIFFERS;
    if (differs(&ref->schema_version, record, "schema_version"))
        return EVIDENCE_REASON_SCHEMA_VERSION_DIFFERS;
    for (const struct schema_requirement *r = schemas ? schemas->first : NULL; r; r = r->next) {
        struct span value;
        if (!concerns(r, ref))
            continue;
        *member = r->member;
        if (!find_member(record, r->member, &value))
            return EVIDENCE_REASON_MEMBER_MISSING;
        if (is_redacted(record, r->member, value))
            return EVIDENCE_REASON_MEMBER_REDACTED;
    }
    *member = SPAN_EMPTY;
    return EVIDENCE_REASON_NONE;
}

/* ---- verifying ---- */

static void decide(struct evidence_result *result, enum evidence_verdict verdict,
                   enum evidence_reason reason)
{
    result->verdict = verdict;
    result->reason = reason;
}

/* Is all there that a digest can be compared with? What is declared goes into the result. */
static bool read_declaration(const struct evidence_ref *ref, struct evidence_result *result)
{
    if (!ref->object)
        return decide(result, EVIDENCE_MALFORMED_REF, EVIDENCE_REASON_NOT_AN_OBJECT), false;
    if (ref->duplicate)
        return decide(result, EVIDENCE_MALFORMED_REF, EVIDENCE_REASON_DUPLICATE_MEMBER), false;
    static const enum evidence_reason wrong[][2] = {
        {EVIDENCE_REASON_TYPE_MISSING, EVIDENCE_REASON_TYPE_MALFORMED},
        {EVIDENCE_REASON_DIGEST_MISSING, EVIDENCE_REASON_DIGEST_MALFORMED},
        {EVIDENCE_REASON_CANON_MISSING, EVIDENCE_REASON_CANON_MALFORMED},
    };
    const struct ref_field *required[] = {&ref->type, &ref->digest, &ref->canonicalization};
    for (size_t i = 0; i < COUNT_OF(required); i++) {
        if (required[i]->state == REF_TEXT)
            continue;
        /* A canonicalization that the producer defines itself is not malformed, but nothing that a
         * verifier may follow. */
        bool own = i == 2 && jsonr_is_object(required[i]->raw);
        decide(result, own ? EVIDENCE_UNSUPPORTED_CANONICALIZATION : EVIDENCE_MALFORMED_REF,
               wrong[i][required[i]->state == REF_MALFORMED]);
        return false;
    }
    switch (digest_parse(ref->digest.text, &result->wanted, &result->digest_lints)) {
    case DIGEST_OK:
        break;
    case DIGEST_UNKNOWN_ALGORITHM:
        decide(result, EVIDENCE_UNSUPPORTED_ALGORITHM, EVIDENCE_REASON_ALGORITHM_UNKNOWN);
        return false;
    case DIGEST_WEAK_ALGORITHM:
        decide(result, EVIDENCE_UNSUPPORTED_ALGORITHM, EVIDENCE_REASON_ALGORITHM_WEAK);
        return false;
    case DIGEST_BAD_LENGTH:
        decide(result, EVIDENCE_MALFORMED_REF, EVIDENCE_REASON_DIGEST_BAD_LENGTH);
        return false;
    default:
        decide(result, EVIDENCE_MALFORMED_REF, EVIDENCE_REASON_DIGEST_BAD_TEXT);
        return false;
    }
    if (!canonicalization_find(ref->canonicalization.text, &result->declared,
                               &result->canon_alias)) {
        decide(result, EVIDENCE_UNSUPPORTED_CANONICALIZATION, EVIDENCE_REASON_CANON_UNKNOWN);
        return false;
    }
    result->declared_known = true;
    return true;
}

/* The record `index` has the digest as declared: what is left is whether it fits its schema. */
static void judge_match(const struct evidence_ref *ref, struct records *records, size_t index,
                        size_t named, const struct schemas *schemas, struct evidence_result *result)
{
    const struct held_record *record = records_at(records, index);
    struct buf json = {0};
    result->record = index;
    result->computed = result->wanted;
    result->computed_known = true;
    result->matched = result->declared;
    result->not_deterministic = record->form == RECORD_CBOR && !record->deterministic;
    struct digest other;
    result->ref_disagrees =
        named != RECORD_NONE && named != index &&
        !(records_digest(records, named, result->declared, result->wanted.algorithm, &other) &&
          digest_equal(&other, &result->wanted));
    records_json(records, index, &json);
    result->reason =
        verdict_check_schema(ref, span_trim(buf_span(&json)), schemas, &result->member);
    result->verdict =
        result->reason == EVIDENCE_REASON_NONE ? EVIDENCE_RECOMPUTED : EVIDENCE_SCHEMA_MISMATCH;
    buf_finish(&json);
}

/* The reference names the record, or it stands with it, and its digest is another. */
static void judge_named(struct records *records, size_t index, struct evidence_result *result)
{
    const struct held_record *record = records_at(records, index);
    result->record = index;
    if (!record->hashable) {
        result->verdict = EVIDENCE_MALFORMED_RECORD;
        result->record_why = record->why;
        result->record_why_at = record->why_at;
        return;
    }
    result->computed_known = records_digest(records, index, result->declared,
                                            result->wanted.algorithm, &result->computed);
    decide(result, EVIDENCE_DIGEST_MISMATCH,
           result->computed_known ? EVIDENCE_REASON_NONE : EVIDENCE_REASON_NO_SUCH_FORM);
    result->not_deterministic = record->form == RECORD_CBOR && !record->deterministic;
}

/* The record with the digest wanted: any that is held, or only `only`. */
static size_t find(struct records *records, const struct evidence_result *result,
                   enum canonicalization canon, bool any, size_t only)
{
    struct digest digest;
    if (any)
        return records_find(records, &result->wanted, canon);
    bool same = only != RECORD_NONE &&
                records_digest(records, only, canon, result->wanted.algorithm, &digest) &&
                digest_equal(&digest, &result->wanted);
    return same ? only : RECORD_NONE;
}

void evidence_verify(const struct evidence_ref *ref, struct records *records,
                     const struct evidence_options *options, struct evidence_result *result)
{
    static const struct evidence_options none = {.schemas = NULL, .offered = RECORD_NONE};
    options = options ? options : &none;
    *result =
        (struct evidence_result){.record = RECORD_NONE, .record_why = "", .member = SPAN_EMPTY};
    if (!read_declaration(ref, result))
        return;

    bool has_ref = ref->ref.state == REF_TEXT;
    size_t named = has_ref ? records_named(records, ref->ref.text) : RECORD_NONE;
    bool any = !(options->ref_decides && has_ref);
    size_t found = find(records, result, result->declared, any, named);
    if (found != RECORD_NONE) {
        judge_match(ref, records, found, named, options->schemas, result);
        return;
    }
    for (size_t c = 0; c < CANON_COUNT; c++) {
        found = find(records, result, (enum canonicalization)c, any, named);
        if (found == RECORD_NONE)
            continue;
        result->record = found;
        result->matched = (enum canonicalization)c;
        result->computed_known = records_digest(records, found, result->declared,
                                                result->wanted.algorithm, &result->computed);
        result->verdict = EVIDENCE_CANONICALIZATION_MISMATCH;
        return;
    }
    if (named == RECORD_NONE && any)
        named = options->offered;
    if (named != RECORD_NONE)
        judge_named(records, named, result);
    else
        result->verdict = has_ref ? EVIDENCE_UNRESOLVED_REF : EVIDENCE_UNRESOLVABLE_DIGEST_ONLY;
}

void evidence_describe(struct buf *out, const struct evidence_result *result)
{
    buf_addf(out, "%s: %s", evidence_verdict_word(result->verdict),
             result->reason == EVIDENCE_REASON_NONE ? evidence_verdict_text(result->verdict)
                                                    : evidence_reason_text(result->reason));
    if (result->member.len) {
        buf_puts(out, ": ");
        text_safe(out, result->member);
    }
    if (result->verdict == EVIDENCE_MALFORMED_RECORD)
        buf_addf(out, ": %s at byte %zu", result->record_why, result->record_why_at);
    if (result->verdict == EVIDENCE_DIGEST_MISMATCH && result->computed_known) {
        buf_puts(out, "; wanted ");
        digest_write(out, &result->wanted);
        buf_puts(out, ", computed ");
        digest_write(out, &result->computed);
    }
    if (result->verdict == EVIDENCE_CANONICALIZATION_MISMATCH)
        buf_addf(out, "; declared %s, matches under %s", canonicalization_name(result->declared),
                 canonicalization_name(result->matched));
    if (result->ref_disagrees)
        buf_puts(out, "; the record that ref names has another digest");
}
