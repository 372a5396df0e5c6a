/* Paths outside the folders that a tool was given, by the policy or by the host (PO01). */
#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_internal.h"
#include "model/flow/policy_rules.h"

/* A folder that the host declared to a server (MCP, Roots). */
struct declared_root {
    struct span server, folder;
};

struct roots {
    struct declared_root *items;
    size_t count, size;
};

void check_roots_destroy(struct roots *roots)
{
    if (!roots)
        return;
    mem_free(roots->items);
    mem_free(roots);
}

/* The path of a file URL, percent-encoding undone. False: it is another kind of place. */
static bool path_of_url(struct span url, struct arena *arena, struct span *path)
{
    struct span scheme = SPAN("file://"), rest = span_sub(url, scheme.len, url.len);
    struct buf out = {0};
    if (!span_starts_with(url, scheme) || !rest.len || rest.at[0] != '/')
        return false;
    for (size_t i = 0; i < rest.len; i++) {
        bool encoded = rest.at[i] == '%' && i + 2 < rest.len && hex_digit(rest.at[i + 1]) >= 0 &&
                       hex_digit(rest.at[i + 2]) >= 0;
        buf_byte(&out, encoded ? (char)(hex_digit(rest.at[i + 1]) * 16 + hex_digit(rest.at[i + 2]))
                               : rest.at[i]);
        i += encoded ? 2 : 0;
    }
    *path = arena_copy(arena, buf_span(&out));
    buf_finish(&out);
    return true;
}

void checks_declare_root(struct checks *checks, struct span server, struct span url)
{
    struct span folder;
    if (!path_of_url(url, &checks->arena, &folder))
        return;
    if (!checks->roots)
        checks->roots = NEW(struct roots);
    struct roots *roots = checks->roots;
    roots->items = mem_one_more(roots->items, roots->count, &roots->size, sizeof *roots->items);
    roots->items[roots->count++] =
        (struct declared_root){arena_copy(&checks->arena, server), folder};
}

/* ---- paths ---- */

/* Text that names a place of the file system; *path is it. */
static bool is_path(struct span text, struct span *path)
{
    enum { PATH_BYTES = 4096 };
    struct span file = SPAN("file://");
    if (span_starts_with(text, file))
        text = span_sub(text, file.len, text.len);
    *path = text;
    if (!text.len || text.len > PATH_BYTES || span_find_byte(text, '\n') < text.len)
        return false;
    return text.at[0] == '/' || span_starts_with(text, SPAN("~/")) || span_is(text, "..") ||
           span_starts_with(text, SPAN("../")) || span_find(text, SPAN("/../")) < text.len;
}

/* A relative path starts in the folder, wherever that is, and only `..` leads out of it. */
static bool stays_inside(struct span path)
{
    return path.at[0] != '/' && path.at[0] != '~' && path_under(path, SPAN(".")) &&
           !path_under(path, SPAN(".."));
}

static void tell_path(struct look *look, const struct string_at *s, struct span path)
{
    enum { SHOWN = 256 };
    struct finding_evidence evidence = evidence_in(look, s, 0, s->text.len);
    struct buf shown = {0};
    text_safe(&shown, span_sub(path, 0, SHOWN));
    finding_add(look, CODE_PO01, SEVERITY_DEFAULT, &evidence, 1,
                "%.*s is outside the roots of %.*s", SPAN_ARG(buf_span(&shown)),
                SPAN_ARG(look->step->server));
    buf_finish(&shown);
}

/* ---- the policy's ---- */

static bool inside(const struct guard_root *root, struct span path)
{
    for (size_t i = 0; i < root->folders_count; i++)
        if (path_under(path, root->folders[i]))
            return true;
    return stays_inside(path);
}

static bool asked_about(const struct guard_root *root, struct span pointer)
{
    for (size_t i = 0; i < root->pointers_count; i++)
        if (span_equal(root->pointers[i], pointer))
            return true;
    return !root->pointers_count;
}

static void watch_given(struct look *look, const struct guard_root *root)
{
    const struct strings *strings = look_strings(look);
    for (size_t k = 0; k < strings->count; k++) {
        const struct string_at *s = &strings->items[k];
        struct span path;
        if (asked_about(root, s->pointer) && is_path(s->text, &path) && !inside(root, path))
            tell_path(look, s, path);
    }
}

/* ---- the host's ---- */

/* Does the argument's name say that it is a place? Nobody wrote down which ones are, and a text, a
 * pattern or a page of a site may begin with a slash, too. */
static bool is_place(struct span pointer)
{
    static const char *const words[] = {"path",   "file", "dir",  "folder", "uri",
                                        "source", "dest", "root", "cwd",    "repo"};
    struct buf lower = {0};
    bool found = false;
    for (size_t i = 0; i < pointer.len; i++)
        buf_byte(&lower, ascii_lower(pointer.at[i]));
    for (size_t i = 0; i < COUNT_OF(words) && !found; i++)
        found = span_find(buf_span(&lower), span_of(words[i])) < lower.len;
    buf_finish(&lower);
    return found;
}

static bool is_declared(const struct roots *roots, struct span server)
{
    for (size_t i = 0; i < roots->count; i++)
        if (span_equal(roots->items[i].server, server))
            return true;
    return false;
}

static bool inside_declared(const struct roots *roots, struct span server, struct span path)
{
    bool home = path.at[0] == '~'; /* whose it is nobody says; a root may be in it */
    for (size_t i = 0; i < roots->count; i++) {
        struct span folder = roots->items[i].folder;
        if (!span_equal(roots->items[i].server, server))
            continue;
        if (home ? path_under(folder, SPAN("/home")) || path_under(folder, SPAN("/Users")) ||
                       path_under(folder, SPAN("/root"))
                 : path_under(path, folder))
            return true;
    }
    return stays_inside(path);
}

static void watch_declared(struct look *look)
{
    const struct roots *roots = look->checks->roots;
    if (!roots || !is_declared(roots, look->step->server))
        return;
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; i < strings->count; i++) {
        const struct string_at *s = &strings->items[i];
        struct span path;
        if (is_place(s->pointer) && is_path(s->text, &path) &&
            !inside_declared(roots, look->step->server, path))
            tell_path(look, s, path);
    }
}

void check_roots(struct look *look)
{
    const struct policy *policy = look->checks->policy;
    if (look->step->kind != STEP_TOOL_CALL)
        return;
    for (size_t i = 0; i < policy->root_count; i++)
        if (match_names(&policy->roots[i].match, look->step->server, look->step->tool)) {
            watch_given(look, &policy->roots[i]);
            return; /* the first that is about this tool decides, as with rules */
        }
    watch_declared(look);
}
