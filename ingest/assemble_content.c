/* What results and lists hold: claims, references to evidence, definitions of tools. */
#include "ingest/assembler_internal.h"
#include "ingest/pick.h"
#include "model/flow/claim.h"

/*
 * Could the text hold a claim? Every one of them stands under "_meta" or
 * "annotations"; a name may be written with escapes, so that any \u sends the
 * text to the real search.
 */
static bool may_claim(struct span text)
{
    return span_find(text, SPAN("_meta\"")) < text.len ||
           span_find(text, SPAN("annotations\"")) < text.len ||
           span_find(text, SPAN("structuredContent\"")) < text.len ||
           span_find(text, SPAN("\\u00")) < text.len;
}

static bool store_one(struct assembler *a, int64_t step, struct span body,
                      const struct claim *claim)
{
    bool kept = claim->value.len <= CLAIM_VALUE_MAX;
    struct claim_row row = {
        .step = step,
        .block = claim->block,
        .shape = claim_shape_word(claim->shape),
        .name = claim->name,
        .value = kept ? claim->value : SPAN_EMPTY,
        .pointer = claim->pointer,
        .problem = claim->problem,
        .offset = claim->value.at ? (uint64_t)(claim->value.at - body.at) : 0,
        .length = claim->value.len,
    };
    return store_claim(a->c, &row, a->err);
}

/* A record that stands in the log itself, beside its reference. */
static bool inline_record(struct assembler *a, const struct making *m, struct span evidence)
{
    struct span record, ref;
    if (!jsonr_member(evidence, "record", &record) || !jsonr_is_object(record))
        return true;
    struct extent at = assemble_extent(a, m, record);
    struct span name =
        jsonr_member(evidence, "ref", &ref) ? pick_string(ref, &a->arena) : SPAN_EMPTY;
    return store_record(a->c, &at, name, "json", a->err);
}

/* Contents of resources whose text is a JSON object may be the record that a reference names. */
bool assemble_records(struct assembler *a, const struct making *m, struct span result)
{
    struct span contents, text, uri;
    struct jsonr_items items;
    if (!jsonr_member(result, "contents", &contents) || !jsonr_is_array(contents))
        return true;
    for (jsonr_items_init(&items, contents); jsonr_items_next(&items);) {
        if (!jsonr_member(items.value, "text", &text) || !jsonr_is_string(text) ||
            !jsonr_member(items.value, "uri", &uri))
            continue;
        struct span decoded = pick_string(text, &a->arena);
        if (!jsonr_is_object(span_trim(decoded)) || !jsonr_valid(decoded, NULL, NULL))
            continue;
        struct extent at = assemble_extent(a, m, text);
        at.recipe = span_of(arena_printf(&a->arena, "%.*ss;", SPAN_ARG(at.recipe)));
        if (!store_record(a->c, &at, pick_string(uri, &a->arena), "json", a->err))
            return false;
    }
    return true;
}

/* Something signed is a record as well, so that it can be verified under a key, and be the one that
 * another names as its parent. */
static bool signed_record(struct assembler *a, const struct making *m, const struct claim *claim)
{
    struct extent at = assemble_extent(a, m, claim->value);
    const char *name = arena_printf(&a->arena, "%.*s:%llu %.*s", SPAN_ARG(a->path),
                                    (unsigned long long)m->unit->line, SPAN_ARG(claim->pointer));
    return claim->shape != CLAIM_SIGNED || store_record(a->c, &at, span_of(name), "json", a->err);
}

/* `body` is what offsets of claims count from. */
static bool store_claims(struct assembler *a, const struct making *m, int64_t step,
                         struct span body, const struct claims *claims)
{
    for (size_t i = 0; i < claims->count; i++)
        if (!store_one(a, step, body, &claims->items[i]) || !signed_record(a, m, &claims->items[i]))
            return false;
    for (size_t i = 0; i < claims->evidence_count; i++) {
        const struct evidence_claim *e = &claims->evidence[i];
        struct evidence_row row = {
            .step = step,
            .block = e->block,
            .type = e->type,
            .digest = e->digest,
            .canonicalization = e->canonicalization,
            .schema = e->schema,
            .schema_version = e->schema_version,
            .ref = e->ref,
            .bad = e->bad,
            .raw = span_sub(e->raw, 0, CLAIM_VALUE_MAX),
            .pointer = e->pointer,
        };
        if (!store_evidence_ref(a->c, &row, a->err) || !inline_record(a, m, e->raw))
            return false;
    }
    return true;
}

bool assemble_claims(struct assembler *a, const struct making *m, int64_t step, struct span body)
{
    struct claims claims;
    if (!jsonr_is_object(body) || !may_claim(body))
        return true;
    claims_find(body, &a->arena, &claims);
    return store_claims(a, m, step, body, &claims);
}

bool assemble_request_claims(struct assembler *a, const struct making *m, int64_t step,
                             struct span params)
{
    struct claims claims;
    if (!jsonr_is_object(params))
        return true;
    claims_find_request(params, &a->arena, &claims);
    return store_claims(a, m, step, params, &claims);
}

/* ---- definitions ---- */

int64_t *assemble_definition(struct assembler *a, int64_t server, struct span tool)
{
    buf_clear(&a->key);
    buf_add(&a->key, (struct span){(const char *)&server, sizeof server});
    buf_add(&a->key, tool);
    return names_at(&a->definitions, buf_span(&a->key));
}

static enum tri tri_of(struct span value)
{
    return span_is(value, "true") ? TRI_TRUE : span_is(value, "false") ? TRI_FALSE : TRI_ABSENT;
}

static struct hints hints_of(struct span definition)
{
    static const char *const names[] = {"readOnlyHint", "destructiveHint", "idempotentHint",
                                        "openWorldHint"};
    struct span annotations = {0}, h[4];
    jsonr_member(definition, "annotations", &annotations);
    pick(annotations, names, h, 4);
    return (struct hints){true, tri_of(h[0]), tri_of(h[1]), tri_of(h[2]), tri_of(h[3])};
}

static void digest_of(struct assembler *a, struct span definition, uint8_t out[32])
{
    struct jcs_report report;
    struct digest digest;
    struct err ignored;
    buf_clear(&a->scratch);
    if (jcs_canonicalize(a->jcs, definition, &a->scratch, &report) &&
        hasher_digest(a->hasher, DIGEST_SHA256, buf_span(&a->scratch), &digest, &ignored))
        memcpy(out, digest.bytes, 32);
}

bool assemble_definitions(struct assembler *a, const struct making *m, int64_t step,
                          struct span tools)
{
    struct jsonr_items items;
    if (!jsonr_is_array(tools))
        return true;
    jsonr_items_init(&items, tools);
    while (jsonr_items_next(&items)) {
        struct span name;
        if (!jsonr_is_object(items.value) || !jsonr_member(items.value, "name", &name))
            continue;
        struct definition_row row = {
            .step = step,
            .connection = m->connection,
            .server = m->server,
            .tool = pick_string(name, &a->arena),
            .at = assemble_extent(a, m, items.value),
            .hints = hints_of(items.value),
        };
        digest_of(a, items.value, row.digest);
        int64_t id = store_definition(a->c, &row, a->err);
        if (!id)
            return false;
        *assemble_definition(a, m->server, row.tool) = id;
    }
    return true;
}
