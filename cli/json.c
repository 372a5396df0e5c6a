#include "cli/json.h"

#include "base/jsonr.h"

enum { FLUSH_AT = 64 * 1024 };

void json_init(struct json *j, FILE *to, bool pretty)
{
    *j = (struct json){.to = to, .pretty = pretty, .fresh = true};
}

static void flush(struct json *j)
{
    if (!j->to)
        return;
    struct span text = buf_span(&j->text);
    fwrite(text.at, 1, text.len, j->to);
    buf_clear(&j->text);
}

void json_close(struct json *j)
{
    flush(j);
    if (j->to)
        buf_finish(&j->text);
}

void json_finish(struct json *j)
{
    while (j->depth)
        json_end(j);
    buf_byte(&j->text, '\n');
    json_close(j);
}

void json_line(struct json *j)
{
    buf_byte(&j->text, '\n');
    j->fresh = true;
    if (j->text.len > FLUSH_AT)
        flush(j);
}

static void new_line(struct json *j)
{
    if (!j->pretty)
        return;
    buf_byte(&j->text, '\n');
    buf_fill(&j->text, ' ', (size_t)j->depth * 2);
}

static void begin_value(struct json *j, const char *key)
{
    if (!j->fresh)
        buf_byte(&j->text, ',');
    if (j->depth > 0)
        new_line(j);
    if (key) {
        jsonr_quote(&j->text, span_of(key));
        buf_puts(&j->text, j->pretty ? ": " : ":");
    }
    j->fresh = false;
    if (j->text.len > FLUSH_AT)
        flush(j);
}

static void open_container(struct json *j, const char *key, char bracket)
{
    begin_value(j, key);
    buf_byte(&j->text, bracket);
    j->depth++;
    uint64_t bit = 1ULL << (j->depth & 63);
    j->objects = bracket == '{' ? j->objects | bit : j->objects & ~bit;
    j->fresh = true;
}

void json_object(struct json *j, const char *key)
{
    open_container(j, key, '{');
}

void json_array(struct json *j, const char *key)
{
    open_container(j, key, '[');
}

void json_end(struct json *j)
{
    bool object = j->objects >> (j->depth & 63) & 1;
    j->depth--;
    if (!j->fresh)
        new_line(j);
    buf_byte(&j->text, object ? '}' : ']');
    j->fresh = false;
}

void json_string(struct json *j, const char *key, struct span text)
{
    if (!text.at) {
        json_null(j, key);
        return;
    }
    begin_value(j, key);
    jsonr_quote(&j->text, text);
}

void json_word(struct json *j, const char *key, const char *ours)
{
    json_string(j, key, ours ? span_of(ours) : (struct span){0});
}

void json_int(struct json *j, const char *key, int64_t value)
{
    begin_value(j, key);
    buf_addf(&j->text, "%lld", (long long)value);
}

void json_int_or_null(struct json *j, const char *key, int64_t value, bool present)
{
    if (present)
        json_int(j, key, value);
    else
        json_null(j, key);
}

void json_bool(struct json *j, const char *key, bool value)
{
    begin_value(j, key);
    buf_puts(&j->text, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    begin_value(j, key);
    buf_puts(&j->text, "null");
}

void json_double(struct json *j, const char *key, double value, int digits)
{
    begin_value(j, key);
    buf_addf(&j->text, "%.*f", digits, value);
}

void json_raw(struct json *j, const char *key, struct span value)
{
    begin_value(j, key);
    buf_add(&j->text, value);
}
