/* The case of the small model: its record, notes, state and SQL. */
#include "model/seal/seal.h"
#include "tests/unit/fake_internal.h"

/* ---- the record ---- */

bool query_sources(struct case_file *c, struct arena *arena, struct source_view **out,
                   size_t *count, struct err *err)
{
    static struct noise_view noise = {{"heartbeat", 9}, 3, 120};
    (void)c, (void)err;
    *out = arena_array(arena, 2, sizeof **out);
    (*out)[0] =
        (struct source_view){.id = 1,
                             .path = SPAN("logs/github.jsonl"),
                             .format = SPAN("jsonrpc-lines"),
                             .sha256 = SPAN("5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46"),
                             .bytes = 8000,
                             .lines = 16,
                             .complete = true,
                             .event = 7880,
                             .noise = 120,
                             .noises = &noise,
                             .noise_count = 1};
    (*out)[1] = (struct source_view){.id = 2,
                                     .path = span_of(fake_sessions[0].name),
                                     .format = SPAN("jsonrpc-lines"),
                                     .bytes = 100,
                                     .lines = 2,
                                     .event = 40,
                                     .diagnostic_count = 21};
    *count = 2;
    return true;
}

bool query_diagnostics(struct case_file *c, int64_t source, int64_t from, size_t most,
                       struct arena *arena, struct diagnostic_view **out, size_t *count,
                       struct err *err)
{
    (void)c, (void)from, (void)most, (void)err;
    *out = arena_array(arena, 1, sizeof **out);
    **out = (struct diagnostic_view){2, 41, 59, SPAN("torn"), SPAN(EVIL)};
    *count = source == 2;
    return true;
}

/* ---- notes ---- */

static struct {
    struct note_view note;
    int64_t session;
} notes[64];
static size_t note_count;
static char states[16][2][64];

void fake_forget(void)
{
    note_count = 0;
    memset(states, 0, sizeof states);
}

bool notes_list(struct case_file *c, int64_t session, int64_t n, struct arena *arena,
                struct note_view **out, size_t *count, struct err *err)
{
    (void)c, (void)err;
    *out = arena_array(arena, note_count + 1, sizeof **out);
    *count = 0;
    for (size_t i = 0; i < note_count; i++)
        if ((!session || notes[i].session == session) && (!n || notes[i].note.n == n)) {
            (*out)[*count] = notes[i].note;
            (*out)[*count].session = notes[i].session;
            (*out)[(*count)++].id = (int64_t)i + 1;
        }
    return true;
}

bool note_add(struct case_file *c, int64_t session, int64_t n, struct span text, struct err *err)
{
    static char kept[64][128];
    (void)c, (void)err;
    if (note_count == COUNT_OF(notes))
        return true;
    snprintf(kept[note_count], 128, "%.*s", (int)(text.len < 127 ? text.len : 127), text.at);
    notes[note_count].session = session;
    notes[note_count].note = (struct note_view){
        .n = n, .text = span_of(kept[note_count]), .created_at = SPAN("2026-05-26T09:12:00Z")};
    note_count++;
    return true;
}

bool note_change(struct case_file *c, int64_t id, struct span text, struct err *err)
{
    static char kept[128];
    (void)c, (void)err;
    snprintf(kept, sizeof kept, "%.*s", (int)(text.len < 127 ? text.len : 127), text.at);
    notes[id - 1].note.text = span_of(kept);
    return true;
}

bool note_delete(struct case_file *c, int64_t id, struct err *err)
{
    (void)c, (void)err;
    for (size_t i = (size_t)id; i < note_count; i++)
        notes[i - 1] = notes[i];
    note_count--;
    return true;
}

bool mark_set(struct case_file *c, int64_t session, char letter, int64_t n, struct err *err)
{
    (void)c, (void)err;
    for (size_t i = 0; i < note_count; i++)
        if (notes[i].session == session && notes[i].note.mark == letter) {
            notes[i].note.n = n;
            return true;
        }
    if (note_count == COUNT_OF(notes))
        return true;
    notes[note_count].session = session;
    notes[note_count++].note =
        (struct note_view){.n = n, .mark = letter, .created_at = SPAN("2026-05-26T09:12:00Z")};
    return true;
}

bool mark_find(struct case_file *c, int64_t session, char letter, int64_t *n, struct err *err)
{
    (void)c, (void)err;
    *n = 0;
    for (size_t i = 0; i < note_count; i++)
        if (notes[i].session == session && notes[i].note.mark == letter)
            *n = notes[i].note.n;
    return true;
}

bool state_save(struct case_file *c, const char *key, struct span value, struct err *err)
{
    (void)c, (void)err;
    for (size_t i = 0; i < COUNT_OF(states); i++)
        if (!states[i][0][0] || strcmp(states[i][0], key) == 0) {
            snprintf(states[i][0], 64, "%s", key);
            snprintf(states[i][1], 64, "%.*s", (int)(value.len < 60 ? value.len : 60), value.at);
            return true;
        }
    return true;
}

bool state_load(struct case_file *c, const char *key, struct arena *arena, struct span *value,
                struct err *err)
{
    (void)c, (void)err;
    *value = SPAN_EMPTY;
    for (size_t i = 0; i < COUNT_OF(states); i++)
        if (strcmp(states[i][0], key) == 0)
            *value = arena_copy(arena, span_of(states[i][1]));
    return true;
}

/* ---- SQL: two rows, whatever was asked, but for what is no SELECT ---- */

struct stmt {
    int row;
};

void review_rest(struct review *review)
{
    (void)review;
}

bool case_has_changed(struct case_file *c)
{
    (void)c;
    return false;
}

bool case_is_followed(struct case_file *c)
{
    (void)c;
    return false;
}

void case_watch(struct case_file *c, bool (*stop)(void *arg), void *arg)
{
    (void)c, (void)stop, (void)arg;
}

bool case_watch_end(struct case_file *c)
{
    (void)c;
    return false;
}

struct db *case_db(struct case_file *c)
{
    (void)c;
    return NULL;
}
int stmt_columns(struct stmt *stmt)
{
    (void)stmt;
    return 2;
}
struct span stmt_column_name(struct stmt *stmt, int column)
{
    (void)stmt;
    return column ? SPAN("tool") : SPAN("step");
}
int stmt_type(struct stmt *stmt, int column)
{
    (void)stmt;
    return column ? SQLITE_TEXT : SQLITE_INTEGER;
}
int64_t stmt_int(struct stmt *stmt, int column)
{
    (void)column;
    return stmt->row + 11;
}
struct span stmt_text(struct stmt *stmt, int column)
{
    return column == 0      ? (stmt->row == 1 ? SPAN("12") : SPAN("13"))
           : stmt->row == 1 ? SPAN("create\x1b[2J_branch")
                            : (struct span){0};
}

bool db_read(struct db *db, struct span query, const struct db_reading *reading, struct err *err)
{
    (void)db;
    if (!span_starts_with(query, SPAN("SELECT")))
        return err_set(err, ERR_USAGE, "sql", "ask with SELECT", "only one SELECT is answered");
    for (struct stmt row = {1}; row.row <= 2; row.row++)
        if (!reading->row(reading->arg, &row))
            break;
    return true;
}

bool seal_read(struct case_file *c, struct arena *arena, struct seal_report *report,
               struct err *err)
{
    (void)c;
    (void)arena;
    (void)err;
    *report = (struct seal_report){.verdict = SEAL_NONE};
    return true;
}

bool seal_check(struct case_file *c, const struct attest_key *key, struct arena *arena,
                struct seal_report *report, seal_stop stop, void *arg, struct err *err)
{
    (void)key;
    (void)stop;
    (void)arg;
    return seal_read(c, arena, report, err);
}

const char *seal_verdict_text(enum seal_verdict verdict)
{
    static const char *const texts[] = {
#define X(id, word, text) text,
        SEAL_VERDICTS(X)
#undef X
    };
    return texts[verdict];
}

bool source_verify(struct case_file *c, int64_t source, enum source_state *state, struct err *err)
{
    (void)c, (void)source, (void)err;
    *state = SOURCE_UNCHANGED;
    return true;
}
