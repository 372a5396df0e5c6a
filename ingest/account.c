#include "ingest/account.h"

static void account_put(struct account *account, const char *kind, const char *detail,
                        uint64_t units, uint64_t bytes)
{
    size_t i = 0;
    while (i < account->count && (strcmp(account->lines[i].kind, kind) != 0 ||
                                  strcmp(account->lines[i].detail, detail) != 0))
        i++;
    if (i == ACCOUNT_KINDS) /* more kinds of noise than any format has: under the last one */
        i--;
    else if (i == account->count)
        account->lines[account->count++] = (struct account_line){kind, detail, 0, 0};
    account->lines[i].units += units;
    account->lines[i].bytes += bytes;
}

void account_add(struct account *account, const char *kind, const char *detail, uint64_t bytes)
{
    account_put(account, kind, detail, 1, bytes);
}

/* What shows only now what it is. */
static uint64_t account_settled(struct account *account, const struct outlet *out)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < out->settled_count; i++) {
        const struct outlet_settled *one = &out->settled[i];
        uint64_t bytes = one->bytes < account->held ? one->bytes : account->held;
        const char *kind = one->noise ? "noise" : one->what ? "diagnostic" : "event";
        if (bytes)
            account_put(account, kind, one->noise ? one->noise : "", 1, bytes);
        account->held -= bytes;
        sum += bytes;
    }
    return sum;
}

void account_end(struct account *account)
{
    if (account->held)
        account_add(account, "diagnostic", "", account->held);
    account->held = 0;
}

void account_unit(struct account *account, const struct unit *unit, const struct outlet *out)
{
    uint64_t rest = unit->size, held = out->held < rest ? out->held : rest;
    rest -= held;
    account->held += held;
    bool settled = account_settled(account, out) || held;
    for (size_t i = 0; i < out->part_count; i++) {
        const struct outlet_part *part = &out->parts[i];
        uint64_t bytes = part->length < rest ? part->length : rest;
        account_put(account, part->noise ? "noise" : "diagnostic", part->noise ? part->noise : "",
                    1, bytes);
        rest -= bytes;
    }
    if (!rest && (out->part_count || settled || !unit->size))
        return;
    if (out->count && !settled)
        account_add(account, "event", "", rest);
    else if (out->noise)
        account_add(account, "noise", out->noise, rest);
    else if (out->bad)
        account_add(account, "diagnostic", "", rest);
    else
        account_add(account, "blank", "", rest);
}

void account_subtract(struct account *account, const struct account *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct account_line *line = &other->lines[i];
        account_put(account, line->kind, line->detail, -line->units, -line->bytes);
    }
}

bool account_store(const struct account *account, struct case_file *c, int64_t source,
                   struct err *err)
{
    for (size_t i = 0; i < account->count; i++) {
        const struct account_line *line = &account->lines[i];
        if (!store_account(c, source, line->kind, span_of(line->detail), line->units, line->bytes,
                           err))
            return false;
    }
    return true;
}
