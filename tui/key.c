#include "tui/key.h"

#include "base/attr.h"
#include "base/text.h"

static const struct {
    uint32_t code;
    const char *name;
} special[] = {
#define X(id, name) {KEYS_##id, name},
    SPECIAL_KEYS(X)
#undef X
};

bool key_parse(struct span name, struct key *key)
{
    for (size_t i = 0; i < COUNT_OF(special); i++) {
        if (span_equal_nocase(name, span_of(special[i].name))) {
            key->code = special[i].code;
            return true;
        }
    }
    if (name.len == 3 && (name.at[0] == 'C' || name.at[0] == 'c') && name.at[1] == '-') {
        key->code = (uint32_t)(unsigned char)name.at[2] & 31U;
        return key->code != 0;
    }
    uint32_t code;
    size_t length = utf8_decode(name, &code);
    if (!length || length != name.len || code <= 0x20 || code == 0x7f)
        return false;
    key->code = code;
    return true;
}

void key_put_name(struct key key, struct buf *out)
{
    for (size_t i = 0; i < COUNT_OF(special); i++) {
        if (special[i].code == key.code) {
            buf_puts(out, special[i].name);
            return;
        }
    }
    if (key.code < 0x20) {
        buf_puts(out, "C-");
        buf_byte(out, (char)(key.code + 0x60));
    } else if (key.code < 0x110000) {
        struct buf raw = {0};
        utf8_encode(&raw, key.code);
        text_safe(out, buf_span(&raw));
        buf_finish(&raw);
    }
}
