#include "model/trace/cues.h"

#include "base/ascii.h"
#include "base/attr.h"
#include "base/mem.h"
#include "model/trace/fold.h"

enum { LEXICON_SLOTS = 1024, WORD_BYTES = 64 };

/* A cue is a word of the first list, with one of the second at most `gap` words behind it. */
struct cue {
    uint8_t class, gap;
    const char *first, *then;
};

static const struct cue cues_cues[] = {
    {0, 1, "before", "you"},
    {1, 1, "after", "you"},
    {2, 6, "ignore disregard forget override",
     "previous prior above earlier instructions instruction all"},
    {3, 0, "important", NULL},
    {4, 0, "urgent urgently critical", NULL},
    {5, 0, "immediately", NULL},
    {6, 1, "you assistant agent", "must should need shall will"},
    {7, 0, "ai llm assistant chatbot", NULL},
    {7, 1, "language", "model models"},
    {8, 2, "not never t", "tell mention inform notify reveal ask"},
    {8, 1, "without", "telling asking informing mentioning"},
    {9, 1, "the", "following"},
    {9, 1, "follow", "these this the"},
    {10, 0, "instruction instructions", NULL},
    {10, 1, "your the", "task goal"},
    {11, 0, "please", NULL},
    /* 12: tags and roles, below */
    {13, 1, "the", "user"},
    {13, 0, "behalf", NULL},
    {14, 0, "instead first", NULL},
    {14, 1, "make", "sure"},
    {14, 2, "in", "to"},
};
enum { CUE_TAG = 12 };

static const char tag_words[] = "system important information instruction instructions admin "
                                "administrator user assistant priority inst developer";
static const char lead_words[] = "please then and to must first should now also";

/* Verbs that ask for the same; and verbs that only give orders. */
static const char *const verb_groups[] = {
    "send forward email mail transfer pay wire message dm",
    "delete remove erase drop unlink revoke",
    "post publish upload write share submit put push",
    "get visit open fetch read browse go download load view click",
    "create add make schedule insert register invite",
    "reserve book order buy purchase",
    "update change modify edit set replace rename reset",
    "run execute exec call invoke use eval launch",
    "search find query look list check",
    "include append attach copy",
};
static const char cues_orders[] =
    "ignore disregard forget stop do don never always ensure please must tell "
    "reply respond answer print output say give start begin follow proceed "
    "complete perform";
/* Parts of names that say nothing of what a tool does. */
static const char empty_words[] = "the of to by in a an and or for from with on at is tool mcp";

struct known {
    uint32_t hash;
    uint64_t first, then; /* bits: cues of the table */
    bool lead, order, tag;
};

struct cue_lexicon {
    struct known slots[LEXICON_SLOTS];
};

/* Takes the next word off a list. */
static bool list_next(const char **list, struct span *word)
{
    while (**list == ' ')
        (*list)++;
    size_t len = strcspn(*list, " ");
    *word = (struct span){*list, len};
    *list += len;
    return len > 0;
}

static uint32_t cue_hash(struct span word)
{
    uint64_t hash = 0x51ed270b;
    for (size_t i = 0; i < word.len; i++)
        hash = (hash ^ fold_table[(uint8_t)word.at[i]]) * 0x9e3779b97f4a7c15u;
    uint32_t high = (uint32_t)(hash >> 32);
    return high ? high : 1;
}

uint32_t cue_stem(struct span word)
{
    return cue_hash(span_sub(word, 0, CUE_STEM));
}

static struct known *slot_of(struct cue_lexicon *lexicon, uint32_t hash)
{
    size_t at = hash % LEXICON_SLOTS;
    while (lexicon->slots[at].hash && lexicon->slots[at].hash != hash)
        at = (at + 1) % LEXICON_SLOTS;
    return &lexicon->slots[at];
}

static struct known *learn(struct cue_lexicon *lexicon, struct span word)
{
    uint32_t hash = cue_hash(word);
    struct known *known = slot_of(lexicon, hash);
    known->hash = hash;
    return known;
}

struct cue_lexicon *cue_lexicon_create(void)
{
    struct cue_lexicon *lexicon = NEW(struct cue_lexicon);
    struct span word;
    for (size_t i = 0; i < COUNT_OF(cues_cues); i++) {
        for (const char *list = cues_cues[i].first; list_next(&list, &word);)
            learn(lexicon, word)->first |= UINT64_C(1) << i;
        for (const char *list = cues_cues[i].then ? cues_cues[i].then : "";
             list_next(&list, &word);)
            learn(lexicon, word)->then |= UINT64_C(1) << i;
    }
    for (size_t i = 0; i < COUNT_OF(verb_groups); i++)
        for (const char *list = verb_groups[i]; list_next(&list, &word);)
            learn(lexicon, word)->order = true;
    for (const char *list = cues_orders; list_next(&list, &word);)
        learn(lexicon, word)->order = true;
    for (const char *list = lead_words; list_next(&list, &word);)
        learn(lexicon, word)->lead = true;
    for (const char *list = tag_words; list_next(&list, &word);)
        learn(lexicon, word)->tag = true;
    return lexicon;
}

void cue_lexicon_destroy(struct cue_lexicon *lexicon)
{
    mem_free(lexicon);
}

/* ---- words of a text ---- */

bool cue_word_next(struct span text, size_t *at, struct cue_word *word)
{
    bool starts = *at == 0;
    size_t begin = *at;
    while (begin < text.len && !byte_is(text.at[begin], BYTE_WORD)) {
        char c = text.at[begin];
        size_t escape = c == '\\' ? fold_escape(text, begin) : 1;
        /* In backticks stands what is typed: `make` there asks nobody to make anything. */
        starts = c != '`' && (starts || ascii_is_one_of(c, ".!?:;>*#\n\"") || escape == 2);
        begin += escape;
    }
    if (begin > text.len)
        begin = text.len;
    size_t end = begin;
    while (end < text.len && byte_is(text.at[end], BYTE_WORD))
        end++;
    *at = end;
    if (begin == end)
        return false;
    struct span s = {text.at + begin, end - begin};
    char before = begin ? text.at[begin - 1] : ' ', behind = end < text.len ? text.at[end] : ' ';
    if (before == '/' && begin > 1)
        before = text.at[begin - 2];
    *word = (struct cue_word){
        .at = begin,
        .len = s.len,
        .hash = cue_hash(span_sub(s, 0, WORD_BYTES)),
        .stem = cue_stem(s),
        .starts = starts,
        .tagged = before == '<' || before == '[' || behind == ':',
    };
    return true;
}

static uint32_t complete(const struct cue_state *state, const struct known *known)
{
    uint32_t classes = 0;
    for (uint64_t rest = known->first | known->then; rest; rest &= rest - 1) {
        size_t i = (size_t)__builtin_ctzll(rest);
        uint64_t bit = UINT64_C(1) << i;
        if (!cues_cues[i].then) {
            classes |= 1u << cues_cues[i].class;
            continue;
        }
        bool before = false;
        for (unsigned back = 1; back <= cues_cues[i].gap && back <= state->count; back++)
            before = before || (state->first[(state->count - back) % 8] & bit);
        if (before && (known->then & bit))
            classes |= 1u << cues_cues[i].class;
    }
    return classes;
}

struct cue_seen cue_step(const struct cue_lexicon *lexicon, struct cue_state *state,
                         const struct cue_word *word)
{
    size_t at = word->hash % LEXICON_SLOTS;
    while (lexicon->slots[at].hash && lexicon->slots[at].hash != word->hash)
        at = (at + 1) % LEXICON_SLOTS;
    const struct known *known = &lexicon->slots[at];
    struct cue_seen seen = {.classes = complete(state, known)};
    if (known->tag && word->tagged)
        seen.classes |= 1u << CUE_TAG;
    seen.imperative = known->order && (word->starts || state->after_please);
    state->first[state->count++ % 8] = known->first;
    state->after_please = known->lead;
    return seen;
}

/* ---- the name of a tool ---- */

static void add_stem(struct span word, uint32_t stems[CUE_STEMS], size_t *count)
{
    uint32_t stem = cue_stem(word);
    for (size_t i = 0; i < *count; i++)
        if (stems[i] == stem)
            return;
    if (*count < CUE_STEMS)
        stems[(*count)++] = stem;
}

static bool is_in(const char *list, struct span word)
{
    for (struct span one; list_next(&list, &one);)
        if (span_equal_nocase(one, word))
            return true;
    return false;
}

/* Where the part of a name that begins at `at` ends: `sendMessage`, `send_message`, `HTTPGet`. */
static size_t part_end(struct span name, size_t at)
{
    size_t end = at + 1;
    while (end < name.len && byte_is(name.at[end], BYTE_LETTER)) {
        bool upper = name.at[end] >= 'A' && name.at[end] <= 'Z';
        bool was_upper = name.at[end - 1] >= 'A' && name.at[end - 1] <= 'Z';
        bool next_lower = end + 1 < name.len && name.at[end + 1] >= 'a' && name.at[end + 1] <= 'z';
        if (upper && (!was_upper || next_lower))
            break;
        end++;
    }
    return end;
}

size_t cue_tool_stems(struct span tool, uint32_t stems[CUE_STEMS])
{
    size_t count = 0;
    for (size_t at = 0; at < tool.len;) {
        if (!byte_is(tool.at[at], BYTE_LETTER)) {
            at++;
            continue;
        }
        size_t end = part_end(tool, at);
        struct span part = span_sub(tool, at, end - at);
        at = end;
        if (part.len < 3 || is_in(empty_words, part))
            continue;
        add_stem(part, stems, &count);
        struct span same;
        for (size_t i = 0; i < COUNT_OF(verb_groups); i++)
            for (const char *list = is_in(verb_groups[i], part) ? verb_groups[i] : "";
                 list_next(&list, &same);)
                add_stem(same, stems, &count);
    }
    return count;
}
