#include "model/trace/values.h"

#include "base/attr.h"
#include "base/jsonr.h"
#include "model/trace/decode.h"
#include "model/trace/token.h"

static bool values_is_scheme(struct span text, const struct cue_word *word)
{
    return (word->len == 4 || word->len == 5) && word->at + word->len + 3 < text.len &&
           memcmp(text.at + word->at + word->len, "://", 3) == 0;
}

static void push_word(struct values *values, uint32_t hash)
{
    values->words =
        mem_one_more(values->words, values->word_count, &values->word_size, sizeof *values->words);
    values->words[values->word_count++] = hash;
}

static bool same_words(const struct values *values, const struct value *a, const struct value *b)
{
    return a->count == b->count && memcmp(values->words + a->first, values->words + b->first,
                                          a->count * sizeof(*values->words)) == 0;
}

/* Adds what text[at, at+len) says, unless it is there already (then the heavier weight counts). */
static void values_add(struct values *values, struct span text, size_t at, size_t len, bool content,
                       double weight)
{
    if (values->count == VALUES_MOST)
        return;
    struct value value = {.text = span_sub(text, at, len),
                          .content = content,
                          .weight = weight,
                          .first = (uint32_t)values->word_count};
    struct cue_word word;
    for (size_t in = 0; cue_word_next(value.text, &in, &word);) {
        if (values_is_scheme(value.text, &word))
            continue;
        if (value.count == VALUE_WORDS)
            goto drop;
        push_word(values, word.hash);
        value.count++;
    }
    if (value.count == 0)
        return;
    uint32_t *head =
        &values->heads[values->words[values->word_count - 1] % COUNT_OF(values->heads)];
    for (uint32_t i = *head; i != VALUES_MOST; i = values->items[i].next) {
        struct value *old = &values->items[i];
        if (!same_words(values, old, &value))
            continue;
        if (old->weight < weight) {
            old->weight = weight;
            old->content = content;
        }
        goto drop;
    }
    value.next = *head;
    *head = (uint32_t)values->count;
    values->items[values->count++] = value;
    return;
drop:
    values->word_count = value.first;
}

/* Any three words in a row; of very long arguments only some of them. */
static void add_triples(struct values *values, struct span text, bool content)
{
    size_t begins[3], count = 0, stride = 1 + text.len / 2000;
    struct cue_word word;
    for (size_t at = 0; cue_word_next(text, &at, &word); count++) {
        if (count >= 3)
            memmove(begins, begins + 1, sizeof(begins) - sizeof(*begins));
        begins[count < 3 ? count : 2] = word.at;
        if (count >= 2 && count % stride == 0)
            values_add(values, text, begins[0], word.at + word.len - begins[0], content, 0.15);
    }
}

/* The digest of a blob or a commit, as git shortens or writes it out: it names the state of
 * something that was read, which the tool asks for, and says little about who wished the call. */
static bool is_revision(struct span token)
{
    size_t digits = 0;
    if (token.len < 7 || token.len > 64)
        return false;
    for (size_t i = 0; i < token.len; i++) {
        bool is_digit = token.at[i] >= '0' && token.at[i] <= '9';
        if (!is_digit && (token.at[i] < 'a' || token.at[i] > 'f'))
            return false;
        digits += is_digit;
    }
    return digits > 0 && digits < token.len;
}

static void add_argument(struct values *values, struct span text)
{
    bool content = text.len > VALUE_SHORT;
    struct token token;
    if (is_revision(text)) {
        values_add(values, text, 0, text.len, false, 0.3);
        return;
    }
    for (size_t at = 0; token_next(text, &at, &token);)
        if (token.distinctive)
            values_add(values, text, token.at, token.len, false, content ? 0.2 : 1.0);
    if (!content) {
        size_t at = 0;
        bool whole = token_next(text, &at, &token) && token.distinctive && token.len == text.len;
        double weight = (double)text.len / 12;
        values_add(values, text, 0, text.len, false, whole ? 1.2 : weight < 1 ? weight : 1);
    }
    add_triples(values, text, content);
}

/* A text of the arguments, and what is encoded in it. */
static void add_argument_text(struct values *values, struct span text, struct arena *arena)
{
    struct buf says = {0};
    struct decoder decoder;
    struct encoded run;
    text = arena_copy(arena, text);
    add_argument(values, text);
    decoder_init(&decoder, text);
    for (; decode_next(&decoder, &run, &says); buf_clear(&says))
        add_argument(values, arena_copy(arena, buf_span(&says)));
    buf_finish(&says);
}

void values_init(struct values *values)
{
    *values = (struct values){0};
    for (size_t i = 0; i < COUNT_OF(values->heads); i++)
        values->heads[i] = VALUES_MOST;
}

void values_read(struct values *values, struct span arguments, struct arena *arena)
{
    struct jsonr r;
    struct buf text = {0};
    jsonr_init(&r, arguments);
    while (jsonr_next(&r) > JSONR_END) {
        buf_clear(&text);
        if (r.token == JSONR_STRING)
            jsonr_string((struct span){r.value.at - 1, r.value.len + 2}, &text, NULL);
        else if (r.token == JSONR_NUMBER)
            buf_add(&text, r.value);
        if (text.len)
            add_argument_text(values, buf_span(&text), arena);
    }
    if (r.token != JSONR_END)
        add_argument_text(values, arguments, arena);
    jsonr_finish(&r);
    buf_finish(&text);
}

void values_finish(struct values *values)
{
    mem_free(values->words);
    *values = (struct values){0};
}

void values_step(struct values *values, struct value_state *state, const struct cue_word *word,
                 void (*found)(void *arg, size_t value, size_t at), void *arg)
{
    state->hash[state->count % 32] = word->hash;
    state->at[state->count++ % 32] = word->at;
    for (uint32_t i = values->heads[word->hash % COUNT_OF(values->heads)]; i != VALUES_MOST;
         i = values->items[i].next) {
        const struct value *value = &values->items[i];
        size_t same = 0;
        while (same < value->count && same < state->count &&
               values->words[value->first + value->count - 1 - same] ==
                   state->hash[(state->count - 1 - same) % 32])
            same++;
        if (same == value->count)
            found(arg, i, state->at[(state->count - same) % 32]);
    }
}
