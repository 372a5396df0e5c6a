#include "ingest/clock.h"

#include "base/mem.h"
#include "base/timefmt.h"

enum { CLOCK_CALLS_LEAST = 3, CLOCK_CALLS_MOST = 10000 };

/* By how much the calls' times differ, in order; count < 0 on an error. */
static int clock_differences(struct case_file *c, int64_t source, int64_t *at, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT s.time_ns + o.clock_offset_ns - e.time_ns FROM step_source t"
                " JOIN event e ON e.id=t.event_id JOIN step s ON s.id=t.step_id"
                " JOIN source o ON o.id=s.source_id"
                " WHERE e.source_id=?1 AND s.source_id<>?1 AND s.kind='tool_call'"
                " AND s.time_ns IS NOT NULL AND e.time_ns IS NOT NULL"
                " ORDER BY 1 LIMIT ?2",
                err);
    if (!stmt)
        return -1;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_int(stmt, 2, CLOCK_CALLS_MOST);
    int row, count = 0;
    while ((row = stmt_step(stmt, err)) > 0)
        at[count++] = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return row < 0 ? -1 : count;
}

bool clock_estimate(struct case_file *c, int64_t source, struct clock_offset *out, struct err *err)
{
    int64_t *at = NEW_ARRAY(int64_t, CLOCK_CALLS_MOST);
    int count = clock_differences(c, source, at, err);
    *out = (struct clock_offset){0};
    if (count >= CLOCK_CALLS_LEAST) {
        int64_t median = at[count / 2], least = at[count / 4], most = at[count - 1 - count / 4];
        bool far = median >= TIME_SECOND || median <= -TIME_SECOND;
        /* Differences are some seconds: calls that lie farther apart are not taken for the same. */
        bool agree = most - least <= (median < 0 ? -median : median) / 4;
        if (far && agree)
            *out = (struct clock_offset){median, least, most, (size_t)count};
    }
    mem_free(at);
    return count >= 0;
}
