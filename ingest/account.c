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

void account_unit(struct account *account, const struct unit *unit, const struct outlet *out)
{
    uint64_t rest = unit->size;
    for (size_t i = 0; i < out->part_count; i++) {
        const struct outlet_part *part = &out->parts[i];
        uint64_t bytes = part->length < rest ? part->length : rest;
        account_put(account, part->noise ? "noise" : "diagnostic", part->noise ? part->noise : "",
                    1, bytes);
        rest -= bytes;
    }
    if (!rest && out->part_count)
        return;
    if (out->count)
        account_add(account, "event", "", rest);
    else if (out->noise)
        account_add(account, "noise", out->noise, rest);
    else if (out->bad)
        account_add(account, "diagnostic", "", rest);
    else
        account_add(account, "blank", "", rest);
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
