/*
 * What a policy is inside: settings and rules, read once and then only looked
 * at. For the files of flow/, and the checks of what a policy guards; everybody
 * else uses policy.h.
 */
#ifndef STRANDLINE_MODEL_FLOW_POLICY_RULES_H
#define STRANDLINE_MODEL_FLOW_POLICY_RULES_H

#include "base/mem.h"
#include "model/flow/match.h"
#include "model/flow/policy.h"

/* Beside the two roles a rule may say: consequential where the user's prompt doesn't name the URL
 * or host. It is one of the two by the time a call is judged. */
enum { ROLE_UNLESS_NAMED = 4 };
/* And: a tool that reads the place which its arguments name; the policy's hints.read_open_world
 * says what that counts as. */
enum { ROLE_FETCH = 8 };

enum requirement { REQUIRE_TRUSTED_ACTION, REQUIRE_PERMITTED_FLOW, REQUIRE_ANY, REQUIRE_ALL };

/* What kind of content a rule's label is for: bits, since a rule may name several. */
#define CONTENT_KINDS(X)                                                                           \
    X(RESULT, "result")             /* of a tool; the default */                                   \
    X(DEFINITION, "definition")     /* tools/list */                                               \
    X(INSTRUCTIONS, "instructions") /* of a server */                                              \
    X(PROMPT, "prompt")             /* prompts/get */                                              \
    X(RESOURCE, "resource")         /* resources/read */                                           \
    X(SAMPLING, "sampling")                                                                        \
    X(USER, "user")     /* the user's own prompt */                                                \
    X(SYSTEM, "system") /* the system's prompt */

enum content_kind {
#define X(id, word) CONTENT_##id,
    CONTENT_KINDS(X)
#undef X
        CONTENT_KIND_COUNT
};

enum audience_kind {
    AUDIENCE_PUBLIC,
    AUDIENCE_CONSTANT,            /* one reader */
    AUDIENCE_POINTERS,            /* readers named in the arguments */
    AUDIENCE_RESOURCE,            /* the marker of what the arguments name */
    AUDIENCE_RESOURCE_IF_PRIVATE, /* the same, where the context knows that marker; else unknown */
    AUDIENCE_URL,                 /* hosts of the URLs in the arguments */
};

/* One rule: where it matches, and what it says there. Each aspect that it doesn't speak of is left
 * to the rules behind it. */
struct rule {
    struct span name; /* for people: its `name`, else "rule 3" */
    struct match match;
    bool has_label;
    unsigned kinds;       /* bits: 1 << CONTENT_… */
    struct span label;    /* short form of label_parse, without "private" */
    bool own_marker;      /* private, by the marker of what it labels */
    struct span *parties; /* members of the result's items that say who has them: see parties.h */
    size_t party_count;
    bool has_role;
    unsigned role;
    bool has_require;
    enum requirement require;
    bool has_audience;
    enum audience_kind audience;
    struct span *audience_words; /* the constant, or pointers */
    size_t audience_count;
    struct span audience_within; /* a marker that all of them may read; empty: none */
    struct span *resource;       /* pointers that together name the resource; NULL: says nothing */
    size_t resource_count;
    struct span *directory; /* pointers to the name that is looked up; NULL: it is no directory */
    size_t directory_count;
};

struct rules {
    struct rule *items;
    size_t count;
};

struct resolve { /* a marker and who may read it */
    struct span pattern;
    struct span *readers; /* groups expanded; globs */
    size_t count;
};

struct severity_override {
    struct span code;
    int severity;
};

/* A person let this call be made, where the record doesn't show it. */
struct approval {
    struct span session, by, reason; /* session: as output calls it; empty: any */
    int64_t step;
    int until; /* as below */
};

struct suppression {
    struct span code, id, server, tool, reason;
    int until; /* YYYYMMDD; 0: for ever */
};

/* ---- what a policy watches beside labels ---- */

/* Paths in the arguments of these tools lie under one of these folders. */
struct guard_root {
    struct match match;
    struct span *folders, *pointers; /* no pointers: every string that is a path */
    size_t folders_count, pointers_count;
};

/* Members of a result, wherever they stand, have one of these values, or that of the call. */
struct guard_scope {
    struct span name;
    struct match match;
    struct span *members, *allowed, *same; /* `allowed` are globs, `same` pointers into arguments */
    size_t members_count, allowed_count, same_count;
};

struct guard_event {
    bool given;
    struct match match;
    bool untrusted, private; /* of a result: its label has to be so */
};

/* After a result like `after`, a call like `call`, unless one like `unless` stood between. */
struct guard_sequence {
    struct span name;
    struct guard_event after, call, unless;
};

/* Each row of this SELECT is a finding. */
struct guard_query {
    struct span name, sql;
    const char *where; /* file, line and member */
};

enum unlabelled {
    UNLABELLED_NO_CLAIM,
    UNLABELLED_UNTRUSTED,
    UNLABELLED_BY_HINT,
    UNLABELLED_BY_HINT_OR_UNTRUSTED
};
enum policy_mode { MODE_ENFORCE, MODE_WARN, MODE_AUDIT };

struct policy {
    struct arena arena;
    char *name;
    struct span text;
    struct span *catalogue_texts; /* what the catalogue's digest is over */
    size_t catalogue_text_count;
    char digest[80], catalogue_digest[80];

    struct rules rules, catalogue; /* the catalogue of users' files before the built-in one */
    bool catalogue_labels, catalogue_roles, catalogue_audiences, catalogue_resources;

    enum unlabelled unlabelled;
    bool malformed_ignored;
    bool reader_lists; /* a list of readers on the wire is a label; else it is malformed */
    bool blocks;       /* claims on content blocks count */
    bool fill;         /* an axis that a claim leaves open is filled by the assumptions */
    enum data_class private_from; /* records of data-class.v1: the first class that is private */

    unsigned hint_read, hint_read_open, hint_write, hint_write_closed; /* roles by hints */
    struct span *trusted_servers; /* globs: whose hints are relied upon; NULL: everybody's */
    size_t trusted_server_count;
    enum requirement consequential, egress;
    bool rendering; /* a rendered link is an egress */
    bool unresolved_denies;
    bool prompt_endorses;
    bool reference_rules; /* what the reference kit of SEP-1913 would have said is told (S1310) */
    bool follows_links;   /* an address that came in word for word may be followed: see links.h */
    struct span *owners;  /* readers who are the user: what is private in the session is theirs */
    size_t owner_count;
    enum policy_mode mode;

    struct resolve *resolves;
    size_t resolve_count;
    struct severity_override *severities;
    size_t severity_count;
    struct suppression *suppressions;
    size_t suppression_count;

    struct approval *approvals;
    size_t approval_count;
    struct span approvals_text; /* of the side file; empty: none */

    struct guard_root *roots;
    size_t root_count;
    struct guard_scope *scopes;
    size_t scope_count;
    struct guard_sequence *sequences;
    size_t sequence_count;
    struct guard_query *queries;
    size_t query_count;
};

/* Are the hints of that server's tools relied upon? MCP, ToolAnnotations: only where it is trusted.
 */
bool policy_trusts_hints(const struct policy *policy, struct span server);
/* Releases what the policy's arena doesn't hold of them. */
void guards_finish(struct policy *policy);

/* Reads a policy's text over what `policy` has already. `folder` is where files that it names are
 * looked for; NULL: it may name none. */
bool policy_read(struct policy *policy, struct span text, const char *where, const char *folder,
                 struct err *err);
/* Reads the rules of a catalogue file and adds them. */
bool catalogue_read(struct policy *policy, struct span text, const char *where, struct err *err);
/* The text of a built-in policy; false where there is none of that name. */
bool policy_builtin(struct span name, struct span *text);

#endif
