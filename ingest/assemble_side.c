/* Results that a host moved out of its transcript: the file is joined to the step that names it. */
#include "base/ascii.h"
#include "ingest/assembler_internal.h"
#include "ingest/diagnose.h"

enum { SIDE_LOOK = 4096, SIDE_AMBIGUOUS = -1 }; /* where a transcript names the file: at its head */

static bool is_of_name(char c)
{
    return ascii_is_alnum(c) || c == '-' || c == '_' || c == '.';
}

static int64_t *side_file_step(struct assembler *a, int64_t session, struct span name)
{
    buf_clear(&a->key);
    buf_add(&a->key, (struct span){(const char *)&session, sizeof session});
    buf_add(&a->key, name);
    return names_at(&a->sides, buf_span(&a->key));
}

/* The files that a result's text names, by their paths. A name that two results give is nobody's:
 * a server could write one, too. */
static void take_names(struct assembler *a, int64_t session, int64_t step, struct span text)
{
    static const char folder[] = "tool-results";
    size_t at;
    while ((at = span_find(text, span_of(folder))) < text.len) {
        text = span_sub(text, at + sizeof folder - 1, text.len);
        size_t begin = 0, end;
        while (begin < text.len && (text.at[begin] == '/' || text.at[begin] == '\\'))
            begin++;
        for (end = begin; end < text.len && is_of_name(text.at[end]);)
            end++;
        while (end > begin && text.at[end - 1] == '.') /* of the sentence */
            end--;
        if (end == begin)
            continue;
        int64_t *known = side_file_step(a, session, span_sub(text, begin, end - begin));
        *known = *known && *known != step ? SIDE_AMBIGUOUS : step;
    }
}

static bool take_named(struct assembler *a, int64_t session, struct stmt *stmt)
{
    char recipe[512];
    struct span written = stmt_text(stmt, 4);
    if (written.len > sizeof recipe)
        return true;
    if (written.len)
        memcpy(recipe, written.at, written.len);
    struct extent at = {stmt_int(stmt, 1),
                        (uint64_t)stmt_int(stmt, 2),
                        (uint64_t)stmt_int(stmt, 3),
                        {recipe, written.len}};
    struct buf text = {0};
    bool ok = case_read(a->c, &at, SIDE_LOOK, &text, NULL, a->err);
    if (ok)
        take_names(a, session, stmt_int(stmt, 0), buf_span(&text));
    buf_finish(&text);
    return ok;
}

/* What results of the session, and of its sub-agents, were moved to files: looked up once. */
static bool load_sides(struct assembler *a, int64_t session)
{
    int64_t *loaded = side_file_step(a, session, SPAN_EMPTY);
    if (*loaded)
        return true;
    *loaded = 1;
    struct stmt *stmt =
        db_stmt(case_db(a->c),
                "SELECT step.id, source_id, offset, length, recipe FROM step"
                " JOIN session ON session.id = step.session_id"
                " WHERE (session.id=?1 OR session.parent_id=?1) AND kind='tool_result' AND flags&?2"
                " ORDER BY step.id",
                a->err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, ROW_TRUNCATED);
    int row;
    while ((row = stmt_step(stmt, a->err)) > 0 && take_named(a, session, stmt))
        ;
    stmt_finish(stmt);
    return row == 0;
}

bool assemble_side(struct assembler *a, const struct making *m)
{
    if (!load_sides(a, m->session))
        return false;
    int64_t step = *side_file_step(a, m->session, m->record->side_file);
    if (step > 0)
        return assemble_recording(a, m, step, m->text) && assemble_claims(a, m, step, m->text);
    return assemble_note(a, m, PR_NO_REQUEST,
                         step ? "several results name this file as what they were moved to"
                              : "no result of the session names this file");
}
