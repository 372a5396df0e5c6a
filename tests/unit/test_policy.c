/* Policies: the built-in ones, errors that name file, line and member, matching, and suppressions.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/jsonr.h"
#include "model/flow/match.h"
#include "model/flow/policy_rules.h"
#include "tests/unit/files.h"

#define HEAD "{\n\"schema\": \"strandline/policy/1\",\n"

Test(policy, builtins)
{
    cr_expect(policy_builtin_count() >= 6);
    cr_expect_str_eq(policy_builtin_name(0), "additive");
    for (size_t i = 0; i < policy_builtin_count(); i++) {
        struct err err = {0};
        const char *name = policy_builtin_name(i);
        struct policy *policy = policy_load(name, &err);
        cr_assert(policy, "%s: %s: %s; %s", name, err.where, err.what, err.todo);
        cr_expect_str_eq(policy_name(policy), name);
        cr_expect(span_equal(policy_text(policy), policy_builtin_text(i)));
        cr_expect_eq(strlen(policy_digest(policy)), strlen("sha256:") + 64);
        cr_expect_eq(policy_catalogue_digest(policy)[0] == '\0',
                     strcmp(name, "agent-framework") == 0);
        cr_expect(strlen(policy_builtin_summary(i)) > 20);
        /* What a user prints and copies says the same when it is read from a file. */
        struct policy *copy = policy_parse(policy_text(policy), "copy", &err);
        cr_assert(copy);
        cr_expect_str_eq(policy_digest(copy), policy_digest(policy));
        policy_destroy(copy);
        policy_destroy(policy);
    }
    struct err err = {0};
    /* The starter is a policy, and none to judge by. */
    struct policy *starter = policy_parse(policy_starter_text(), "starter", &err);
    cr_assert(starter, "%s: %s", err.where, err.what);
    policy_destroy(starter);
    cr_expect_null(policy_load("starter", &err));
    cr_expect_null(policy_load("no-such-policy", &err));
    cr_expect_eq(err.kind, ERR_USAGE);
    cr_expect(strstr(err.todo, "policy list"));
    policy_destroy(NULL);
}

Test(policy, errors)
{
    static const struct {
        const char *text, *where, *what;
    } cases[] = {
        {"", "p", "no JSON value, at byte 0"},
        {"[]", "p:1", "a policy is an object"},
        {"{}", "p:1", "it doesn't say what it is"},
        {"{\"schema\": \"strandline/policy/2\"}", "p:1: /schema", "not a word that is known here"},
        {HEAD "\"unlabeled\": 1}", "p:3: /unlabeled", "unknown member"},
        {HEAD "// a comment\n/* and\nmore */ \"blocks\": \"yes\"}", "p:5: /blocks",
         "not a boolean"},
        {HEAD "\"mode\": \"stop\"}", "p:3: /mode", "not a word that is known here"},
        {HEAD "\"blocks\": true,\n\"blocks\": false}", "p:4",
         "a member that stands there twice: blocks"},
        {HEAD "\"rules\": {}}", "p:3: /rules", "not a list of rules"},
        {HEAD "\"rules\": [\n{\"tool\": \"x\"}]}", "p:4: /rules/0", "it says nothing"},
        {HEAD "\"rules\": [{\"label\": \"trusted\"},\n{\"label\": \"secret\"}]}",
         "p:4: /rules/1/label", "not a label"},
        {HEAD "\"rules\": [{\"role\": [\"sink\"]}]}", "p:3: /rules/0/role/0",
         "not a word that is known here"},
        {HEAD "\"rules\": [{\"audience\": {\"to\": 1}}]}", "p:3: /rules/0/audience",
         "not an audience"},
        {HEAD "\"rules\": [{\"role\": [], \"when\": {\"pointer\": \"q\", \"is\": \"x\"}}]}",
         "p:3: /rules/0/when/pointer", "not a JSON pointer"},
        {HEAD "\"rules\": [{\"role\": [], \"when\": [{\"pointer\": \"/q\"}]}]}",
         "p:3: /rules/0/when/0", "it tests nothing"},
        {HEAD "\"rules\": [{\"role\": [], \"when\": {\"regex\": \"(\"}}]}",
         "p:3: /rules/0/when/regex", "not a regular expression: Unmatched ( or \\("},
        {HEAD "\"resolve\": {\"a:b\": \"bob\"}}", "p:3: /resolve/a:b", "not a list of readers"},
        {HEAD "\"groups\": {\"@a\": [\"@b\"], \"@b\": [\"@a\"]}}", "p:3: /groups/@a",
         "groups are nested too deep"},
        {HEAD "\"extends\": \"nothing\"}", "p:3: /extends", "not the name of a built-in policy"},
        {HEAD "\"severity\": {\"PT01\": \"bad\"}}", "p:3: /severity/PT01",
         "not a word that is known here"},
        {HEAD "\"suppress\": [{\"code\": \"PT01\"}]}", "p:3: /suppress/0",
         "a suppression without a reason"},
        {HEAD "\"suppress\": [{\"code\": \"PT01\", \"reason\": \"x\", \"until\": \"soon\"}]}",
         "p:3: /suppress/0/until", "not a date"},
        {HEAD "\"suppress\": [{\"code\": \"PT01\", \"reason\": \"x\", \"until\": \"2026-02-29\"}]}",
         "p:3: /suppress/0/until", "not a date"},
        {HEAD "\"suppress\": [{\"code\": \"PT99\", \"reason\": \"x\"}]}", "p:3: /suppress/0/code",
         "not a code of a finding"},
        {HEAD "\"severity\": {\"HX99\": \"info\"}}", "p:3: /severity/HX99",
         "not a code of a finding"},
        {HEAD "\"rules\": [{\"role\": [], \"when\": {\"pointer\": \"/a~2b\", \"is\": \"x\"}}]}",
         "p:3: /rules/0/when/pointer", "not a JSON pointer"},
        {HEAD "\"rules\": [{\"resource\": [\"/a\", \"/b~\"]}]}", "p:3: /rules/0/resource",
         "not a JSON pointer"},
        {HEAD "\"catalogue\": {\"extra\": [\"x.json\"]}}", "p:3: /catalogue/extra",
         "a built-in policy can name no files"},
        {HEAD "\"approvals\": [{\"step\": 3}]}", "p:3: /approvals/0",
         "it doesn't say who approved of what"},
        {HEAD "\"approvals\": [{\"step\": 0}]}", "p:3: /approvals/0/step", "not a step"},
        {HEAD "\"roots\": [{\"server\": \"fs\"}]}", "p:3: /roots/0", "roots without a folder"},
        {HEAD "\"scopes\": [{\"member\": \"id\"}]}", "p:3: /scopes/0",
         "it doesn't say what has to be what"},
        {HEAD "\"sequences\": [{\"after\": {}}]}", "p:3: /sequences/0", "half a sequence"},
        {HEAD "\"sequences\": [{\"after\": {}, \"call\": {\"label\": \"private\"}}]}",
         "p:3: /sequences/0/call", "a call has no label"},
        {HEAD "\"rules\": [{\"label\": \"untrusted\", \"parties\": \"to\"}]}", "p:3: /rules/0",
         "parties of what isn't private"},
        {HEAD "\"rules\": [{\"directory\": \"query\"}]}", "p:3: /rules/0/directory",
         "not a JSON pointer"},
        {HEAD "\"queries\": [{\"name\": \"x\"}]}", "p:3: /queries/0", "a query without SQL"},
        {HEAD "\"blocks\": NaN}", "p:3:11", "not JSON, at byte 45"},
        {HEAD "\"blocks\": true,}", "p:3:16", "not JSON, at byte 50"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = {0};
        struct policy *policy = policy_parse(span_of(cases[i].text), "p", &err);
        cr_expect_null(policy, "%s", cases[i].text);
        cr_expect_str_eq(err.where, cases[i].where, "%s\n  is %s", cases[i].text, err.where);
        cr_expect_str_eq(err.what, cases[i].what, "%s\n  is %s", cases[i].text, err.what);
        cr_expect(err.todo[0], "%s", cases[i].text);
        cr_expect_eq(err.kind, ERR_USAGE);
        policy_destroy(policy);
    }
}

/* The schema for editors knows the same members as the reader. */
Test(policy, schema)
{
    static const char *const members[] = {
        "schema",          "name",      "summary",       "extends",      "catalogue",
        "unlabelled",      "malformed", "partial",       "reader_lists", "blocks",
        "private_from",    "hints",     "require",       "rendering",    "unresolved",
        "prompt_endorses", "mode",      "rules",         "groups",       "resolve",
        "severity",        "suppress",  "roots",         "scopes",       "sequences",
        "queries",         "approvals", "follows_links", "owner",        "reference_rules",
        "trusted_servers"};
    struct buf path = {0}, text = {0};
    struct span properties, value;
    cr_assert(files_read(files_project("docs/schema/policy.schema.json", &path), &text));
    cr_assert(jsonr_valid(buf_span(&text), NULL, NULL));
    cr_assert(jsonr_member(buf_span(&text), "properties", &properties));
    size_t count = 0;
    struct jsonr_items items;
    for (jsonr_items_init(&items, properties); jsonr_items_next(&items); count++)
        ;
    cr_expect_eq(count, COUNT_OF(members));
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        struct err err = {0};
        struct buf policy = {0};
        cr_expect(jsonr_member(properties, members[i], &value), "%s", members[i]);
        /* The reader knows it: a wrong value is wrong in another way than an unknown member. */
        buf_addf(&policy, "{\"schema\": \"strandline/policy/1\", \"%s\": null}", members[i]);
        if (i)
            cr_expect_null(policy_parse(buf_span(&policy), "p", &err));
        cr_expect(strcmp(err.what, "unknown member") != 0, "%s", members[i]);
        buf_finish(&policy);
    }
    buf_finish(&path);
    buf_finish(&text);
}

Test(policy, files)
{
    char folder[] = "/tmp/strandline-policy-XXXXXX", path[256];
    struct err err = {0};
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/extra.json", folder);
    cr_assert(files_write(path, SPAN("{\"schema\": \"strandline/catalogue/1\", \"rules\": "
                                     "[{\"tool\": \"mine\", \"role\": []}]}")));
    snprintf(path, sizeof path, "%s/own.json", folder);
    cr_assert(files_write(
        path,
        SPAN(
            HEAD
            "\"extends\": \"fides\", \"catalogue\": {\"extra\": [\"extra.json\"]}, \"groups\": "
            "{\"@hr\": [\"al\", \"bo\"]}, \"resolve\": {\"a:*\": [\"@hr\", \"cy\"]}, \"severity\": "
            "{\"HX04\": \"info\"}, \"suppress\": [{\"code\": \"PT01\", \"tool\": \"git_*\", "
            "\"reason\": \"known\", \"until\": \"2026-12-31\"}]}")));
    struct policy *policy = policy_load(path, &err), *fides = policy_load("fides", &err);
    cr_assert(policy && fides, "%s: %s", err.where, err.what);
    cr_expect_eq(policy->unlabelled, UNLABELLED_UNTRUSTED);
    cr_expect_eq(policy->egress, REQUIRE_ANY);
    cr_expect_eq(policy->hint_write_closed, (unsigned)ROLE_CONSEQUENTIAL);
    cr_expect_eq(policy->catalogue.count, fides->catalogue.count + 1);
    cr_expect(span_is(policy->catalogue.items[0].match.tools[0], "mine"), "its own come first");
    cr_expect_str_neq(policy_catalogue_digest(policy), policy_catalogue_digest(fides));
    cr_expect_eq(policy->resolves[0].count, 3u);
    int severity;
    struct span reason;
    cr_expect(policy_severity(policy, "HX04", &severity) && severity == 0);
    cr_expect_not(policy_severity(policy, "HX01", &severity));
    cr_expect(policy_suppresses(policy, "PT01", SPAN("x"), SPAN("git"), SPAN("git_add"), 20261231,
                                &reason));
    cr_expect(span_is(reason, "known"));
    cr_expect_not(policy_suppresses(policy, "PT01", SPAN("x"), SPAN("git"), SPAN("git_add"),
                                    20270101, &reason));
    cr_expect_not(
        policy_suppresses(policy, "PT01", SPAN("x"), SPAN("git"), SPAN("push"), 20261231, &reason));
    cr_expect_not(policy_suppresses(policy, "PF01", SPAN("x"), SPAN("git"), SPAN("git_add"),
                                    20261231, &reason));
    policy_destroy(policy);
    policy_destroy(fides);
    unlink(path);
    snprintf(path, sizeof path, "%s/extra.json", folder);
    unlink(path);
    rmdir(folder);
}

Test(match, all)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } globs[] = {
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"a*c", "abc", true},
        {"a*c", "acb", false},
        {"?", "", false},
        {"*b*b*", "abab", true},
        {"a?c", "abc", true},
        {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for (size_t i = 0; i < COUNT_OF(globs); i++)
        cr_expect_eq(glob_match(span_of(globs[i].pattern), span_of(globs[i].text)),
                     globs[i].matches, "%s %s", globs[i].pattern, globs[i].text);
    static const struct {
        const char *sql, *kind;
    } statements[] = {
        {"select 1", "read"},
        {"  (SELECT 1) UNION (select 2)", "read"},
        {"/* x */ -- y\nselect ';delete' as \"a;drop\"", "read"},
        {"select 1; drop table t", "write"},
        {"select * into t from u", "write"},
        {"with x as (select 1) select * from x", "read"},
        {"WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "write"},
        {"explain select 1", "read"},
        {"explain analyze update t set a = 1", "write"},
        {"set role admin", "write"},
        {"call wipe()", "write"},
        {"  -- only a comment", NULL},
        {"", NULL},
        {"'unterminated", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(statements); i++) {
        const char *kind = sql_kind(span_of(statements[i].sql));
        cr_expect_eq(kind != NULL, statements[i].kind != NULL, "%s", statements[i].sql);
        if (kind && statements[i].kind)
            cr_expect_str_eq(kind, statements[i].kind, "%s", statements[i].sql);
    }
    static const struct {
        const char *text, *hosts;
    } urls[] = {
        {"see http://a.example/x and HTTPS://B.example:80?y", "a.example B.example "},
        {"https://user:pa@ss@evil.example/", "evil.example "},
        {"![x](https://img.example/a.png)", "img.example "},
        {"<img src='wss://s.example'>", "s.example "},
        {"file:///etc/passwd javascript://x", ""},
        {"nohttp://a.example", "a.example "},
        {"https://", ""},
        {"https://a.example.", "a.example "},
        {"![x](http://[2001:db8::1]:80/a?b) <https://u:p@[::1]/>", "[2001:db8::1] [::1] "},
        {"http://[placeholder]/ [http://a.example]", "a.example "},
        {"http://", ""},
        {"http://[", ""},
    };
    for (size_t i = 0; i < COUNT_OF(urls); i++) {
        struct buf hosts = {0};
        struct span rest = span_of(urls[i].text), url, host;
        while (url_next(&rest, &url, &host))
            buf_addf(&hosts, "%.*s ", SPAN_ARG(host));
        cr_expect_str_eq(buf_cstr(&hosts), urls[i].hosts, "%s", urls[i].text);
        buf_finish(&hosts);
    }
    static const struct {
        const char *rule, *arguments;
        bool matches;
    } conditions[] = {
        {"{\"pointer\": \"/p\", \"under\": [\"/srv/repo\"]}", "{\"p\": \"/srv/repo/a/../b\"}",
         true},
        {"{\"pointer\": \"/p\", \"under\": [\"/srv/repo\"]}", "{\"p\": \"/srv/repo/../other\"}",
         false},
        {"{\"pointer\": \"/p\", \"under\": [\"/srv/repo/\"]}", "{\"p\": \"/srv/repository\"}",
         false},
        {"{\"pointer\": \"/p\", \"under\": [\"/srv\"], \"not\": true}", "{\"p\": \"/home/u\"}",
         true},
        {"{\"pointer\": \"/p\", \"exists\": true}", "{\"p\": null}", true},
        {"{\"pointer\": \"/p\", \"exists\": false}", "{\"q\": 1}", true},
        {"{\"pointer\": \"/p/0\", \"is\": [\"1\", \"true\"]}", "{\"p\": [true]}", true},
        {"{\"pointer\": \"/p\", \"is\": \"b\"}", "{\"p\": [\"a\", \"b\"]}", true},
        {"{\"pointer\": \"/p\", \"glob\": \"*.env\"}", "{\"p\": \"/a/.env\"}", true},
        {"{\"pointer\": \"/p\", \"regex\": \"^[ab]+$\"}", "{\"p\": \"abab\"}", true},
        {"{\"pointer\": \"/p\", \"regex\": \"^[ab]+$\"}", "{\"p\": \"abc\"}", false},
        {"{\"pointer\": \"/p\", \"host\": \"*.corp.example\"}",
         "{\"p\": \"https://x.corp.example/y\"}", true},
        {"{\"pointer\": \"/p\", \"host\": \"*.corp.example\"}",
         "{\"p\": \"https://corp.example.evil/\"}", false},
        {"{\"pointer\": \"/p\", \"host\": \"Evil.example\"}",
         "{\"p\": \"HTTPS://EVIL.Example:8443/x\"}", true},
    };
    for (size_t i = 0; i < COUNT_OF(conditions); i++) {
        struct err err = {0};
        struct buf text = {0};
        buf_addf(&text, HEAD "\"rules\": [{\"role\": [], \"when\": %s}]}", conditions[i].rule);
        struct policy *policy = policy_parse(buf_span(&text), "p", &err);
        cr_assert(policy, "%s: %s", err.where, err.what);
        cr_expect_eq(
            match_arguments(&policy->rules.items[0].match, span_of(conditions[i].arguments)),
            conditions[i].matches, "%s %s", conditions[i].rule, conditions[i].arguments);
        policy_destroy(policy);
        buf_finish(&text);
    }
}

/* An address without its scheme is told from words, names of files in folders, and numbers. */
Test(policy, bare_addresses)
{
    static const struct {
        const char *text, *host;
    } cases[] = {
        {"www.shop.example", "www.shop.example"},
        {"shop.example/a?b=c", "shop.example"},
        {"one line\nshop.example:8080", "shop.example"},
        {"see shop.example", NULL},
        {"10.0.0.1", NULL},
        {"a/b.txt", NULL},
        {"..", NULL},
        {"word", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct span rest = span_of(cases[i].text), url, host;
        bool found = bare_url_next(&rest, &url, &host);
        cr_expect_eq(found, cases[i].host != NULL, "%s", cases[i].text);
        if (found && cases[i].host)
            cr_expect(span_is(host, cases[i].host), "%s", cases[i].text);
    }
}
