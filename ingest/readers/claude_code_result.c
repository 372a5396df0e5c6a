/*
 * A big result of a tool, which Claude Code moved to a file of its own:
 * SESSION/tool-results/NAME beside SESSION.jsonl. The transcript keeps its
 * beginning, or only says where it is; this is what the server sent, whole.
 */
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static const char result_folder[] = "/tool-results/";

/* The folder's session and the file's name; false where the path is none of this kind. */
static bool result_path(struct span path, struct span *session, struct span *name)
{
    size_t at = span_find(path, span_of(result_folder));
    if (at >= path.len)
        return false;
    *name = span_sub(path, at + sizeof result_folder - 1, path.len);
    size_t begin = at;
    while (begin && path.at[begin - 1] != '/')
        begin--;
    *session = span_sub(path, begin, at - begin);
    return name->len && span_find_byte(*name, '/') == name->len && session->len == 36 &&
           session->at[8] == '-' && session->at[13] == '-' && session->at[23] == '-';
}

bool reader_is_side_file(struct span path)
{
    struct span session, name;
    return result_path(path, &session, &name);
}

static void result_read(void *path, const struct unit *unit, struct outlet *out)
{
    struct span session, name;
    if (!result_path(span_of(path), &session, &name)) {
        outlet_noise(out, "text"); /* forced on another file */
        return;
    }
    struct record *record = outlet_record(out, RECORD_RESULT);
    record->payload = unit->text;
    record->session = session;
    record->side_file = name;
    record->server_side = true;
    record->rpc_type = SPAN("tool-result");
}

static void result_probe(struct probe *p)
{
    if (reader_is_side_file(p->path))
        probe_say(p, 98, "it is in the folder where Claude Code puts big results of a session");
}

static const char *const result_cannot_show[] = {
    "which call it is the result of, but through the transcript that names the file",
    "its time, and what of it the model was shown",
    NULL,
};

static const char *const result_places[] = {
    "${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*/tool-results/*",
    NULL,
};

const struct reader reader_claude_code_result = {
    .name = "claude-code-result",
    .title = "big results that Claude Code moved to files of their own",
    .places = result_places,
    .cannot_show = result_cannot_show,
    .framing = FRAME_WHOLE,
    .transcript = true,
    .probe = result_probe,
    .open = talk_path_open,
    .read = result_read,
    .close = mem_free,
};
