/*
 * What was exchanged over HTTP beside the messages of MCP: the addresses that a
 * sign-in gives a client to open (PR08). No step comes of them, and an incident
 * may be over before there is one.
 */
#include "base/ascii.h"
#include "base/jsonr.h"
#include "base/text.h"
#include "model/findings/check_internal.h"

enum { ADDRESS_SHOWN = 160, SIGN_IN_FINDINGS = 20 };

/* Members of authorization server metadata (RFC 8414) that a client opens or sends to. */
static const char *const address_members[] = {"authorization_endpoint", "token_endpoint",
                                              "registration_endpoint",
                                              "device_authorization_endpoint"};

/* Where a browser of one's own is meant, and nobody listens in between. */
static bool is_loopback(struct span address)
{
    static const char *const own[] = {"http://localhost", "http://127.0.0.1", "http://[::1]"};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        struct span host = span_of(own[i]);
        if (span_starts_with(address, host) &&
            (address.len == host.len || ascii_is_one_of(address.at[host.len], ":/?")))
            return true;
    }
    return false;
}

/* What is wrong with an address that a program will be told to open; NULL: nothing. */
static const char *fault_of(struct span address)
{
    for (size_t i = 0; i < address.len; i++)
        if ((unsigned char)address.at[i] <= ' ' ||
            ascii_is_one_of(address.at[i], "$`|;<>\"'\\^{}()"))
            return "holds what a shell takes for a command";
    if (!span_starts_with(address, SPAN("https://")) && !is_loopback(address))
        return "is not https";
    return NULL;
}

/* The exchanges of a sign-in are tried again and again: each address is told once. */
static bool is_told(const struct checks *checks, struct span message)
{
    for (size_t i = 0; i < checks->count; i++)
        if (checks->findings[i].code == finding_code_at(CODE_PR08) &&
            span_ends_with(checks->findings[i].message, message))
            return true;
    return false;
}

static void look_at_metadata(struct checks *checks, const struct source_bytes *where,
                             struct span metadata)
{
    for (size_t i = 0; i < COUNT_OF(address_members); i++) {
        struct buf address = {0}, what = {0};
        struct span value;
        bool lossy;
        if (jsonr_member(metadata, address_members[i], &value) &&
            jsonr_string(value, &address, &lossy)) {
            const char *fault = fault_of(buf_span(&address));
            buf_addf(&what, "%s %s: ", address_members[i], fault ? fault : "");
            text_safe(&what, span_sub(buf_span(&address), 0, ADDRESS_SHOWN));
            if (fault && !is_told(checks, buf_span(&what)) &&
                checks->per_code[CODE_PR08] < SIGN_IN_FINDINGS)
                check_bytes(checks, CODE_PR08, where, buf_span(&what));
        }
        buf_finish(&address);
        buf_finish(&what);
    }
}

void checks_exchange(struct checks *checks, const struct source_bytes *where, struct span text)
{
    struct strings strings = {0};
    strings_read(&strings, text, &checks->scratch);
    look_at_metadata(checks, where, text);
    for (size_t i = 0; i < strings.count; i++)
        if (jsonr_is_object(strings.items[i].text))
            look_at_metadata(checks, where, strings.items[i].text);
    strings_finish(&strings);
    arena_reset(&checks->scratch);
}
