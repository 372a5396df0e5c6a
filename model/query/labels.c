#include "base/mem.h"
#include "model/query/review_internal.h"

void labels_init(struct labels *labels, struct case_file *c, struct label_pool *pool)
{
    *labels = (struct labels){.c = c, .pool = pool};
}

void labels_finish(struct labels *labels)
{
    mem_free(labels->by_label);
    mem_free(labels->by_id);
    buf_finish(&labels->scratch);
    *labels = (struct labels){0};
}

static uint64_t labels_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static size_t hash_label(struct label l)
{
    uint64_t hash = labels_mix((uint64_t)l.integrity, (uint64_t)l.readers << 32 | l.markers);
    hash = labels_mix(hash, (uint64_t)l.class << 32 | l.other_classes);
    return (size_t)(labels_mix(hash, l.scopes) >> 24);
}

static size_t hash_id(int64_t id)
{
    return (size_t)(labels_mix(0, (uint64_t)id) >> 24);
}

static struct label_entry *place_of_label(const struct labels *labels, struct label label)
{
    for (size_t i = hash_label(label);; i++) {
        struct label_entry *entry = &labels->by_label[i & (labels->size - 1)];
        if (!entry->id || label_equal(entry->label, label))
            return entry;
    }
}

static struct label_entry *place_of_id(const struct labels *labels, int64_t id)
{
    for (size_t i = hash_id(id);; i++) {
        struct label_entry *entry = &labels->by_id[i & (labels->size - 1)];
        if (!entry->id || entry->id == id)
            return entry;
    }
}

static void labels_make_room(struct labels *labels)
{
    size_t used = labels->used_label > labels->used_id ? labels->used_label : labels->used_id;
    if (labels->size && used * 2 < labels->size)
        return;
    struct labels old = *labels;
    labels->size = old.size ? old.size * 2 : 64;
    labels->by_label = NEW_ARRAY(struct label_entry, labels->size);
    labels->by_id = NEW_ARRAY(struct label_entry, labels->size);
    for (size_t i = 0; i < old.size; i++) {
        if (old.by_label[i].id)
            *place_of_label(labels, old.by_label[i].label) = old.by_label[i];
        if (old.by_id[i].id)
            *place_of_id(labels, old.by_id[i].id) = old.by_id[i];
    }
    mem_free(old.by_label);
    mem_free(old.by_id);
}

static void remember(struct labels *labels, int64_t id, struct label label)
{
    labels_make_room(labels);
    struct label_entry *by_label = place_of_label(labels, label);
    if (!by_label->id) {
        *by_label = (struct label_entry){id, label};
        labels->used_label++;
    }
    struct label_entry *by_id = place_of_id(labels, id);
    if (!by_id->id) {
        *by_id = (struct label_entry){id, label};
        labels->used_id++;
    }
}

static int64_t find_row(struct labels *labels, struct span json, bool *ok, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(labels->c), "SELECT id FROM label WHERE json=?1", err);
    *ok = stmt != NULL;
    if (!stmt)
        return 0;
    stmt_bind_text(stmt, 1, json);
    int row = stmt_step(stmt, err);
    int64_t id = row > 0 ? stmt_int(stmt, 0) : 0;
    *ok = row >= 0;
    stmt_finish(stmt);
    return id;
}

bool labels_row(struct labels *labels, struct label label, int64_t *id, struct err *err)
{
    if (labels->size) {
        const struct label_entry *known = place_of_label(labels, label);
        if (known->id) {
            *id = known->id;
            return true;
        }
    }
    bool ok;
    buf_clear(&labels->scratch);
    label_json(&labels->scratch, labels->pool, label);
    *id = find_row(labels, buf_span(&labels->scratch), &ok, err);
    if (!ok)
        return false;
    if (!*id) {
        struct stmt *stmt =
            db_stmt(case_db(labels->c),
                    "INSERT INTO label(integrity, private, json) VALUES(?1, ?2, ?3)", err);
        if (!stmt)
            return false;
        stmt_bind_text(stmt, 1, label.integrity == UNTRUSTED ? SPAN("untrusted") : SPAN("trusted"));
        stmt_bind_int(stmt, 2, label_is_private(label));
        stmt_bind_text(stmt, 3, buf_span(&labels->scratch));
        if (!stmt_run(stmt, err))
            return false;
        *id = db_last_id(case_db(labels->c));
    }
    remember(labels, *id, label);
    return true;
}

bool labels_at(struct labels *labels, int64_t id, struct label *label, struct err *err)
{
    if (labels->size) {
        const struct label_entry *known = place_of_id(labels, id);
        if (known->id) {
            *label = known->label;
            return true;
        }
    }
    struct stmt *stmt = db_stmt(case_db(labels->c), "SELECT json FROM label WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, id);
    int row = stmt_step(stmt, err);
    bool ok = row > 0 && label_parse(labels->pool, stmt_text(stmt, 0), label);
    stmt_finish(stmt);
    if (!ok)
        return row < 0 ? false
                       : err_set(err, ERR_INPUT, case_path(labels->c),
                                 "replay the session again with --recompute",
                                 "the case holds a label that can't be read");
    remember(labels, id, *label);
    return true;
}
