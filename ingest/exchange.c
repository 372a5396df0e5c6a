#include "ingest/exchange.h"

/* The value of sessionId or session_id in a url's query. */
static struct span query_session(struct span url)
{
    static const char *const names[] = {"sessionId=", "session_id=", "sessionid="};
    struct span query = span_sub(url, span_find_byte(url, '?') + 1, url.len);
    while (query.len) {
        struct span pair = span_sub(query, 0, span_find_byte(query, '&'));
        query = span_sub(query, pair.len + 1, query.len);
        pair = span_sub(pair, 0, span_find_byte(pair, '#'));
        for (size_t i = 0; i < COUNT_OF(names); i++)
            if (span_starts_with(pair, span_of(names[i])))
                return span_sub(pair, strlen(names[i]), pair.len);
    }
    return SPAN_EMPTY;
}

struct span exchange_endpoint_session(struct span events)
{
    enum { FRONT = 4096 }; /* it is the first event */
    struct span front = span_sub(events, 0, FRONT);
    size_t at = span_find(front, SPAN("event: endpoint"));
    if (at == front.len)
        at = span_find(front, SPAN("event:endpoint"));
    struct span rest = span_sub(front, at, front.len);
    rest = span_sub(rest, span_find(rest, SPAN("data:")), rest.len);
    return query_session(span_trim(span_sub(rest, 0, span_find_byte(rest, '\n'))));
}

static struct span exchange_host(struct span url)
{
    size_t at = span_find(url, SPAN("://"));
    struct span rest = at < url.len ? span_sub(url, at + 3, url.len) : url;
    return span_sub(rest, 0, span_find_byte(rest, '/'));
}

struct span exchange_connection(const struct exchange *x, struct arena *arena)
{
    if (x->response_session.len)
        return x->response_session;
    if (x->request_session.len)
        return x->request_session;
    struct span in_url = query_session(x->url);
    if (in_url.len)
        return in_url;
    struct span host = x->host.len ? x->host : exchange_host(x->url);
    if (!x->client.len)
        return host;
    return span_of(arena_printf(arena, "%.*s to %.*s", SPAN_ARG(x->client), SPAN_ARG(host)));
}
