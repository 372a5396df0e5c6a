/*
 * Claims: what annotations on the wire say (model.md §3; trust-annotations
 * "Annotation shape"; ifc.fides.v1 "Label payload"; SEP-1913's older hints).
 * Reading finds them in a raw result; nothing is weighed here.
 */
#ifndef STRANDLINE_MODEL_FLOW_CLAIM_H
#define STRANDLINE_MODEL_FLOW_CLAIM_H

#include "base/jsonr.h"
#include "base/mem.h"
#include "model/case/step.h"
#include "model/flow/label.h"

#define TRUST_ANNOTATIONS_KEY "io.modelcontextprotocol/trust-annotations"

#define CLAIM_SHAPES(X)                                                                            \
    X(TRUST, "trust")           /* _meta["io.modelcontextprotocol/trust-annotations"] */           \
    X(IFC, "ifc")               /* _meta.ifc */                                                    \
    X(IFC_LABELS, "ifc_labels") /* _meta["com.github.ifc/labels"]: JSONPath → label */           \
    X(SEP1913, "sep1913")       /* _meta.annotations, result.annotations */                        \
    X(SIGNED, "signed")         /* a receipt or an attestation: says nothing by itself */

enum claim_shape {
#define X(id, word) CLAIM_##id,
    CLAIM_SHAPES(X)
#undef X
        CLAIM_SHAPE_COUNT
};
/* The word in the case for a shape; and back, false of any other word. */
const char *claim_shape_word(enum claim_shape shape);
bool claim_shape_of(struct span word, enum claim_shape *shape);

/*
 * Problems that are about the place and not about the value. A claim in a slot
 * of the protocol that the extension doesn't speak of (contents of a resource,
 * a message of a prompt) still says something; one on a tool definition or
 * inside data says nothing about this result, since whoever wrote the data
 * wrote the claim.
 */
#define CLAIM_UNSPECIFIED   "unspecified attachment"
#define CLAIM_ON_DEFINITION "unspecified attachment, on a tool definition"
#define CLAIM_INSIDE_DATA   "unspecified attachment, inside data"

struct claim {
    enum claim_shape shape;
    int block;         /* content block, -1 the result */
    struct span name;  /* member: untrusted, sensitive, integrity, confidentiality, sensitivity…;
                          a JSONPath of ifc_labels; `evidenceRef` where that is no object; of
                          something signed the member that it stands in */
    struct span value; /* raw JSON, inside the text given; empty: the member is missing */
    struct span pointer; /* RFC 6901, in the arena */
    const char *problem; /* ours: "not a boolean"; NULL where well-formed */
};

enum { EVIDENCE_MEMBERS = 6 };
struct evidence_claim { /* an evidenceRef found on the wire */
    int block;
    struct span raw, pointer; /* of a value that is no object the members are all absent */
    struct span type, digest, canonicalization, schema, schema_version,
        ref;      /* decoded; at NULL: absent */
    unsigned bad; /* bit i: member i (in the order above) is no string; it keeps its raw JSON */
    const char *problem; /* NULL, or one of the problems of place above */
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
 * attachment". Memory from the arena; one pass, no recursion. Text that is no
 * valid JSON object has none.
 */
void claims_find(struct span result, struct arena *arena, struct claims *out);
/*
 * The same of the params of a request: what the host says in its _meta, and
 * what is signed there or directly in the arguments. It is about the context
 * or the call and labels nothing that comes in. Pointers begin with "/params".
 */
void claims_find_request(struct span params, struct arena *arena, struct claims *out);

/* ---- what a claim says, as a label ---- */

enum claim_sense {
    SENSE_NOTHING,   /* says nothing about the label (attribution, a note, misplaced) */
    SENSE_LABEL,     /* *label is what it contributes; public where it claims `false` */
    SENSE_MALFORMED, /* *label is what it contributes when malformed fails closed */
};
/* `marker` names what is private here; `reader_lists` false takes a list of readers for malformed
 * (ifc.fides.v1, 16 June). */
enum claim_sense claim_label(struct label_pool *pool, const struct claim *claim, struct span marker,
                             bool reader_lists, struct label *label);
/* The label of a record of type ifc.fides.v1 ({integrity, confidentiality}) or data-class.v1
 * ({class, regulatory}). SENSE_NOTHING for any other type. */
enum claim_sense record_label(struct label_pool *pool, struct span type, struct span record,
                              struct span marker, bool reader_lists, struct label *label);
/* What a record of that type would say at worst; false for types that carry no label. */
bool record_label_closed(struct label_pool *pool, struct span type, struct span marker,
                         struct label *label);

#endif
