/* Whether labels matter to what left: for a what-if, which looks at as little as it may. */
#include "model/findings/check_leak_internal.h"
#include "model/flow/match.h"
#include "model/trace/link.h"

static bool tail_matters(struct trace *items, struct span tail, struct arena *arena)
{
    struct trace_found found;
    trace_match(items, tail, TRACE_WANT_WORDS, arena, &found);
    if (!found.count)
        leak_match_spaced(items, tail, arena, &found);
    return found.count > 0;
}

static bool destination_matters(struct trace *items, struct span name, struct arena *arena)
{
    struct trace_found found;
    trace_match(items, name, TRACE_WANT_WORDS, arena, &found);
    return leak_origin_of(&found, name) != NULL;
}

static bool string_matters(struct trace *items, struct span text, struct arena *arena)
{
    struct span url, host;
    if (leak_is_address(text) && destination_matters(items, text, arena))
        return true;
    while (url_next(&text, &url, &host))
        if (destination_matters(items, host, arena) ||
            tail_matters(items, span_sub(url, (size_t)(host.at - url.at) + host.len, url.len),
                         arena))
            return true;
    return false;
}

/* As leak_search_answer, leak_search_call and leak_search_destinations look, with every item taken
 * for private and untrusted. */
bool check_text_matters(struct trace *items, struct span body, bool answer, struct arena *arena)
{
    struct trace_found found;
    struct strings strings = {0};
    struct link *links = NULL;
    size_t count = 0;
    bool matters = false;
    if (answer) {
        links_find(body, arena, &links, &count, &matters);
        for (size_t i = 0; !matters && i < count; i++) {
            size_t behind = (size_t)(links[i].host.at - links[i].url.at) + links[i].host.len;
            matters = tail_matters(items, span_sub(links[i].url, behind, links[i].url.len), arena);
        }
        return matters;
    }
    trace_match_json(items, body, 0, arena, &found);
    for (size_t i = 0; !matters && i < found.count; i++)
        matters =
            leak_is_telling(&found.hits[i], span_sub(body, found.hits[i].at, found.hits[i].len));
    strings_read(&strings, body, arena);
    for (size_t i = 0; !matters && i < strings.count; i++)
        matters = string_matters(items, strings.items[i].text, arena);
    strings_finish(&strings);
    return matters || found.capped;
}
