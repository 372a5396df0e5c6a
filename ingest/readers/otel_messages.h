/*
 * What spans and events of OpenTelemetry tell of a model's messages. Three ways are in use: one
 * attribute with all of them as JSON (gen_ai.input.messages), an attribute for each member of each
 * (llm.input_messages.0.message.role of OpenInference, gen_ai.prompt.0.role of OpenLLMetry), and an
 * event for each (gen_ai.user.message).
 */
#ifndef STRANDLINE_INGEST_READERS_OTEL_MESSAGES_H
#define STRANDLINE_INGEST_READERS_OTEL_MESSAGES_H

#include "ingest/outlet.h"

/* Attributes of one span that tell of messages, a member each. Zero-initialised is valid. */
struct flat_member;
struct flat {
    struct flat_member *at;
    size_t count, size;
};
/* Frees it and leaves it empty. */
void flat_finish(struct flat *flat);
/* Is the attribute one of these? Then it is kept. */
bool flat_take(struct flat *flat, struct span key, struct span value);
/* Those of what a model was given, or of what it answered, as records. */
void flat_tell(struct flat *flat, bool input, struct outlet *out, const struct record *base);

/* Messages in one attribute, as JSON in a string or as a value of OTLP's. */
void otel_tell_messages(struct outlet *out, struct span value, const struct record *base);
/* An event of one message: its name, and its body. False: it is none. *input: it repeats what the
 * model was given. */
bool otel_tell_event(struct outlet *out, struct span name, struct span body, bool *input,
                     const struct record *base);

#endif
