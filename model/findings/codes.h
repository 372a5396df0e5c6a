/*
 * Every code of a finding, once: code, severity, title, the statement it rests
 * on (in our words), and where that stands. The enum, `explain`, the rules of
 * SARIF and the tests of completeness come from this list; docs/findings has a
 * page for each.
 *
 * Severity here is the one a finding starts from; evidence and what became of
 * the call move it.
 */
#ifndef STRANDLINE_MODEL_FINDINGS_CODES_H
#define STRANDLINE_MODEL_FINDINGS_CODES_H

#define TA_SOURCE  "trust-annotations"
#define IFC_SOURCE "ifc-fides"

#define FINDING_CODES(X)                                                                           \
    X(TA01, MEDIUM, "A trust annotation is not a boolean",                                         \
      "untrusted and sensitive are JSON booleans", TA_SOURCE ", Annotation shape")                 \
    X(TA03, MEDIUM, "An evidence reference has no type", "type is required and is a string",       \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(TA04, MEDIUM, "An evidence reference without a digest that can be read",                     \
      "digest is required", TA_SOURCE ", The evidenceRef slot")                                    \
    X(TA05, MEDIUM, "An evidence reference has no canonicalization",                               \
      "canonicalization is required and names a method", TA_SOURCE ", The evidenceRef slot")       \
    X(TA06, INFO, "An evidence reference names no schema", "schema is recommended",                \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(TA07, INFO, "An evidence reference of an unknown type",                                      \
      "unknown types must be safely ignorable; their digest can still be checked",                 \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(TA11, MEDIUM, "A content block says less than its result",                                   \
      "a block must not weaken a claim of the result: once true, stays true",                      \
      TA_SOURCE ", Attachment point")                                                              \
    X(TA13, MEDIUM, "The record says private, the annotation does not",                            \
      "sensitive must not be left out because a richer scheme is present",                         \
      TA_SOURCE ", Coarse vs. rich classification")                                                \
    X(TA14, INFO, "Sensitive without evidence",                                                    \
      "servers should emit both the boolean and a record",                                         \
      TA_SOURCE ", Coarse vs. rich classification")                                                \
    X(TA15, MEDIUM, "The annotation and its record disagree on trust",                             \
      "the record is the evidence behind the boolean",                                             \
      IFC_SOURCE ", Relationship to trust-annotations")                                            \
    X(TA16, LOW, "A trust annotation on a tool definition",                                        \
      "trust annotations are of results, not of definitions",                                      \
      TA_SOURCE ", Lifecycle and list_changed")                                                    \
    X(TA17, LOW, "A trust annotation where none is specified",                                     \
      "annotations attach to a CallToolResult or one of its content blocks",                       \
      TA_SOURCE ", Attachment point")                                                              \
    X(TA20, LOW, "Several references in one evidenceRef", "the slot holds one reference",          \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(TA21, INFO, "An evidence reference in another spelling than the draft's",                    \
      "a digest is `alg:hex` in lower case, and a canonicalization has one name",                  \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(IF01, INFO, "An information-flow label inline in the result",                                \
      "inlining is tolerated; the reference is the canonical form", IFC_SOURCE ", Label payload")  \
    X(IF02, LOW, "An information-flow label without a trust annotation",                           \
      "ifc-fides never appears without an annotation that carries the reference",                  \
      IFC_SOURCE ", Relationship to trust-annotations")                                            \
    X(IF03, MEDIUM, "A label whose integrity can't be read", "integrity is trusted or untrusted",  \
      IFC_SOURCE ", Label payload")                                                                \
    X(IF04, MEDIUM, "A label whose confidentiality can't be read",                                 \
      "confidentiality is public, private or a list of readers", IFC_SOURCE ", Label payload")     \
    X(IF05, LOW, "A list of readers on the wire",                                                  \
      "the revision of 16 June never puts a reader list on the wire",                              \
      IFC_SOURCE " (16 June), Label payload")                                                      \
    X(IF06, MEDIUM, "The host's label of its context is too low",                                  \
      "the context label is the join of what was taken in, and never decreases",                   \
      IFC_SOURCE ", Label semantics")                                                              \
    X(IF08, INFO, "Allowed for want of labels",                                                    \
      "without a label the host falls back to its trusted-action policy",                          \
      IFC_SOURCE ", Label semantics")                                                              \
    X(IF09, MEDIUM, "Two private sources that nobody resolved",                                    \
      "two opaque markers are not equal and must be resolved for a precise decision",              \
      IFC_SOURCE " (16 June), Confidentiality resolution")                                         \
    X(IF10, LOW, "Private data let out because the context was trusted",                           \
      "private must not be treated as public; FIDES lets a trusted context declassify",            \
      IFC_SOURCE " (16 June); arXiv:2505.23643 section 8")                                         \
    X(IF11, LOW, "A list of readers in an evidence record",                                        \
      "hosts should not write resolved reader sets back into annotations or evidence",             \
      IFC_SOURCE " (16 June), Confidentiality resolution")                                         \
    X(IF12, LOW, "A label that may be the repository's and not the thing's",                       \
      "an emitter classifies each resource, not the repository it is in",                          \
      IFC_SOURCE " (16 June), Emitter")                                                            \
    X(IF13, LOW, "A list of readers that holds \"public\"",                                        \
      "public is a word in place of a list, not a reader in one", IFC_SOURCE ", Label payload")    \
    X(PT01, HIGH, "Consequential call in an untrusted context",                                    \
      "P-T: a consequential call needs a trusted context", "arXiv:2505.23643 section 4.3")         \
    X(PT02, HIGH, "An untrusted context writes what steers the agent or runs by itself",           \
      "configuration of agents and files that run are the targets that injected text goes for",    \
      "CVE-2025-54135; CVE-2025-68143; observed")                                                  \
    X(PF01, HIGH, "Private data to somebody who may not read it",                                  \
      "P-F: the recipients are among the readers of the data", "arXiv:2505.23643 section 4.3")     \
    X(PF02, MEDIUM, "Private data, and nobody knows who may read it",                              \
      "an opaque private marker is resolved to readers by the host",                               \
      IFC_SOURCE ", Label semantics")                                                              \
    X(PO01, MEDIUM, "A path outside the roots",                                                    \
      "a tool is to stay under the folders that it was given", "MCP, Roots; the policy's roots")   \
    X(PO02, HIGH, "A result from outside the scope",                                               \
      "a result belongs to the tenant, workspace or path that was asked for",                      \
      "the policy's scopes")                                                                       \
    X(PO03, HIGH, "A call that must not follow what came before",                                  \
      "after a result like this, a call like that, unless something stood between",                \
      "the policy's sequences")                                                                    \
    X(PO04, MEDIUM, "A row that a query of the policy found",                                      \
      "each row of the query is a finding", "the policy's queries")                                \
    X(EV01, HIGH, "Evidence that does not match its digest",                                       \
      "digest is the hash of the record, so that a client can re-derive it",                       \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(EV02, MEDIUM, "Evidence hashed under another canonicalization than declared",                \
      "canonicalization says how the digest was computed", TA_SOURCE ", The evidenceRef slot")     \
    X(EV03, LOW, "Evidence that is not held", "what can't be re-derived here is not verified",     \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(EV04, MEDIUM, "Evidence whose record may not be hashed",                                     \
      "RFC 8785 asks for I-JSON: no duplicate names, no lone surrogates", "RFC 8785 section 3.1")  \
    X(EV05, MEDIUM, "Evidence that does not fit its schema",                                       \
      "schema identifies the record that the reference resolves to",                               \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(EV06, LOW, "Evidence that can't be checked here",                                            \
      "a client needs to know the canonicalization and the algorithm",                             \
      TA_SOURCE ", The evidenceRef slot")                                                          \
    X(EV07, INFO, "A signature that nobody has checked",                                           \
      "a signature proves nothing until it is verified under a key that is trusted",               \
      "SEP-2787; RFC 8785; RFC 8032")                                                              \
    X(TD01, LOW, "A tool's definition changed",                                                    \
      "a definition that was approved is not the one in force now",                                \
      "MCP, Tools, List changed notification")                                                     \
    X(TD03, HIGH, "A tool's definition gives the model orders",                                    \
      "descriptions are written by the server and are not trustworthy",                            \
      "MCP, Tools, Security considerations")                                                       \
    X(TD04, MEDIUM, "A tool's definition names another server's tool",                             \
      "one server's definitions can steer the use of another's",                                   \
      "MCP, Tools, Security considerations")                                                       \
    X(TD05, MEDIUM, "A call contradicts the hints of its tool",                                    \
      "hints are not to be relied on unless the server is trusted", "MCP, ToolAnnotations")        \
    X(AM01, LOW, "A review was required, and none is recorded",                                    \
      "a host should obtain confirmation where an action requires review", "action-metadata")      \
    X(AM02, MEDIUM, "A definition changed without notice",                                         \
      "a server whose list changes emits list_changed",                                            \
      "MCP, Tools, List changed notification; action-metadata")                                    \
    X(EX01, HIGH, "Text of a private item in a call that lets it out",                             \
      "private text was found in the arguments", "observed")                                       \
    X(EX02, HIGH, "Text of a private item in a rendered address",                                  \
      "showing a link or an image tells its host the address", "observed")                         \
    X(EX03, MEDIUM, "A destination that only untrusted text names",                                \
      "the address of the call came from a stranger and not from the user", "observed")            \
    X(EX04, LOW, "Text of an untrusted item in a call with consequences",                          \
      "what a stranger wrote was carried into an action", "observed")                              \
    X(EX05, INFO, "Not all text could be compared",                                                \
      "where a bound was hit, the absence of a passage proves nothing", "observed")                \
    X(HX01, HIGH, "Hidden text in Unicode tag characters",                                         \
      "tag characters are invisible to people and legible to models", "Unicode, Tags block")       \
    X(HX02, MEDIUM, "Characters that turn the order of text around",                               \
      "bidirectional controls make text read otherwise than it is", "Unicode TR 36")               \
    X(HX03, LOW, "Invisible characters",                                                           \
      "zero-width and blank characters hide text or break it up", "Unicode TR 36")                 \
    X(HX04, LOW, "Terminal control sequences in text",                                             \
      "escape sequences act on the terminal that shows them", "ECMA-48")                           \
    X(HX05, LOW, "Text pushed out of sight by blanks",                                             \
      "a long run of blanks hides what stands behind it", "observed")                              \
    X(HX06, LOW, "Encoded text amid plain text",                                                   \
      "encoding hides from people what models and shells read", "observed")                        \
    X(SE01, MEDIUM, "A secret came into the context",                                              \
      "credentials in results can leave by any later call", "observed")                            \
    X(SE02, HIGH, "A secret went out in a call", "a credential stands in the arguments of a call", \
      "observed")                                                                                  \
    X(PR01, LOW, "Bytes that could not be read", "the record has a gap here", "observed")          \
    X(PR02, INFO, "A response without its request", "the record has a gap here",                   \
      "JSON-RPC 2.0, Response object")                                                             \
    X(PR03, LOW, "An id that was used again", "ids are not reused within a session",               \
      "MCP, Base protocol, Requests")                                                              \
    X(PR04, LOW, "A message that breaks JSON-RPC",                                                 \
      "every message is a request, a response or a notification", "JSON-RPC 2.0")                  \
    X(PR05, LOW, "The reading ended before the file did", "the end of the record is missing",      \
      "observed")                                                                                  \
    X(PR06, LOW, "A connection on which nothing was ever asked",                                   \
      "initialize is the first thing on a connection, and is answered", "MCP, Lifecycle")          \
    X(PR07, INFO, "Calls without an answer",                                                       \
      "every request is answered, unless the record ends before", "JSON-RPC 2.0, Response object") \
    X(PR08, HIGH, "A sign-in address that is no plain https address",                              \
      "a client opens the addresses of authorization server metadata: they are https, or its own", \
      "MCP, Authorization; RFC 8414; OAuth 2.1, 1.5")                                              \
    X(R201, MEDIUM, "Untrusted input, private data and a way out, all at once",                    \
      "an agent may have two of the three without a person",                                       \
      "Agents rule of two; lethal trifecta")                                                       \
    X(DC01, LOW, "A data class without sensitive",                                                 \
      "data-class.v1 is used where sensitive is true", "data-class.v1")                            \
    X(MC01, LOW, "A malformed name in _meta",                                                      \
      "a key of _meta is an optional prefix of labels and a name", "MCP, _meta")                   \
    X(MC02, INFO, "Hints of a server that is not trusted",                                         \
      "annotations of tools are untrusted unless their server is trusted", "MCP, ToolAnnotations") \
    X(S1301, INFO, "Annotations of the older proposal",                                            \
      "SEP-1913 was narrowed to trust-annotations", "SEP-1913")                                    \
    X(S1302, LOW, "A request without the open world that came in before it",                       \
      "openWorldHint, once true, stays true in the requests of the session",                       \
      "SEP-1913, Propagation")                                                                     \
    X(S1304, LOW, "A request less sensitive than what came in before it",                          \
      "the sensitivity of a session's requests never decreases", "SEP-1913, Propagation")          \
    X(S1310, LOW, "A rule of the older proposal's reference kit speaks",                           \
      "the kit's policy engine evaluates six rules before a call",                                 \
      "SEP-1913, reference implementation")                                                        \
    X(S1303, LOW, "A block's hint that its result does not have",                                  \
      "servers aggregate hints across the content of a result", "SEP-1913, Aggregation")

enum code {
#define X(code, severity, title, statement, source) CODE_##code,
    FINDING_CODES(X)
#undef X
        CODE_COUNT
};

#endif
