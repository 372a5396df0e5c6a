/*
 * Claims: what annotations on the wire say (model.md §3; trust-annotations
 * "Annotation shape"; ifc.fides.v1 "Label payload"; SEP-1913's older hints).
 * Reading finds them in a raw result; nothing is weighed here.
 */
#ifndef STRANDLINE_MODEL_CLAIM_H
#define STRANDLINE_MODEL_CLAIM_H

#include "base/jsonr.h"
#include "base/mem.h"
#include "model/flow/step.h"

#define TRUST_ANNOTATIONS_KEY "io.modelcontextprotocol/trust-annotations"

#define CLAIM_SHAPES(X)                                                                            \
    X(TRUST, "trust")           /* _meta["io.modelcontextprotocol/trust-annotations"] */           \
    X(IFC, "ifc")               /* _meta.ifc */                                                    \
    X(IFC_LABELS, "ifc_labels") /* _meta["com.github.ifc/labels"]: JSONPath → label */             \
    X(SEP1913, "sep1913")       /* _meta.annotations, result.annotations */

enum claim_shape {
#define X(id, word) CLAIM_##id,
    CLAIM_SHAPES(X)
#undef X
    CLAIM_SHAPE_COUNT
};
const char *claim_shape_word(enum claim_shape shape);

struct claim {
    enum claim_shape shape;
    int block;             /* content block, -1 the result */
    struct span name;      /* member: untrusted, sensitive, integrity, confidentiality, sensitivity… */
    struct span value;     /* raw JSON, inside the text given */
    struct span pointer;   /* RFC 6901, in the arena */
    const char *problem;   /* ours: "not a boolean"; NULL where well-formed */
};

struct evidence_claim {    /* an evidenceRef found on the wire */
    int block;
    struct span raw, pointer;
    struct span type, digest, canonicalization, schema, schema_version, ref; /* decoded; at NULL: absent */
    unsigned bad;          /* as in store.h */
};

struct claims {
    struct claim *items;
    size_t count;
    struct evidence_claim *evidence;
    size_t evidence_count;
};

/*
 * Finds all claims on a result (CallToolResult or any object with _meta and
 * content), and on each of its content blocks. Also at places where they do
 * not belong (structuredContent, params): those get problem "unspecified
 * attachment". Memory from the arena; one pass, no recursion.
 */
void claims_find(struct span result, struct arena *arena, struct claims *out);

#endif
