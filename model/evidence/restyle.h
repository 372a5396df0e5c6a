/*
 * A JSON record written again as this or that serializer writes it: not to be
 * canonical, but to find out how a producer got its digest wrong. The record is
 * read once and can be written in hundreds of styles. Inside the room only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_RESTYLE_H
#define STRANDLINE_MODEL_EVIDENCE_RESTYLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/span.h"

/* Each dimension: id, "matches if …", what the producer should do. The first of each is RFC 8785's.
 */
#define STYLE_ORDERS(X)                                                                            \
    X(ORDER_UTF16, "", "")                                                                         \
    X(ORDER_WRITTEN, "members keep the order they were written in",                                \
      "sort names before hashing (RFC 8785: by UTF-16 code units)")                                \
    X(ORDER_CODE_POINT, "names are sorted by code point or by UTF-8 bytes",                        \
      "sort names by UTF-16 code units, not by code point (RFC 8785 section 3.2.3)")

#define STYLE_SPACINGS(X)                                                                          \
    X(SPACING_NONE, "", "")                                                                        \
    X(SPACING_PYTHON, "a space follows ',' and ':' (Python's json.dumps)",                         \
      "write no white space: separators=(',', ':') in Python")                                     \
    X(SPACING_COLON, "a space follows ':'", "write no white space between tokens")                 \
    X(SPACING_INDENT_2, "it is indented by 2 spaces", "hash the compact form, not the pretty one") \
    X(SPACING_INDENT_4, "it is indented by 4 spaces", "hash the compact form, not the pretty one") \
    X(SPACING_INDENT_TAB, "it is indented by tabs", "hash the compact form, not the pretty one")

#define STYLE_ESCAPES(X)                                                                           \
    X(ESCAPES_JCS, "", "")                                                                         \
    X(ESCAPES_PYTHON, "everything beyond ASCII is escaped (Python's ensure_ascii)",                \
      "write characters as they are: ensure_ascii=False in Python")                                \
    X(ESCAPES_GO, "< > & and U+2028/9 are escaped (Go's encoding/json)",                           \
      "encode without HTML escapes: SetEscapeHTML(false) in Go, and U+2028/9 as they are")         \
    X(ESCAPES_GO_PLAIN, "U+2028/9 are escaped (Go's encoding/json)",                               \
      "write U+2028 and U+2029 as they are")                                                       \
    X(ESCAPES_PHP, "'/' and everything beyond ASCII are escaped (PHP's json_encode)",              \
      "use JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE in PHP")                                \
    X(ESCAPES_PHP_SLASH, "'/' is escaped (PHP's json_encode)",                                     \
      "use JSON_UNESCAPED_SLASHES in PHP")                                                         \
    X(ESCAPES_PHP_UNICODE, "everything beyond ASCII is escaped, DEL is not",                       \
      "use JSON_UNESCAPED_UNICODE in PHP")                                                         \
    X(ESCAPES_DOTNET, "it is escaped as System.Text.Json does by default",                         \
      "use JavaScriptEncoder.UnsafeRelaxedJsonEscaping, or better an RFC 8785 library")            \
    X(ESCAPES_GSON, "< > & = ' are escaped (Gson)", "use disableHtmlEscaping() in Gson")           \
    X(ESCAPES_JQ, "DEL is escaped (jq)", "write U+007F as it is")                                  \
    X(ESCAPES_WRITTEN, "strings keep the escapes they were written with",                          \
      "decode strings and escape them as RFC 8785 section 3.2.2.2 says")

#define STYLE_NUMBERS(X)                                                                           \
    X(NUMBERS_ES, "", "")                                                                          \
    X(NUMBERS_WRITTEN, "numbers are kept as they were written",                                    \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_EXACT, "integers beyond 2^53 are kept exact",                                        \
      "write such numbers as strings: RFC 8785 rounds them to a double")                           \
    X(NUMBERS_PYTHON, "numbers are written as Python does (1.0, 1e-07, exact integers)",           \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_GO, "a negative zero is written -0 (Go)", "write -0 as 0")                           \
    X(NUMBERS_RUST, "numbers are written as Rust's serde_json does (1.0, 1e21)",                   \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_JAVA, "numbers are written as Java does (1.0E7)",                                    \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_RUBY, "numbers are written as Ruby does (1.0, 1.0e+16)",                             \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_PHP, "numbers are written as PHP does (1.0e+25)",                                    \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")                               \
    X(NUMBERS_JQ, "numbers are written as jq does (1e-05)",                                        \
      "write numbers as ECMAScript does (RFC 8785 section 3.2.2.3)")

#define STYLE_FIELDS(X)                                                                            \
    X(FIELDS_ALL, "", "")                                                                          \
    X(FIELDS_NO_DIGEST, "its own digest member is left out",                                       \
      "keep the digest outside of the record that it covers")                                      \
    X(FIELDS_NO_SIGNATURE, "its own signature member is left out",                                 \
      "keep the signature outside of the record that is hashed")                                   \
    X(FIELDS_NO_DIGEST_OR_SIGNATURE, "its own digest and signature members are left out",          \
      "keep digest and signature outside of the record that is hashed")                            \
    X(FIELDS_NO_NULLS, "members that are null are left out",                                       \
      "hash the record that is handed over, nulls included")

#define STYLE_TEXTS(X)                                                                             \
    X(TEXTS_SAME, "", "")                                                                          \
    X(TEXTS_NFC, "strings are in Unicode NFC",                                                     \
      "hash strings as they are: RFC 8785 doesn't normalize")

#define STYLE_DUPLICATES(X)                                                                        \
    X(DUPLICATES_NONE, "", "")                                                                     \
    X(DUPLICATES_LAST, "the last of a name that is there twice counts", "write each name once")    \
    X(DUPLICATES_FIRST, "the first of a name that is there twice counts", "write each name once")

#define STYLE_DIMENSIONS(D)                                                                        \
    D(ORDER, STYLE_ORDERS)                                                                         \
    D(SPACING, STYLE_SPACINGS)                                                                     \
    D(ESCAPES, STYLE_ESCAPES)                                                                      \
    D(NUMBERS, STYLE_NUMBERS)                                                                      \
    D(FIELDS, STYLE_FIELDS) D(TEXTS, STYLE_TEXTS) D(DUPLICATES, STYLE_DUPLICATES)

#define X(id, phrase, advice) id,
enum style_order { STYLE_ORDERS(X) STYLE_ORDER_COUNT };
enum style_spacing { STYLE_SPACINGS(X) STYLE_SPACING_COUNT };
enum style_escapes { STYLE_ESCAPES(X) STYLE_ESCAPES_COUNT };
enum style_numbers { STYLE_NUMBERS(X) STYLE_NUMBERS_COUNT };
enum style_fields { STYLE_FIELDS(X) STYLE_FIELDS_COUNT };
enum style_texts { STYLE_TEXTS(X) STYLE_TEXTS_COUNT };
enum style_duplicates { STYLE_DUPLICATES(X) STYLE_DUPLICATES_COUNT };
#undef X

enum style_dimension {
#define D(id, values) STYLE_##id,
    STYLE_DIMENSIONS(D)
#undef D
        STYLE_DIMENSION_COUNT
};

/* A choice for each dimension; all zero is RFC 8785. */
struct text_style {
    unsigned char choice[STYLE_DIMENSION_COUNT];
};

struct restyle;
/* Reads the record; NULL where it is no JSON, or nested deeper than any producer's would be. */
struct restyle *restyle_create(struct span json);
void restyle_destroy(struct restyle *restyle);
/* Has some object a name twice? Then one of DUPLICATES_FIRST and _LAST is the least deviation. */
bool restyle_has_duplicates(const struct restyle *restyle);
/* Appends the record in a style. */
void restyle_write(struct restyle *restyle, const struct text_style *style, struct buf *out);

/* Appends valid UTF-8 as a JSON string. */
void restyle_quote(enum style_escapes escapes, struct span text, struct buf *out);
/* Appends a double as a language writes it (NUMBERS_ES and the languages). */
void restyle_number(enum style_numbers language, double value, struct buf *out);

#endif
