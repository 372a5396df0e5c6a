/* Signed things that stand in the messages themselves: attestations of tool calls and receipts. A
 * session has no keys, so all that is said of them is that nobody has checked them. */
#include "base/text.h"
#include "model/evidence/attest.h"
#include "model/findings/check_internal.h"

static void look_at_signed(struct look *look, struct span value, struct span pointer)
{
    struct arena arena = {0};
    struct attestation a;
    if (jsonr_is_object(value) && attest_read(value, &arena, &a)) {
        struct finding_evidence here = evidence_here(look, pointer);
        struct buf key = {0};
        text_safe(&key, span_sub(a.key_id, 0, 60));
        finding_add(look, CODE_EV07, SEVERITY_DEFAULT, &here, 1, "%s, %s%s%s: not checked",
                    attest_kind_name(a.kind),
                    a.algorithm == ATTEST_BY_UNKNOWN ? "algorithm not said"
                                                     : attest_algorithm_name(a.algorithm),
                    key.len ? ", key " : "", buf_cstr(&key));
        buf_finish(&key);
    }
    arena_finish(&arena);
}

/* The container itself, and what is directly in it. */
static void look_inside(struct look *look, struct span container, const char *pointer)
{
    struct jsonr_items items;
    if (!jsonr_is_object(container))
        return;
    look_at_signed(look, container, span_of(pointer));
    for (jsonr_items_init(&items, container); jsonr_items_next(&items);)
        look_at_signed(look, items.value, span_of(pointer));
}

/* What stands beside the arguments of a call is not in its body: the importer kept it. */
static void look_beside(struct look *look)
{
    for (size_t i = 0; i < look->input->claim_count; i++) {
        const struct claim *claim = &look->input->claims[i];
        if (claim->shape == CLAIM_SIGNED && span_starts_with(claim->pointer, SPAN("/params/_meta")))
            look_at_signed(look, claim->value, claim->pointer);
    }
}

void check_signed(struct look *look)
{
    struct span body, value;
    struct jsonr_items blocks;
    if (look->step->kind == STEP_TOOL_CALL)
        look_beside(look);
    if (!look_body(look, &body))
        return;
    if (look->step->kind == STEP_TOOL_CALL) {
        look_inside(look, body, "");
        return;
    }
    if (look->step->kind != STEP_TOOL_RESULT)
        return;
    if (jsonr_member(body, "_meta", &value))
        look_inside(look, value, "/_meta");
    if (jsonr_member(body, "structuredContent", &value))
        look_inside(look, value, "/structuredContent");
    if (!jsonr_member(body, "content", &value) || !jsonr_is_array(value))
        return;
    for (jsonr_items_init(&blocks, value); jsonr_items_next(&blocks);)
        if (jsonr_member(blocks.value, "_meta", &value))
            look_inside(look, value, "/content");
}
